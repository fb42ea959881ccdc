/**
 * The Durable Object that holds one user's messages. It owns the database, turns
 * what storage throws into refusals, answers a change only once it is durable,
 * and keeps one alarm for all that is due later: messages that expire, a store
 * that has grown too many tombstones, a rebuild in slices, vectors.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Failure } from '../base/failure.ts'
import type { Log } from '../base/log.ts'
import { ok, refuse, type Result } from '../base/result.ts'
import type { MessageLine } from '../contracts/messages/message-lines.ts'
import type { DeleteMessageArguments } from '../contracts/tools/delete-message.ts'
import type { ReadMessagesAnswer } from '../contracts/tools/read-messages-answers.ts'
import type { ReadMessagesArguments } from '../contracts/tools/read-messages.ts'
import type { RebuildIndexAnswer } from '../contracts/tools/rebuild-index.ts'
import type { SearchMessagesArguments } from '../contracts/tools/search-messages.ts'
import type { UpdateMessageArguments } from '../contracts/tools/update-message.ts'
import type { WriteMessageArguments } from '../contracts/tools/write-message.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import { Io, type Database } from './store/message-database.ts'
import { deleteExpired, deleteMessage, deleteSession, nextExpiry } from './changes/delete.ts'
import { dropOtherIndexes } from './store/message-index.ts'
import { findMessages } from './search/find-messages.ts'
import { readHealth } from './maintenance/store-health.ts'
import { MAX_ALARM_DELAY_MS, REBUILD_RETRY_MS, RETRY_MS } from './limits.ts'
import { QuestionVectors } from './search/question-vectors.ts'
import { isOneStep, needsRebuild, Rebuild, type RebuildSummary } from './maintenance/rebuild-store.ts'
import { toStorageFailure } from './store/storage-failure.ts'
import { putLastError, openStore, readStore } from './store/store-state.ts'
import { exportPage, importMessages } from './changes/transfer.ts'
import { updateMessage } from './changes/update.ts'
import { VectorWork } from './vectors/embed-messages.ts'
import { readView } from './views/read-view.ts'
import { writeMessage } from './changes/write.ts'

/** What an object is given by whoever deploys it. */
export interface ObjectParts {
  readonly now: () => number
  readonly log: Log
  /** One that weighs nothing when none is configured: then nothing about vectors is done or sent. */
  readonly embedder: Embedder
}

/** A rebuild in slices, and whoever waits for its end. */
interface Slices {
  readonly rebuild: Rebuild
  readonly done: PromiseWithResolvers<Result<RebuildSummary>>
}

export abstract class MessageObject<Env> extends DurableObject<Env> {
  readonly #database: Database
  readonly #log: Log
  readonly #vectors: VectorWork
  readonly #questions: QuestionVectors
  #slices: Slices | undefined
  /** When the alarm is set for, as far as this instance knows, in Unix ms. */
  #alarmAt: number | undefined
  /** After what was due has failed, it is left alone until then, in Unix ms; and the same for a rebuild that is owed. */
  #alarmNotBefore = 0
  #rebuildNotBefore = 0
  /** What kept the store from being opened. */
  #closed: Failure | undefined

  constructor(ctx: DurableObjectState, env: Env, { now, log, embedder }: ObjectParts) {
    super(ctx, env)
    this.#log = log
    this.#database = {
      sql: ctx.storage.sql,
      io: new Io(),
      transaction: (work) => ctx.storage.transactionSync(work),
      now,
    }
    this.#vectors = new VectorWork(this.#database, embedder, log)
    this.#questions = new QuestionVectors(this.#database, embedder, log)
    this.#closed = this.#open()
    if (this.#closed === undefined && this.#nextDue() !== undefined) {
      void ctx.blockConcurrencyWhile(() => this.#keepAlarm())
    }
  }

  async write(args: WriteMessageArguments) {
    return this.#change((database) => writeMessage(database, args))
  }

  async update(args: UpdateMessageArguments) {
    return this.#change((database) => updateMessage(database, args))
  }

  async delete(args: DeleteMessageArguments) {
    return this.#change((database) => deleteMessage(database, args))
  }

  async deleteSession(sessionId: string) {
    return this.#change((database) => deleteSession(database, sessionId))
  }

  async importMessages(messages: readonly MessageLine[]) {
    return this.#change((database) => importMessages(database, messages))
  }

  async read(args: ReadMessagesArguments): Promise<Result<ReadMessagesAnswer>> {
    return this.#look((database) => readView(database, args))
  }

  async search(args: SearchMessagesArguments) {
    const asked = await this.#answer(async () => ok(await this.#questions.embed(args.query)))
    return asked.ok ? this.#look((database) => findMessages(database, args, asked.value)) : asked
  }

  async exportPage(after: number) {
    return this.#look((database) => ok(exportPage(database, after)))
  }

  /** As it is: even what has expired and is not deleted yet counts as it stands. */
  async health() {
    return this.#answer(() => ok(readHealth(this.#database)))
  }

