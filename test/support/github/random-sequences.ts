/** Random worlds: sequences of steps that fast-check makes and shrinks. */
import * as fc from 'fast-check'
import { RANDOM_KINDS, type RandomStep } from './truth/random-step.ts'

/** Kinds that happen often get more of the steps. */
const OFTEN: Partial<Record<RandomStep['kind'], number>> = {
  open_issue: 4,
  open_pull_request: 3,
  comment: 6,
  edit_comment: 3,
  review: 4,
  review_comment: 3,
  commit: 5,
  edit_words: 3,
}

const kind: fc.Arbitrary<RandomStep['kind']> = fc.oneof(
  ...RANDOM_KINDS.map((one) => ({ weight: OFTEN[one] ?? 1, arbitrary: fc.constant(one) })),
)

export const randomStep: fc.Arbitrary<RandomStep> = fc.record({
  kind,
  pick: fc.nat(60),
  choice: fc.nat(99),
  words: fc.nat(59),
  // Often in the same second as the step before.
  afterS: fc.oneof(fc.constant(0), fc.constant(1), fc.nat(90)),
})

/** For `ScriptedGitHub.randomEdits`, in a world that has a repository. */
export function randomSteps(maxLength: number): fc.Arbitrary<RandomStep[]> {
  return fc.array(randomStep, { minLength: 1, maxLength })
}
