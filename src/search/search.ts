/**
 * Search, the use case: a viewer's question in, an answer out. Which of the
 * three modes it is, the plan says.
 */
import type { Viewer } from '../access/viewer.ts'
import type { Result } from '../base/result.ts'
import type { SearchAnswer } from '../contracts/tools/search-answers.ts'
import type { SearchArguments } from '../contracts/tools/search.ts'
import type { Index } from '../index/database.ts'
import { fetchBodies } from './fetch.ts'
import { hybrid } from './hybrid.ts'
import { toPlan } from './plan.ts'
import { scan } from './scan.ts'

export interface SearchDependencies {
  readonly index: Index
  /** Milliseconds UTC. */
  now(): number
}

export async function search(
  { index, now }: SearchDependencies,
  viewer: Viewer,
  args: SearchArguments,
): Promise<Result<SearchAnswer>> {
  const plan = toPlan(viewer, args, now())
  if (!plan.ok) return plan
  switch (plan.value.mode) {
    case 'fetch':
      return fetchBodies(index, plan.value)
    case 'scan':
      return scan(index, plan.value)
    case 'search':
      return hybrid(index, plan.value)
  }
}
