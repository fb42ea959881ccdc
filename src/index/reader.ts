/**
 * Reads of one D1 database. One `read` is one round trip and one transaction.
 * `together` runs several parts of a request side by side and sends what they
 * read at the same time in one round trip; each part is written as if it were
 * alone.
 */
import { consoleLog } from '../base/log.ts'
import { ok, refuse } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import { MAX_ERROR_CHARS } from './limits.ts'

/** SQL text and the values of its parameters, in order. */
export interface SqlStatement {
  readonly text: string
  readonly values: readonly (string | number | null)[]
}

export type Row = Readonly<Record<string, unknown>>

/** Rows of each statement of one round trip, in order of the statements. */
type Rows = readonly (readonly Row[])[]

type Batch = (statements: readonly SqlStatement[]) => Promise<Rows>

/** A part of a request that reads the index. */
type ReadPart<T> = (reader: IndexReader) => Promise<T>

type PartValues<Parts> = { readonly [K in keyof Parts]: Parts[K] extends ReadPart<infer T> ? T : never }

/** The statements of one part, which waits for their rows. */
interface PendingRead {
  readonly statements: readonly SqlStatement[]
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

export class IndexReader {
  readonly #batch: Batch

  constructor(batch: Batch) {
    this.#batch = batch
  }

  /**
   * Runs the statements in one round trip, or in none if there is no statement.
   * A failed read is UNAVAILABLE, never an empty answer: it is no evidence that
   * anything is absent.
   */
  async read(statements: readonly SqlStatement[]): Promise<Result<Rows>> {
    if (statements.length === 0) return ok([])
    try {
      return ok(await this.#batch(statements))
    } catch (error) {
      const message = error instanceof Error ? error.message.slice(0, MAX_ERROR_CHARS) : 'unknown'
      consoleLog.error('index_read_failed', { message })
      return refuse({
        code: 'UNAVAILABLE',
        message: 'The index could not be read, so its content is unknown.',
        hint: 'Try again in a moment.',
      })
    }
  }

  /**
   * Runs the parts and resolves to their values, in order, when all are done. A
   * round trip starts when every part that still runs waits for one, so a part
   * that waits for something else, such as a model, delays the others. A round
   * trip that fails is made again for each part alone: one part's bad statement
   * fails that part only.
   */
  async together<const Parts extends readonly ReadPart<unknown>[]>(...parts: Parts): Promise<PartValues<Parts>> {
    let running = parts.length
    let pending: PendingRead[] = []
    const sendWhenAllWait = (): void => {
      if (pending.length < running) return
      const reads = pending
      pending = []
      if (reads.length > 0) void this.#send(reads)
    }
    const shared = new IndexReader(
      (statements) =>
        new Promise((resolve, reject) => {
          pending.push({ statements, resolve, reject })
          sendWhenAllWait()
        }),
    )
    const run = async (part: ReadPart<unknown>): Promise<unknown> => {
      try {
        return await part(shared)
      } finally {
        running -= 1
        sendWhenAllWait()
      }
    }
    return (await Promise.all(parts.map(run))) as PartValues<Parts>
  }

  async #send(reads: readonly PendingRead[]): Promise<void> {
    const sendAlone = ({ statements, resolve, reject }: PendingRead) => this.#batch(statements).then(resolve, reject)
    if (reads.length === 1) return void reads.map(sendAlone)
    try {
      const rows = await this.#batch(reads.flatMap(({ statements }) => statements))
      let at = 0
      for (const { statements, resolve } of reads) resolve(rows.slice(at, (at += statements.length)))
    } catch {
      await Promise.all(reads.map(sendAlone))
    }
  }
}

/** A reader of one database: each read is one `batch()`. */
export function readerOf(database: D1Database): IndexReader {
  return new IndexReader(async (statements) => {
    const results = await database.batch<Row>(
      statements.map(({ text, values }) => database.prepare(text).bind(...values)),
    )
    return results.map((result) => result.results ?? [])
  })
}
