/**
 * The client of a scripted GitHub, for tests in workerd and on Node, benches and
 * people. `ScriptedGitHub.create(address)` makes a world of its own; then
 *
 *   await github.edit({ do: 'create_repository', repo: 'acme/app' })   changes the truth
 *   github.urls.api                                                    is where the product asks
 *   await github.fault({ match: '/issues\\?', action: { do: 'html' } })  lets a request fail
 *   await github.deliveries()                                          are the webhook requests, signed
 *   await github.expected()                                            is what the index must have
 *
 * Edits are listed in truth/edit.ts, faults in fault.ts, settings in truth/world.ts.
 */
import type { Fault, LoggedRequest } from './fault.ts'
import type { TokenGrant } from './server/access.ts'
import type { Urls } from './server/urls.ts'
import type { Edit, EditResult } from './truth/edit.ts'
import type { Expected, ExpectedOptions } from './truth/expected-documents.ts'
import type { RandomStep } from './truth/random-step.ts'
import type { WorldSettings } from './truth/world.ts'

export interface SignedDelivery {
  readonly id: string
  readonly event: string
  readonly action?: string
  /** The repository's id. */
  readonly repository: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface AppCredentials {
  readonly appId: string
  readonly installationId: number
  /** The private key as GitHub gives it, and as others want it. */
  readonly pkcs1: string
  readonly pkcs8: string
}

interface WorldInfo {
  readonly id: string
  readonly urls: Urls
  readonly secret: string
  readonly hookId: number
}

let worlds = 0

export class ScriptedGitHub {
  readonly id: string
  /** The addresses of the API, of GraphQL, of pages and of raw files. */
  readonly urls: Urls
  /** Of webhooks. */
  readonly secret: string
  readonly hookId: number
  /** Reads everything, also drafts of releases. */
  readonly token = 'github_pat_scripted'
  readonly #control: string

  private constructor(address: string, { id, urls, secret, hookId }: WorldInfo) {
    this.id = id
    this.urls = urls
    this.secret = secret
    this.hookId = hookId
    this.#control = `${address}/_control/${id}`
  }

  /** Makes a world at a server's address, with an id that no other test uses unless it is named. */
  static async create(
    address: string,
    { id, ...settings }: Partial<WorldSettings> & { readonly id?: string } = {},
  ): Promise<ScriptedGitHub> {
    const name = id ?? `w${++worlds}-${crypto.randomUUID().slice(0, 8)}`
    return new ScriptedGitHub(address, (await post(`${address}/_control/${name}`, settings)) as WorldInfo)
  }

  async #act<Result>(action: string, given: unknown = {}): Promise<Result> {
    return (await post(`${this.#control}/${action}`, given)) as Result
  }

  /** Changes the truth; refused edits, such as a comment on nothing, throw. */
  async edit(edit: Edit): Promise<Required<EditResult>> {
    const [result] = await this.edits([edit])
    return result as Required<EditResult>
  }

  /** In their order. */
  edits(edits: readonly Edit[]): Promise<EditResult[]> {
    return this.#act('edit', edits)
  }

  /** Random steps (random-sequences.ts) in the first repository; the answer says what they became. */
  randomEdits(steps: readonly RandomStep[]): Promise<{ readonly edit: Edit; readonly result: EditResult }[]> {
    return this.#act('random', steps)
  }

  /** Fills the world with `acme/app`, a project of ordinary size times `scale`. */
  fillSample(scale = 1): Promise<{ readonly repo: string }> {
    return this.#act('sample', { scale })
  }

  set(settings: Partial<WorldSettings>): Promise<WorldSettings> {
    return this.#act('settings', settings)
  }

  /** Moves the clock of the truth; without arguments it only says the time. */
  async clock(given: { readonly nowMs?: number; readonly byMs?: number } = {}): Promise<number> {
    return (await this.#act<{ nowMs: number }>('clock', given)).nowMs
  }

  /** The next ids are above this one, such as one beyond 32 bits. */
  async setFirstId(id: number): Promise<void> {
    await this.#act('first_id', { id })
  }

  /** Everything that GitHub would have posted since the beginning, or from the given one on, oldest first. */
  deliveries(from = 0): Promise<SignedDelivery[]> {
    return this.#act('deliveries', { from })
  }

  async fault(...faults: readonly Fault[]): Promise<void> {
    await this.#act('faults', faults)
  }

  async clearFaults(): Promise<void> {
    await this.#act('clear_faults')
  }

  /** The requests to this world, oldest first. */
  requests(): Promise<LoggedRequest[]> {
    return this.#act('requests')
  }

  async clearRequests(): Promise<void> {
    await this.#act('clear_requests')
  }

  /** Keeps the truth as it is now for faults that let lists lag. */
  async takeSnapshot(name: string): Promise<void> {
    await this.#act('snapshot', { name })
  }

  /** Makes a token, or with null ends it. */
  async grant(token: string, grant: TokenGrant | null): Promise<void> {
    await this.#act('token', { token, grant })
  }

  /** Says how much of its hourly limit a token has used; an anonymous caller is `127.0.0.1`. */
  async useLimit(credential: string, used: number, resource: 'core' | 'graphql' = 'core'): Promise<void> {
    await this.#act('use_limit', { credential, used, resource })
  }

  /** An App that is installed in these repositories. */
  createApp(repositories: readonly string[] | 'all' = 'all'): Promise<AppCredentials> {
    return this.#act('app', { repositories })
  }

  /** Frees its memory; for tests that make very many worlds. */
  async remove(): Promise<void> {
    await this.#act('remove')
  }

  /** The documents that an index must have of the present truth. */
  expected(options: ExpectedOptions = {}): Promise<Expected> {
    return this.#act('expected', options)
  }
}

async function post(address: string, given: unknown): Promise<unknown> {
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(given) })
  if (!response.ok) throw new Error(`the scripted GitHub refuses: ${await response.text()}`)
  return response.json()
}

/** The request that delivers it to `address`. */
export function toWebhookRequest({ body, headers }: SignedDelivery, address: string): Request {
  return new Request(address, { method: 'POST', body, headers: { ...headers } })
}
