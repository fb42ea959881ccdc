/**
 * Asks GitHub which repository a configured name stands for now, and stores the
 * answer: its id, current name, visibility and default branch. A name that leads
 * nowhere keeps the rows of the repository that it stood for.
 */
import type { GitHub, GitHubFault } from '../../github/github.ts'
import { putConfiguredName } from '../../index/ingestion/configured-names.ts'
import { readMarker } from '../../index/sql/markers.ts'
import { putRepository } from '../../index/write/put-repository.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import { toTrouble } from '../fault-trouble.ts'
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
  { configured, name, repository: before }: ConfiguredRepository,
): Promise<NameOutcome> {
  const { index, now } = deps
  const marker = await readMarker(index)
  const found = await askRepository(github, `/repos/${configured}`)
  const isOther = found.kind === 'found' && before !== undefined && before.repoId !== found.facts.id
  const outcome = isOther ? await moveFormer(index, github, before.repoId, marker, found) : found
  if (outcome.kind === 'found') {
    const { id: repoId, ...facts } = outcome.facts
    await putRepository(index, { ...facts, repoId }, { kind: 'read', marker })
    await putConfiguredName(index, { name: configured, repoId }, now())
  } else if (outcome.kind === 'absent') {
    const error = `GitHub has no repository ${configured}, or none that this credential may read.`
    await putConfiguredName(index, { name: configured, error }, now())
  } else if (outcome.fault.kind !== 'spent') {
    const { error, retryAtMs } = toTrouble(outcome.fault, name?.attempts ?? 0, now())
    await putConfiguredName(index, { name: configured, error, retryAtMs }, now())
  }
  return outcome
}

/**
 * The name has passed to another repository: the one that it stood for has another
 * name now, which its rows get before the name leads elsewhere. One that GitHub
 * does not know any more keeps its rows as they are.
 */
async function moveFormer(
  index: IngestDependencies['index'],
  github: GitHub,
  formerId: number,
  marker: number,
  found: NameOutcome,
): Promise<NameOutcome> {
  const former = await askRepository(github, `/repositories/${formerId}`)
  if (former.kind === 'failed') return former
  if (former.kind === 'found' && former.facts.id === formerId) {
    const { id: repoId, ...facts } = former.facts
    await putRepository(index, { ...facts, repoId }, { kind: 'read', marker })
  }
  return found
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
