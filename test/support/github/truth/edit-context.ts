/** The parts that edits share: the repository, the clock, ids, and the log of deliveries. */
import { createHash } from 'node:crypto'
import { repositoryJson, userJson, type View } from '../server/rest/rest-json.ts'
import { findRepository, type Repository, type Thread, type World } from './world.ts'
import type { Urls } from '../server/urls.ts'

export interface EditContext extends View {
  readonly nowMs: number
  /** A login. */
  readonly by: string
}

export function contextOf(
  world: World,
  urls: Urls,
  edit: { readonly repo: string; readonly by?: string },
): EditContext {
  const repository = findRepository(world, edit.repo)
  if (repository === undefined) throw new Error(`no repository ${edit.repo}`)
  return { world, urls, repository, nowMs: world.nowMs, by: edit.by ?? repository.owner }
}

export function nextId(world: World): number {
  // Distances as on a server that has other repositories too.
  world.lastId += 7
  return world.lastId
}

/** Logs what GitHub would post; the content comes before the repository and the sender. */
export function deliver(
  context: EditContext,
  event: string,
  action: string | undefined,
  content: object,
  repository: Repository = context.repository,
): void {
  const { world } = context
  if (!world.settings.deliveries) return
  const body = JSON.stringify({
    ...(action !== undefined && { action }),
    ...content,
    repository: repositoryJson({ ...context, repository }),
    sender: userJson(context, context.by),
  })
  const digest = createHash('sha256').update(`${world.id} ${world.deliveries.length} ${event}`).digest('hex')
  const id = digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  world.deliveries.push({ id, event, action, repository: repository.id, body })
}

/** Finds what an edit names. Throws when there is none: the test is wrong then. */
export function need<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`there is no ${name}`)
  return value
}

export function threadOf(context: EditContext, number: number): Thread {
  return need(context.repository.threads.get(number), `number ${number}`)
}

/** Moves its time of update to now. */
export function touch({ nowMs }: EditContext, item: { updatedMs: number }): void {
  item.updatedMs = Math.max(item.updatedMs, nowMs)
}
