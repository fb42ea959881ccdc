/**
 * Asks GitHub which repository a configured name stands for now, and stores the
 * answer: its id, current name, visibility and default branch. A name that leads
 * nowhere keeps the rows of the repository that it stood for.
 */
import { toNameKey } from '../../base/repository-name.ts'
import type { GitHub, GitHubFault } from '../../github/github.ts'
import { putConfiguredName } from '../../index/ingestion/configured-names.ts'
import { updateRepository } from '../../index/ingestion/indexed-repositories.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import { toTrouble } from '../walks/fault-trouble.ts'
import { parseRepositoryFacts, type RepositoryFacts } from './repository-facts.ts'
import type { ConfiguredRepository } from './configured-repositories.ts'

export type NameOutcome =
  | { readonly kind: 'found'; readonly facts: RepositoryFacts }
  /** GitHub has no such repository, or none that we may read. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly fault: GitHubFault }

type NameDependencies = Pick<IngestDependencies, 'index' | 'now'>

export async function checkName(
  deps: NameDependencies,
  github: GitHub,
  { configured, name }: ConfiguredRepository,
): Promise<NameOutcome> {
  const { index, now } = deps
  const nameKey = toNameKey(configured)
  const outcome = await askRepository(github, `/repos/${configured}`)
  if (outcome.kind === 'found') {
    await updateRepository(index, { ...outcome.facts, repoId: outcome.facts.id })
    await putConfiguredName(index, { nameKey, repoId: outcome.facts.id, checkedAtMs: now() })
  } else if (outcome.kind === 'absent') {
    const error = `GitHub has no repository ${configured}, or none that this credential may read.`
    await putConfiguredName(index, { nameKey, checkedAtMs: now(), error })
  } else if (outcome.fault.kind !== 'spent') {
    const { error, retryAtMs } = toTrouble(outcome.fault, name?.attempts ?? 0, now())
    await putConfiguredName(index, { nameKey, checkedAtMs: now(), error, retryAtMs })
  }
  return outcome
}

/** `path` is `/repos/OWNER/NAME` or `/repositories/ID`. Redirects of renamed repositories are followed. */
export async function askRepository(github: GitHub, path: string): Promise<NameOutcome> {
  const answer = await github.get(path, { surface: undefined, expects: 'object', followMoved: true })
  if (!answer.ok) return { kind: 'failed', fault: answer.fault }
  if (answer.value.kind === 'absent') return { kind: 'absent' }
  const facts = answer.value.kind === 'ok' ? parseRepositoryFacts(answer.value.body) : undefined
  if (facts !== undefined) return { kind: 'found', facts }
  return { kind: 'failed', fault: { kind: 'fault', reason: 'GitHub did not describe the repository.' } }
}
