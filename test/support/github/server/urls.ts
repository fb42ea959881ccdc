/**
 * Where a world is served: below a path of its own, laid out like GitHub
 * Enterprise Server, so that all four addresses follow from that of the API.
 */
import { fullNameOf, type Repository, type World } from '../truth/world.ts'

export interface Urls {
  readonly api: string
  readonly graphql: string
  readonly server: string
  readonly raw: string
}

/** `origin` is the scripted server's, without a slash at its end. */
export function urlsOf(world: World, origin: string): Urls {
  const server = `${origin}/w/${world.id}`
  return { api: `${server}/api/v3`, graphql: `${server}/api/graphql`, server, raw: `${server}/raw` }
}

export function apiUrlOf(urls: Urls, repository: Repository): string {
  return `${urls.api}/repos/${fullNameOf(repository)}`
}

export function webUrlOf(urls: Urls, repository: Repository): string {
  return `${urls.server}/${fullNameOf(repository)}`
}

/** A path with its parts encoded and its slashes kept. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
