/**
 * Tracks which messages have pending vectors. All messages after `vectors_upto`
 * do, so a write has no further cost. Messages up to it do when they are listed
 * in `pending_vectors`: because they changed, or because the embedder failed. After
 * a failure the embedder is called again after a delay that doubles each time.
 */
import { chunksOf } from '../../text/chunks.ts'
import {
  MAX_BATCH_CHARS,
  MAX_BATCH_MESSAGES,
  MAX_BATCH_PASSAGES,
  MAX_EMBEDDING_DELAY_MS,
  MAX_VECTOR_CHUNKS,
} from '../limits.ts'
import { row, rows, run, type Database } from '../store/message-database.ts'
import { readStore } from '../store/store-state.ts'
import { markVectorsPending, putVectors, type MessageVectors, type VectorChunk } from './message-vectors.ts'

/** Delay in ms after the first failure. */
const FIRST_DELAY_MS = 60_000

/** A range of the content that is not blank. */
type Passage = Pick<VectorChunk, 'start' | 'chars'>

/** A message in the state in which it was listed. */
export interface PendingMessage {
  readonly sequence: number
  readonly session: number
  readonly content: string
  readonly passages: readonly Passage[]
}

/** Sets the model of the vectors. If it differs from the stored one, all vectors are deleted and become pending. */
export function useModel(database: Database, model: string): void {
  if (readStore(database).vectors_model === model) return
  database.transaction(() => {
    for (const table of ['vectors', 'sketches', 'pending_vectors']) run(database, `DELETE FROM ${table}`)
    run(
      database,
      'UPDATE store SET vectors_model = ?, vectors_upto = 0, vectors_failures = 0, vectors_not_before = 0',
      model,
    )
  })
}

/** Unix ms from which a message may be embedded, 0 for now; undefined when no message is pending. */
export function nextPendingAt(database: Database): number | undefined {
  const { vectors_upto, vectors_not_before } = readStore(database)
  const due = row<{ due: number | null }>(
    database,
    `SELECT CASE WHEN EXISTS (SELECT 1 FROM messages WHERE sequence > ? AND deleted = 0) THEN 0
      ELSE (SELECT min(due_at) FROM pending_vectors) END AS due`,
    vectors_upto,
  )?.due
  return due == null ? undefined : Math.max(due, vectors_not_before)
}

type Listed = Omit<PendingMessage, 'passages'>

/** The messages of the next batch. A message that failed before is a batch alone, so that it cannot make others fail. */
export function listPending(database: Database): PendingMessage[] {
  const now = database.now()
  const { vectors_upto, vectors_not_before } = readStore(database)
  if (vectors_not_before > now) return []
  const [failed] = rows<Listed>(
    database,
    `SELECT m.sequence, m.session, m.content FROM pending_vectors p CROSS JOIN messages m ON m.sequence = p.sequence
    WHERE p.failures > 0 AND p.due_at <= ? ORDER BY p.failures, p.due_at LIMIT 1`,
    now,
  )
  if (failed !== undefined) return [toPending(failed)]
  const pending: PendingMessage[] = []
  let [passages, chars] = [0, 0]
  // Read one row at a time: contents may be large.
  for (const listed of listInOrder(database, vectors_upto)) {
    const one = toPending(listed)
    passages += one.passages.length
    chars += one.content.length
    if (pending.length > 0 && (passages > MAX_BATCH_PASSAGES || chars > MAX_BATCH_CHARS)) break
    pending.push(one)
    if (pending.length === MAX_BATCH_MESSAGES) break
  }
  return pending
}

/** Changed messages, then new ones in order without a gap, so that vectors_upto can advance over them. */
function* listInOrder(database: Database, upto: number): Iterable<Listed> {
  yield* database.sql.exec(
    `SELECT m.sequence, m.session, m.content FROM pending_vectors p CROSS JOIN messages m ON m.sequence = p.sequence
    WHERE p.failures = 0`,
  ) as unknown as Iterable<Listed>
  yield* database.sql.exec(
    `SELECT m.sequence, m.session, m.content FROM messages m
    WHERE m.sequence > ? AND m.deleted = 0 ORDER BY m.sequence`,
    upto,
  ) as unknown as Iterable<Listed>
}

function toPending({ sequence, session, content }: Listed): PendingMessage {
  const passages = chunksOf(content, 'prose')
    .slice(0, MAX_VECTOR_CHUNKS)
    .filter(({ start, chars }) => content.slice(start, start + chars).trim() !== '')
  return { sequence, session, content, passages }
}

/** The vectors of a message, one for each passage; undefined for a passage that the embedder did not accept. */
interface EmbeddedMessage {
  readonly pending: PendingMessage
  readonly vectors: readonly (Float32Array | undefined)[]
}

/**
 * Stores the vectors of a batch. A passage that the embedder did not accept is not
 * tried again. A message whose content changed meanwhile stays pending; one that
 * was deleted is skipped. Does nothing when the model has changed.
 */
export function putEmbedded(database: Database, model: string, embedded: readonly EmbeddedMessage[]): void {
  database.transaction(() => {
    if (readStore(database).vectors_model !== model) return
    const unchanged: EmbeddedMessage[] = []
    for (const one of embedded) {
      const content = contentOf(database, one.pending)
      if (content === one.pending.content) unchanged.push(one)
      else if (content !== undefined) markVectorsPending(database, one.pending.sequence)
    }
    putVectors(database, unchanged.map(toVectors))
    advance(database, embedded)
    run(database, 'UPDATE store SET vectors_failures = 0, vectors_not_before = 0')
  })
}

/** After the embedder failed: lists the messages for a retry, and delays the next call of the embedder. */
export function retryLater(database: Database, pending: readonly PendingMessage[]): void {
  database.transaction(() => {
    const now = database.now()
    for (const { sequence } of pending) {
      const before = row<{ failures: number }>(
        database,
        'SELECT failures FROM pending_vectors WHERE sequence = ?',
        sequence,
      )
      const failures = (before?.failures ?? 0) + 1
      run(
        database,
        `INSERT OR REPLACE INTO pending_vectors SELECT sequence, ?, ? FROM messages WHERE sequence = ? AND deleted = 0`,
        failures,
        now + delayMs(failures),
        sequence,
      )
    }
    advance(
      database,
      pending.map((one) => ({ pending: one })),
    )
    const failures = readStore(database).vectors_failures + 1
    run(database, 'UPDATE store SET vectors_failures = ?, vectors_not_before = ?', failures, now + delayMs(failures))
  })
}

function delayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_EMBEDDING_DELAY_MS)
}

/** Undefined for a message that is deleted. */
function contentOf(database: Database, { sequence }: PendingMessage): string | undefined {
  return row<{ content: string }>(database, 'SELECT content FROM messages WHERE sequence = ? AND deleted = 0', sequence)
    ?.content
}

function toVectors({ pending: { sequence, session, passages }, vectors }: EmbeddedMessage): MessageVectors {
  const chunks = passages.flatMap((passage, at) => {
    const vector = vectors[at]
    return vector === undefined ? [] : [{ ...passage, vector }]
  })
  return { sequence, session, chunks }
}

/** Advances vectors_upto over the messages, so that they are pending only if listed. */
function advance(database: Database, batch: readonly Pick<EmbeddedMessage, 'pending'>[]): void {
  const last = batch.reduce((highest, { pending }) => Math.max(highest, pending.sequence), 0)
  run(database, 'UPDATE store SET vectors_upto = max(vectors_upto, ?)', last)
}
