/**
 * Exports documents: every live one, whole, in one order that depends on the
 * documents alone: by id of the repository, type, and identity. Read in small
 * batches, so that memory stays bounded.
 */
import { DOCUMENT_TYPES, type DocumentType } from '../../base/vocabulary.ts'
import type { Document } from '../../documents/document.ts'
import { FIELDS } from '../../documents/fields.ts'
import { specOf } from '../../documents/index.ts'
import type { Index } from '../sql/index-database.ts'
import { readStoredDocuments } from './read-stored.ts'

/** Numbers that one statement lists, and documents and UTF-16 units of bodies that one reads. */
const NUMBERS_A_LIST = 5_000
const DOCUMENTS_A_BATCH = 50
const CHARS_A_BATCH = 1_000_000

/** Batches of documents in order, of one repository or of all. Documents that change meanwhile appear as they are when read. */
export async function* exportDocuments(index: Index, repoId?: number): AsyncGenerator<Document[]> {
  const { results } = await index.database
    .prepare('SELECT repository FROM repositories WHERE repo_id = coalesce(?1, repo_id) ORDER BY repo_id')
    .bind(repoId ?? null)
    .all<{ repository: number }>()
  for (const { repository } of results) {
    for (const type of DOCUMENT_TYPES) yield* exportType(index, repository, type)
  }
}

async function* exportType(index: Index, repository: number, type: DocumentType): AsyncGenerator<Document[]> {
  for (let after: Listed | undefined; ;) {
    const listed = await listNumbers(index, repository, type, after)
    for (const batch of toBatches(listed)) {
      const read = await readStoredDocuments(index, batch)
      yield read.map(({ document }) => document)
    }
    if (listed.length < NUMBERS_A_LIST) return
    after = listed.at(-1)
  }
}

interface Listed {
  readonly document: number
  readonly chars: number
  /** The identity's first and second part; the second is empty where it has one. */
  readonly first: string | number
  readonly second: string
}

async function listNumbers(
  { database }: Index,
  repository: number,
  type: DocumentType,
  after: Listed | undefined,
): Promise<Listed[]> {
  const [first, second] = specOf(type).identity.map((name) => FIELDS[name].column)
  const { results } = await database
    .prepare(
      `SELECT document, body_chars AS chars, ${first} AS first, ${second ?? `''`} AS second FROM documents
       WHERE repository = ?1 AND type = ?2 AND deleted_at IS NULL AND ${first} IS NOT NULL
         AND (?3 IS NULL OR (${first}, ${second ?? `''`}) > (?3, ?4))
       ORDER BY ${first}, ${second ?? `''`} LIMIT ${NUMBERS_A_LIST}`,
    )
    .bind(repository, type, after?.first ?? null, after?.second ?? '')
    .all<Listed>()
  return results
}

/** Numbers in order, few enough for the memory that their bodies take. */
function toBatches(listed: readonly Listed[]): number[][] {
  const batches: number[][] = []
  let batch: number[] = []
  let chars = 0
  for (const one of listed) {
    if (batch.length === DOCUMENTS_A_BATCH || (batch.length > 0 && chars + one.chars > CHARS_A_BATCH)) {
      batches.push(batch)
      batch = []
      chars = 0
    }
    batch.push(one.document)
    chars += one.chars
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
