/**
 * Which messages owe vectors. All that are newer than a mark of the store do, so
 * a write costs nothing more; those before the mark do when they are listed,
 * because they say something else now or because the embedder failed. After a
 * failure nothing is tried for a while, longer each time.
 */
import { chunksOf } from '../../text/chunks.ts'
import { row, rows, run, type Database } from '../store/message-database.ts'
import { readStore } from '../store/store-state.ts'
import { markVectorsPending, putVectors, type MessageVectors, type VectorChunk } from './message-vectors.ts'

/** Chunks of a message that get vectors, the first ones: some 38,000 characters. Words find all of it. */
export const MAX_VECTOR_CHUNKS = 32

/** Bounds of one batch: messages; texts unless one message has more; UTF-16 units of contents that are held meanwhile. */
const BATCH_MESSAGES = 64
const BATCH_TEXTS = 64
const BATCH_CHARS = 2 * 1024 * 1024

/** Doubles with each failure, in ms. */
const FIRST_DELAY_MS = 60_000
const MOST_DELAY_MS = 60 * 60_000

/** A stretch of the content that says something. */
export type Passage = Pick<VectorChunk, 'start' | 'chars'>

/** A message as it was when it was listed. */
export interface PendingMessage {
  readonly sequence: number
  readonly session: number
  readonly content: string
  readonly passages: readonly Passage[]
}

/** With another model than the last one every message owes vectors, and those that are there go. */
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

/** Unix ms from which the next message may be embedded, 0 for at once; undefined when none owes anything. */
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

/** Messages for one batch. One that failed before comes alone, so that it can hold up no other. */
export function listPending(database: Database): PendingMessage[] {
  const now = database.now()
  const { vectors_upto, vectors_not_before } = readStore(database)
  if (vectors_not_before > now) return []
  const [late] = rows<Listed>(
    database,
    `SELECT m.sequence, m.session, m.content FROM pending_vectors o CROSS JOIN messages m ON m.sequence = o.sequence
    WHERE o.failures > 0 AND o.due_at <= ? ORDER BY o.failures, o.due_at LIMIT 1`,
    now,
  )
  if (late !== undefined) return [toPending(late)]
  const pending: PendingMessage[] = []
  let [texts, chars] = [0, 0]
  // Read one by one: contents may be large.
  for (const listed of listInOrder(database, vectors_upto)) {
    const one = toPending(listed)
    texts += one.passages.length
    chars += one.content.length
    if (pending.length > 0 && (texts > BATCH_TEXTS || chars > BATCH_CHARS)) break
    pending.push(one)
    if (pending.length === BATCH_MESSAGES) break
  }
  return pending
}

/** Those that were changed, then the new ones without a gap, so that the mark can move over them. */
function* listInOrder(database: Database, upto: number): Iterable<Listed> {
  yield* database.sql.exec(
    `SELECT m.sequence, m.session, m.content FROM pending_vectors o CROSS JOIN messages m ON m.sequence = o.sequence
    WHERE o.failures = 0`,
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

/** What came of one message: a vector for each passage, undefined for what the embedder would not take. */
export interface EmbeddedMessage {
  readonly pending: PendingMessage
  readonly vectors: readonly (Float32Array | undefined)[]
}

/**
 * Puts the vectors that the model made. What it would not take is not asked for
 * again; a message that says something else by now owes still, and one that is
 * gone owes nothing.
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
    moveOn(database, embedded)
    run(database, 'UPDATE store SET vectors_failures = 0, vectors_not_before = 0')
  })
}

/** The embedder did not answer: these are listed for later, and all others wait a while too. */
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
    moveOn(
      database,
      pending.map((one) => ({ pending: one })),
    )
    const failures = readStore(database).vectors_failures + 1
    run(database, 'UPDATE store SET vectors_failures = ?, vectors_not_before = ?', failures, now + delayMs(failures))
  })
}

function delayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MOST_DELAY_MS)
}

/** Undefined when the message is gone. */
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

/** From here on these owe nothing but what is listed. */
function moveOn(database: Database, asked: readonly Pick<EmbeddedMessage, 'pending'>[]): void {
  const last = asked.reduce((most, { pending }) => Math.max(most, pending.sequence), 0)
  run(database, 'UPDATE store SET vectors_upto = max(vectors_upto, ?)', last)
}
