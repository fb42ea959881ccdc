/**
 * A removed document takes its parts with it: a thread its comments and reviews, a
 * commit its diffs. They are listed for the plan, and a guard proves in the
 * transaction that no further one has come.
 */
import type { DocumentType } from '../../base/vocabulary.ts'
import type { Identity } from '../../documents/document.ts'
import type { Index } from '../sql/index-database.ts'
import { packJson } from '../sql/json-rows.ts'

/** Wholes whose parts are of the same types. */
interface Composition {
  readonly wholes: readonly DocumentType[]
  /** Types of the parts as a list in SQL, and the column by which they name the whole. */
  readonly parts: string
  readonly column: 'number' | 'commit_sha'
}

const THREAD: Composition = {
  wholes: ['issue', 'pull_request'],
  parts: `'issue_comment', 'pr_review', 'pr_review_comment'`,
  column: 'number',
}
const COMMIT: Composition = { wholes: ['commit'], parts: `'diff'`, column: 'commit_sha' }

/** A document that is removed with its parts. */
export interface Whole {
  readonly repoId: number
  readonly identity: Identity
}

export interface Cascade {
  /** The live parts: number and id. */
  readonly parts: readonly { readonly document: number; readonly vectorId: string }[]
  readonly guards: readonly D1PreparedStatement[]
}

/** The live parts of these wholes; types without parts have none. */
export async function readCascade({ database }: Index, wholes: readonly Whole[]): Promise<Cascade> {
  const found: { document: number; vectorId: string }[] = []
  const guards: D1PreparedStatement[] = []
  for (const { wholes: types, parts, column } of [THREAD, COMMIT]) {
    const named = wholes.filter(({ identity }) => types.includes(identity.type))
    const rows = named.map(({ repoId, identity }) => [repoId, valueIn(identity)])
    for (const json of packJson(rows)) {
      const from = `FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value ->> 0
        JOIN documents d ON d.repository = r.repository AND d.${column} = e.value ->> 1
        WHERE d.deleted_at IS NULL AND d.type IN (${parts})`
      const { results } = await database
        .prepare(`SELECT DISTINCT d.document, d.vector_id AS vectorId ${from}`)
        .bind(json)
        .all<{ document: number; vectorId: string }>()
      found.push(...results)
      guards.push(
        database
          .prepare(`INSERT INTO guards (holds) SELECT 0 WHERE (SELECT count(DISTINCT d.document) ${from}) <> ?2`)
          .bind(json, results.length),
      )
    }
  }
  return { parts: found, guards }
}

function valueIn(identity: Identity): string | number | null {
  if ('number' in identity) return identity.number
  return 'commitSha' in identity ? identity.commitSha : null
}

/** True if the identity names a thread, under which comments and reviews are. */
export function isThread({ type }: Identity): boolean {
  return THREAD.wholes.includes(type)
}
