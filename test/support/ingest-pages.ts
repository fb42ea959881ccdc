/** Pages as the readers of GitHub put them: documents of one repository with an origin. */
import { parseImportPage } from '../../src/contracts/import/parse-page.ts'
import type { DocumentChange } from '../../src/documents/document.ts'
import { listPendingReads } from '../../src/index/ingestion/pending-reads.ts'
import { readMarker } from '../../src/index/sql/markers.ts'
import { putRepository } from '../../src/index/write/put-repository.ts'
import type { PageSummary } from '../../src/index/write/page-plan.ts'
import { putPage, type IndexPage } from '../../src/index/write/put-page.ts'
import { index, NOW } from './index-world.ts'
import { toNdjson, type Line } from './lines.ts'

export const REPO_ID = 4001

/** Creates the repository that pages with an origin need. */
export async function addRepository(repoId = REPO_ID, name = 'acme/widgets'): Promise<void> {
  const described = { repoId, name, private: false, defaultBranch: 'main', archived: false }
  const added = await putRepository(index, described, { kind: 'read', marker: await readMarker(index) })
  if (!added.ok) throw new Error(added.failure.message)
}

/** The changes that lines of an import would make, of the repository with GitHub's id. */
export function toChanges(lines: readonly Line[], repoId = REPO_ID): readonly DocumentChange[] {
  const parsed = parseImportPage(toNdjson(lines.map((line) => ({ ...line, repo_id: repoId }))))
  if (!parsed.ok) throw new Error(parsed.failure.message)
  return parsed.value
}

let deliveries = 0

/** Puts what a webhook delivered. */
export function deliver(lines: readonly Line[], page: Partial<IndexPage> = {}, delivery = `d${(deliveries += 1)}`) {
  return putOrThrow({ changes: toChanges(lines), origin: { kind: 'delivery', hook: '1', delivery }, ...page })
}

/** Puts what a read says that began at `marker`, or just now. */
export async function read(lines: readonly Line[], marker?: number, page: Partial<IndexPage> = {}) {
  const origin = { kind: 'read', marker: marker ?? (await readMarker(index)) } as const
  return putOrThrow({ changes: toChanges(lines), origin, ...page })
}

export async function putOrThrow(page: IndexPage): Promise<PageSummary> {
  const put = await putPage(index, page, NOW)
  if (!put.ok) throw new Error(`${put.failure.code}: ${put.failure.message}`)
  return put.value
}

/** The reads that are due, as `kind key` in order. */
export async function pending(): Promise<string[]> {
  return (await listPendingReads(index, NOW, 100)).map(({ kind, key }) => `${kind} ${key}`.trimEnd()).sort()
}
