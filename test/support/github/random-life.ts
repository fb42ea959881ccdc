/**
 * Random lives of a product beside a project: edits, deliveries that come late,
 * twice, in any order or never, runs of any size, faults of GitHub, and kills.
 */
import * as fc from 'fast-check'
import type { Fault, FaultAction } from './fault.ts'
import { randomStep } from './random-sequences.ts'
import type { RandomStep } from './truth/random-step.ts'

export type LifeAction =
  | { readonly do: 'edit'; readonly step: RandomStep }
  | { readonly do: 'poll' | 'reconcile'; readonly requests: number }
  | { readonly do: 'maintain' }
  /** An edit and its delivery while a run waits for the answer to one of its requests. */
  | { readonly do: 'together'; readonly run: 'poll' | 'reconcile'; readonly step: RandomStep; readonly skip: number }
  /** Something is made and deleted; its deliveries arrive in any order, or while a run still reads it. */
  | {
      readonly do: 'vanish'
      readonly what: 'issue' | 'comment'
      readonly order: number
      readonly isRead: boolean
      readonly skip: number
    }
  /** One of those that were not delivered yet; `times` 0 loses it. */
  | { readonly do: 'deliver'; readonly pick: number; readonly times: number }
  /** One that was delivered before. */
  | { readonly do: 'redeliver'; readonly pick: number }
  | { readonly do: 'fault'; readonly fault: Fault }
  /** The next action is killed at this write. */
  | { readonly do: 'kill'; readonly writes: number; readonly isAfter: boolean }
  | { readonly do: 'pass'; readonly seconds: number }

const ACTIONS: readonly FaultAction[] = [
  { do: 'answer', status: 500 },
  { do: 'answer', status: 502 },
  { do: 'answer', status: 503, body: 'busy', headers: { 'retry-after': '1' } },
  { do: 'answer', status: 422, body: '{"message":"Validation Failed"}' },
  { do: 'limit', kind: 'secondary', retryAfterS: 1 },
  { do: 'limit', kind: 'words', status: 403 },
  { do: 'limit', kind: 'words', status: 429 },
  { do: 'limit', kind: 'primary', resetInS: 30 },
  { do: 'cut', bytes: 20 },
  { do: 'reset' },
  { do: 'malformed' },
  { do: 'html' },
  { do: 'empty' },
  { do: 'graphql_errors', errors: [{ message: 'Something went wrong' }] },
  { do: 'graphql_errors', errors: [{ message: 'Something went wrong' }], partial: true },
  { do: 'truncate_tree' },
]

const fault: fc.Arbitrary<Fault> = fc.record({
  match: fc.constantFrom(
    '.',
    '/issues\\?',
    '/comments',
    '/graphql',
    '/git/',
    '/commits',
    '/compare/',
    '/releases',
    '/repos/[^/]+/[^/?]+$',
    'wiki',
  ),
  skip: fc.nat(3),
  times: fc.integer({ min: 1, max: 3 }),
  action: fc.constantFrom(...ACTIONS),
})

const requests = fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 12 }), fc.constant(400))

const action: fc.Arbitrary<LifeAction> = fc.oneof(
  { weight: 10, arbitrary: randomStep.map((step): LifeAction => ({ do: 'edit', step })) },
  { weight: 3, arbitrary: requests.map((count): LifeAction => ({ do: 'poll', requests: count })) },
  { weight: 1, arbitrary: requests.map((count): LifeAction => ({ do: 'reconcile', requests: count })) },
  { weight: 1, arbitrary: fc.constant<LifeAction>({ do: 'maintain' }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ run: fc.constantFrom('poll', 'reconcile'), step: randomStep, skip: fc.nat(8) })
      .map((one): LifeAction => ({ do: 'together', ...one })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        what: fc.constantFrom('issue', 'comment'),
        order: fc.nat(5),
        isRead: fc.boolean(),
        skip: fc.nat(6),
      })
      .map((one): LifeAction => ({ do: 'vanish', ...one })),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({ pick: fc.nat(20), times: fc.constantFrom(0, 1, 1, 1, 2) })
      .map((one): LifeAction => ({ do: 'deliver', ...one })),
  },
  { weight: 1, arbitrary: fc.nat(60).map((pick): LifeAction => ({ do: 'redeliver', pick })) },
  { weight: 2, arbitrary: fault.map((one): LifeAction => ({ do: 'fault', fault: one })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ writes: fc.integer({ min: 1, max: 12 }), isAfter: fc.boolean() })
      .map((one): LifeAction => ({ do: 'kill', ...one })),
  },
  { weight: 1, arbitrary: fc.nat(90).map((seconds): LifeAction => ({ do: 'pass', seconds })) },
)

export function randomLife(maxLength: number): fc.Arbitrary<LifeAction[]> {
  return fc.array(action, { minLength: 3, maxLength })
}