  async rebuild(): Promise<Result<RebuildIndexAnswer>> {
    const rebuilt = await this.#answer(() => {
      this.#expire()
      return this.#rebuild()
    })
    return rebuilt.ok ? ok({ status: 'OK', ...rebuilt.value }) : rebuilt
  }

  /** The platform calls this at the time that was set, again and again while it throws. */
  override async alarm(): Promise<void> {
    this.#alarmAt = undefined
    const again = this.#database.now() + RETRY_MS
    if (this.#slices === undefined) {
      const expired = await this.#answer(() => ok(this.#expire()))
      this.#alarmNotBefore = expired.ok ? 0 : again
      const rebuilt = await this.#answer(() => this.#rebuildIfOwed())
      // One that is put off is fine by itself, and stays put off.
      if (!rebuilt.ok) this.#rebuildNotBefore = again
    } else if (!this.#slice(this.#slices).ok) this.#rebuildNotBefore = again
    if (this.#slices === undefined) this.#makeVectors()
    await this.#setAlarm()
  }

  /** Runs a change and answers once it is durable. */
  async #change<T>(work: (database: Database) => Result<T>): Promise<Result<T>> {
    const answer = await this.#answer(() => {
      this.#expire()
      return work(this.#database)
    })
    await this.#keepAlarm()
    await this.ctx.storage.sync()
    return answer
  }

  #look<T>(work: (database: Database) => Result<T>): Promise<Result<T>> {
    return this.#answer(() => {
      this.#expire()
      return work(this.#database)
    })
  }

  #rebuildIfOwed(): Result<object> {
    if (!needsRebuild(this.#database) || this.#database.now() < this.#rebuildNotBefore) return ok({})
    const rebuilt = this.#rebuild()
    if (!(rebuilt instanceof Promise)) return rebuilt
    // Slices are the business of alarms that follow, who say how they end; this one cannot wait for them.
    rebuilt.catch(() => undefined)
    return ok({})
  }

  /** What is due is done before anybody looks, should the alarm be late. */
  #expire(): void {
    const due = nextExpiry(this.#database)
    if (due !== undefined && due <= this.#database.now()) deleteExpired(this.#database)
  }

  /** What keeps the store from being opened, if anything does. Meaning is a help, and keeps nobody from the messages. */
  #open(): Failure | undefined {
    try {
      openStore(this.#database)
      // What a rebuild had made when the object was stopped is of no use.
      dropOtherIndexes(this.#database, readStore(this.#database).generation)
    } catch (error) {
      return this.#toFailure(error)
    }
    try {
      this.#vectors.begin()
    } catch (error) {
      this.#log.error('vectors_not_begun', { evidence: String(error) })
    }
    return undefined
  }

  async #answer<T>(work: () => Result<T> | Promise<Result<T>>): Promise<Result<T>> {
    if (this.#closed !== undefined) this.#closed = this.#open()
    if (this.#closed !== undefined) return refuse(this.#closed)
    if (this.#slices !== undefined) return refuse(REBUILDING)
    try {
      return await work()
    } catch (error) {
      return refuse(this.#toFailure(error))
    }
  }

  /** Throws what is a bug. */
  #toFailure(error: unknown): Failure {
    const failure = toStorageFailure(error)
    if (failure === undefined) throw error
    this.#log.error('store_failed', { code: failure.code, evidence: String(error) })
    try {
      putLastError(this.#database, failure.message)
    } catch {
      // A store that takes nothing any more can't keep why; the log has it.
    }
    return failure
  }

  #rebuild(): Result<RebuildSummary> | Promise<Result<RebuildSummary>> {
    if (isOneStep(readStore(this.#database))) return ok(Rebuild.inOneStep(this.#database))
    const done = Promise.withResolvers<Result<RebuildSummary>>()
    this.#slices = { rebuild: new Rebuild(this.#database), done }
    return this.#setAlarm().then(
      () => done.promise,
      (error: unknown) => {
        this.#dropSlices()
        throw error
      },
    )
  }

  /** Refuses when the rebuild has failed, which whoever waits for it hears too. */
  #slice({ rebuild, done }: Slices): Result<object> {
    try {
      const rebuilt = rebuild.step()
      if (rebuilt === undefined) return ok({})
      this.#slices = undefined
      done.resolve(ok(rebuilt))
      return ok({})
    } catch (error) {
      this.#dropSlices()
      try {
        const refused = refuse(this.#toFailure(error))
        done.resolve(refused)
        return refused
      } catch (bug) {
        done.reject(bug)
        throw bug
      }
    }
  }

  #dropSlices(): void {
    this.#slices?.rebuild.drop()
    this.#slices = undefined
  }

  /** Begins what no alarm waits for, so that none is late for it. */
  #makeVectors(): void {
    this.#vectors
      .processPending()
      .then((wasDue) => (wasDue ? this.#keepAlarm() : undefined))
      .catch((error: unknown) => this.#log.error('vectors_not_settled', { evidence: String(error) }))
  }

  /** The same where nothing hangs on it: a change stands, whether or not the alarm could be set after it. */
  async #keepAlarm(): Promise<void> {
    await this.#setAlarm().catch((error: unknown) => this.#log.error('alarm_not_set', { evidence: String(error) }))
  }

  /** Sets the one alarm for whatever is due first. */
  async #setAlarm(): Promise<void> {
    const due = this.#nextDue()
    if (due === undefined) return
    const at = Math.min(due, this.#database.now() + MAX_ALARM_DELAY_MS)
    if (this.#alarmAt !== undefined && this.#alarmAt <= at) return
    this.#alarmAt = at
    try {
      await this.ctx.storage.setAlarm(at)
    } catch (error) {
      this.#alarmAt = undefined
      throw error
    }
  }

  /** Unix ms. */
  #nextDue(): number | undefined {
    if (this.#closed !== undefined) return undefined
    const now = this.#database.now()
    if (this.#slices !== undefined) return now
    const dues = [nextExpiry(this.#database), this.#vectors.nextDue()].filter((due) => due !== undefined)
    if (needsRebuild(this.#database)) dues.push(Math.max(now, this.#rebuildNotBefore))
    return dues.length === 0 ? undefined : Math.max(Math.min(...dues), now, this.#alarmNotBefore)
  }
}

const REBUILDING: Failure = {
  code: 'BUSY',
  message: 'The message store is being rebuilt and answers again when it is done.',
  retryAfterMs: REBUILD_RETRY_MS,
}
