/** The control routes: `POST /_control/ID/ACTION` with JSON; the client class words them. */
import { createHmac } from 'node:crypto'
import type { Fault } from '../fault.ts'
import { applyEdit } from '../truth/apply-edit.ts'
import type { Edit } from '../truth/edit.ts'
import { toExpectedDocuments, type ExpectedOptions } from '../truth/expected-documents.ts'
import { toRandomEdit, type RandomStep } from '../truth/random-step.ts'
import { fillSampleWorld } from '../truth/sample-world.ts'
import { createWorld, type Delivery, type World, type WorldSettings } from '../truth/world.ts'
import { createApp, windowOf, type Resource, type TokenGrant } from './access.ts'
import { restError, type RestReply } from './reply.ts'
import { urlsOf } from './urls.ts'
import { armFault, createState, takeSnapshot, type WorldState } from './world-state.ts'

interface ControlRequest {
  readonly method: string
  readonly id: string
  /** With its leading slash. */
  readonly action: string
  readonly body: string
  readonly origin: string
}

/** Each action of a world, with what it is given. A thrown error is a 400. */
const ACTIONS: Readonly<Record<string, (state: WorldState, given: never, origin: string) => unknown>> = {
  edit: ({ world }, given: readonly Edit[], origin) =>
    given.map((edit) => applyEdit(world, urlsOf(world, origin), edit)),
  random: ({ world }, given: readonly RandomStep[], origin) =>
    given.map((step) => {
      const edit = toRandomEdit(world, step)
      return { edit, result: applyEdit(world, urlsOf(world, origin), edit) }
    }),
  sample: ({ world }, given: { readonly scale?: number }, origin) =>
    fillSampleWorld(world, urlsOf(world, origin), given.scale ?? 1),
  settings: ({ world }, given: Partial<WorldSettings>) => Object.assign(world.settings, given),
  clock: ({ world }, given: { readonly nowMs?: number; readonly byMs?: number }) => {
    world.nowMs = (given.nowMs ?? world.nowMs) + (given.byMs ?? 0)
    return { nowMs: world.nowMs }
  },
  first_id: ({ world }, given: { readonly id: number }) => {
    world.lastId = given.id
    return {}
  },
  deliveries: ({ world }, given: { readonly from?: number }) =>
    world.deliveries.slice(given.from ?? 0).map((delivery) => ({ ...delivery, headers: headersOf(world, delivery) })),
  faults: (state, given: readonly Fault[]) => {
    for (const fault of given) armFault(state, fault)
    return {}
  },
  clear_faults: ({ faults }) => ({ cleared: faults.splice(0).length }),
  requests: ({ requests }) => requests,
  clear_requests: ({ requests }) => ({ cleared: requests.splice(0).length }),
  snapshot: (state, given: { readonly name: string }) => {
    takeSnapshot(state, given.name)
    return {}
  },
  token: ({ access }, given: { readonly token: string; readonly grant: TokenGrant | null }) => {
    if (given.grant === null) access.tokens.delete(given.token)
    else access.tokens.set(given.token, given.grant)
    return {}
  },
  use_limit: (
    { access, world },
    given: { readonly credential: string; readonly used: number; readonly resource?: Resource },
  ) => {
    const caller = { credential: given.credential, grant: access.tokens.get(given.credential) }
    windowOf(world, access, caller, given.resource ?? 'core').used = given.used
    return {}
  },
  app: ({ access }, given: { readonly repositories: readonly string[] | 'all' }) =>
    createApp(access, given.repositories),
  expected: ({ world }, given: ExpectedOptions, origin) => toExpectedDocuments(world, urlsOf(world, origin), given),
}

export function control(worlds: Map<string, WorldState>, request: ControlRequest): RestReply {
  const { id, body, origin } = request
  const action = request.action.replace(/^\//, '')
  if (request.method !== 'POST' || id === '') return restError(404, 'Not Found')
  try {
    const given = JSON.parse(body === '' ? '{}' : body) as never
    if (action === '') {
      const world = createWorld(id, given)
      worlds.set(id, createState(world))
      return { status: 201, body: { id, urls: urlsOf(world, origin), secret: world.secret, hookId: world.hookId } }
    }
    const state = worlds.get(id)
    const act = ACTIONS[action]
    if (action === 'remove') return { status: 200, body: { removed: worlds.delete(id) } }
    if (state === undefined || act === undefined) return restError(404, `no world ${id} or no action ${action}`)
    return { status: 200, body: act(state, given, origin) }
  } catch (error) {
    return restError(400, error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

/** As GitHub sends them. */
function headersOf({ secret, hookId }: World, { id, event, body, repository }: Delivery): Record<string, string> {
  const sign = (algorithm: string): string => createHmac(algorithm, secret).update(body).digest('hex')
  return {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/scripted',
    'x-github-event': event,
    'x-github-delivery': id,
    'x-github-hook-id': String(hookId),
    'x-github-hook-installation-target-id': String(repository),
    'x-github-hook-installation-target-type': 'repository',
    'x-hub-signature': `sha1=${sign('sha1')}`,
    'x-hub-signature-256': `sha256=${sign('sha256')}`,
  }
}
