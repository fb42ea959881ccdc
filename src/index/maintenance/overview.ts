/**
 * Figures of the index for the operator: rows per type, pending work with its
 * last error, and cursors. Counting reads every row of an SQL index, so only the
 * admin API calls this.
 */
import type { DocumentType } from '../../base/vocabulary.ts'
import { listCursors, type SourceCursor } from '../documents/source-cursors.ts'
import type { Index } from '../sql/index-database.ts'
import { IS_ANY_PENDING } from './pending.ts'

export interface RepositoryOverview {
  readonly name: string
  readonly repoId: number
  readonly private: boolean
  readonly documents: Partial<Record<DocumentType, number>>
  readonly cursors: readonly SourceCursor[]
  /** Documents with pending derived rows of any kind, and the newest error among them. */
  readonly pending: number
  readonly pendingByType: Partial<Record<DocumentType, number>>
  readonly lastError?: string
}

/** Every repository, by name. */
export async function readOverview(index: Index): Promise<RepositoryOverview[]> {
  const { database } = index
  const cursors = await listCursors(index)
  const [repositories, counts, pending] = await database.batch([
    database.prepare('SELECT repository, name, repo_id, private FROM repositories ORDER BY name'),
    database.prepare(
      'SELECT repository, type, count(*) AS rows FROM documents WHERE deleted_at IS NULL GROUP BY repository, type',
    ),
    database.prepare(
      `SELECT repository, type, count(*) AS pending,
           (SELECT o.error FROM retries o JOIN documents w USING (document)
            WHERE w.repository = d.repository ORDER BY o.due_at DESC LIMIT 1) AS last_error
         FROM documents d WHERE ${IS_ANY_PENDING} GROUP BY repository, type`,
    ),
  ])
  const countRows = counts!.results as { repository: number; type: DocumentType; rows: number }[]
  const pendingRows = pending!.results as {
    repository: number
    type: DocumentType
    pending: number
    last_error: string | null
  }[]
  return (repositories!.results as { repository: number; name: string; repo_id: number; private: number }[]).map(
    ({ repository, name, repo_id, private: hidden }) => {
      const work = pendingRows.filter((row) => row.repository === repository)
      const ofRepository = countRows.filter((row) => row.repository === repository)
      return {
        name,
        repoId: repo_id,
        private: hidden === 1,
        documents: Object.fromEntries(ofRepository.map(({ type, rows }) => [type, rows])),
        cursors: cursors.filter((cursor) => cursor.repository === repository),
        pending: work.reduce((sum, row) => sum + row.pending, 0),
        pendingByType: Object.fromEntries(work.map((row) => [row.type, row.pending])),
        ...(work[0]?.last_error && { lastError: work[0].last_error }),
      }
    },
  )
}
