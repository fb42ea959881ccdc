/**
 * Embeds pending messages in the background, one batch at a time. No call waits
 * for the embedder. A message that changes meanwhile is checked again before its
 * vectors are stored.
 */
import type { Log } from '../../base/log.ts'
import { ok } from '../../base/result.ts'
import type { Embedder } from '../../models/embedder/embedder.ts'
import { RETRY_MS } from '../limits.ts'
import type { Database } from '../store/message-database.ts'
import {
  listPending,
  nextPendingAt,
  putEmbedded,
  retryLater,
  useModel,
  type PendingMessage,
} from './pending-embeddings.ts'

/** Time in ms for one batch, enough for a laptop without a graphics card. */
const TIME_LIMIT_MS = 60_000

/** Does nothing when no embedder is configured. */
export class VectorWork {
  readonly #database: Database
  readonly #embedder: Embedder
  readonly #log: Log
  #isRunning = false
  /** After an error of storage, no batch before this time, in Unix ms. */
  #notBefore = 0

  constructor(database: Database, embedder: Embedder, log: Log) {
    this.#database = database
    this.#embedder = embedder
    this.#log = log
  }

  get #isOff(): boolean {
    return this.#embedder.weight === 0
  }

  /** To be called after the store has been opened, before any other method. */
  begin(): void {
    if (!this.#isOff) useModel(this.#database, this.#embedder.model)
  }

  /** Unix ms of the next batch, which may be in the past; undefined when no message is pending. */
  nextDue(): number | undefined {
    if (this.#isOff) return undefined
    // The messages of a running batch stay pending; the alarm resumes them if the object is stopped.
    if (this.#isRunning) return this.#database.now() + RETRY_MS
    const due = nextPendingAt(this.#database)
    return due === undefined ? undefined : Math.max(due, this.#notBefore)
  }

  /** Embeds one batch, or schedules its retry. Logs an error of the batch. Returns whether one was due. */
  async processPending(): Promise<boolean> {
    const due = this.nextDue()
    if (due === undefined || due > this.#database.now()) return false
    this.#isRunning = true
    try {
      await embedBatch(this.#database, this.#embedder, this.#log)
    } catch (error) {
      this.#notBefore = this.#database.now() + RETRY_MS
      this.#log.error('message_vectors_failed', { evidence: String(error) })
    }
    this.#isRunning = false
    return true
  }
}

async function embedBatch(database: Database, embedder: Embedder, log: Log): Promise<void> {
  const pending = listPending(database)
  const texts = pending.flatMap(textsOf)
  const embedded = texts.length === 0 ? ok([]) : await embedder.embed(texts, TIME_LIMIT_MS)
  if (!embedded.ok) {
    retryLater(database, pending)
    log.error('message_vectors_delayed', { messages: pending.length, reason: embedded.failure.message })
    return
  }
  let at = 0
  const done = pending.map((one) => ({
    pending: one,
    vectors: embedded.value.slice(at, (at += one.passages.length)),
  }))
  putEmbedded(database, embedder.model, done)
}

function textsOf({ content, passages }: PendingMessage): string[] {
  return passages.map(({ start, chars }) => content.slice(start, start + chars).trim())
}
