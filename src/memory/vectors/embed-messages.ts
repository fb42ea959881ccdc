/**
 * Making the vectors that messages owe, a batch at a time: texts to the embedder,
 * its vectors into the store. Nobody waits for it, for an embedder may take long;
 * what changes meanwhile is looked at again before anything is put.
 */
import type { Log } from '../../base/log.ts'
import { ok } from '../../base/result.ts'
import type { Embedder } from '../../models/embedder/embedder.ts'
import type { Database } from '../store/message-database.ts'
import { RETRY_MS } from '../limits.ts'
import {
  useModel,
  listPending,
  nextPendingAt,
  retryLater,
  putEmbedded,
  type PendingMessage,
} from './pending-embeddings.ts'

/** What the embedder may take for one of its own batches, on a laptop without a graphics card too. */
const TIME_LIMIT_MS = 60_000

/** With an embedder that weighs nothing no method does anything. */
export class VectorWork {
  readonly #database: Database
  readonly #embedder: Embedder
  readonly #log: Log
  #isUnderWay = false
  /** Unix ms; after the store has failed it is left alone until then. */
  #notBefore = 0

  constructor(database: Database, embedder: Embedder, log: Log) {
    this.#database = database
    this.#embedder = embedder
    this.#log = log
  }

  get #isOff(): boolean {
    return this.#embedder.weight === 0
  }

  /** Comes before all else, when the store has been opened. */
  begin(): void {
    if (!this.#isOff) useModel(this.#database, this.#embedder.model)
  }

  /** Unix ms from which there is something to do, which may be past; undefined when there is nothing. */
  nextDue(): number | undefined {
    if (this.#isOff) return undefined
    // A batch that is under way is owed still, should the object be stopped.
    if (this.#isUnderWay) return this.#database.now() + RETRY_MS
    const due = nextPendingAt(this.#database)
    return due === undefined ? undefined : Math.max(due, this.#notBefore)
  }

  /** Settles one batch, or puts it off; true when something was due. Never throws. */
  async processPending(): Promise<boolean> {
    const due = this.nextDue()
    if (due === undefined || due > this.#database.now()) return false
    this.#isUnderWay = true
    try {
      await embedBatch(this.#database, this.#embedder, this.#log)
    } catch (error) {
      this.#notBefore = this.#database.now() + RETRY_MS
      this.#log.error('message_vectors_failed', { evidence: String(error) })
    }
    this.#isUnderWay = false
    return true
  }
}

async function embedBatch(database: Database, embedder: Embedder, log: Log): Promise<void> {
  const pending = listPending(database)
  const texts = pending.flatMap(textsOf)
  const embedded = texts.length === 0 ? ok([]) : await embedder.embed(texts, TIME_LIMIT_MS)
  if (!embedded.ok) {
    retryLater(database, pending)
    log.error('message_vectors_put_off', { messages: pending.length, reason: embedded.failure.message })
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
