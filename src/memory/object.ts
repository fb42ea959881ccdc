/**
 * The Durable Object of one user's messages. Its public methods are the store's
 * operations over RPC. It opens the database, turns storage errors into
 * refusals, and answers a change only after the change is durable. The schedule of
 * its alarm is in maintenance/alarm-schedule.ts.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Failure } from '../base/failure.ts'
import type { Log } from '../base/log.ts'
import { ok, refuse, type Result } from '../base/result.ts'
import type { MessageLine } from '../contracts/messages/message-lines.ts'
import type { DeleteMessageArguments } from '../contracts/tools/delete-message.ts'
import type { ReadMessagesArguments } from '../contracts/tools/read-messages.ts'
import type { RebuildIndexAnswer } from '../contracts/tools/rebuild-index.ts'
import type { SearchMessagesArguments } from '../contracts/tools/search-messages.ts'
import type { UpdateMessageArguments } from '../contracts/tools/update-message.ts'
import type { WriteMessageArguments } from '../contracts/tools/write-message.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import { deleteExpired, nextExpiry } from './changes/delete-expired.ts'
import { deleteMessage, deleteSession } from './changes/delete.ts'
import { exportPage, importMessages } from './changes/transfer.ts'
import { updateMessage } from './changes/update.ts'
import { writeMessage } from './changes/write.ts'
import { REBUILD_RETRY_MS, RETRY_MS } from './limits.ts'
import { AlarmSchedule, type DueWork } from './maintenance/alarm-schedule.ts'
import { SlicedRebuild } from './maintenance/sliced-rebuild.ts'
import { needsRebuild } from './maintenance/rebuild-store.ts'
import { readHealth } from './maintenance/store-health.ts'
import { findMessages, listMessages } from './search/find-messages.ts'
import { readMemoryQuestion } from './search/message-question.ts'
import { QuestionVectors } from './search/question-vectors.ts'
import { WriteCounters, type Database } from './store/message-database.ts'
import { dropOtherIndexes } from './store/message-index.ts'
import { toStorageFailure } from './store/storage-failure.ts'
import { openStore, putLastError, readStore } from './store/store-state.ts'
import { VectorWork } from './vectors/embed-messages.ts'
import { readView } from './views/read-view.ts'

/** The parts that the deployment provides. */
export interface ObjectParts {
  readonly now: () => number
  readonly log: Log
  /** Weight 0 means that none is configured: then no vector is stored and no text is sent. */
  readonly embedder: Embedder
}

export abstract class MessageObject<Env> extends DurableObject<Env> {
  readonly #database: Database
  readonly #log: Log
  readonly #vectors: VectorWork
  readonly #questions: QuestionVectors
  readonly #rebuild: SlicedRebuild
  readonly #schedule: AlarmSchedule
  /** Why the store could not be opened; undefined when it is open. */
  #closed: Failure | undefined

  constructor(ctx: DurableObjectState, env: Env, { now, log, embedder }: ObjectParts) {
    super(ctx, env)
    this.#log = log
    this.#database = {
      sql: ctx.storage.sql,
      io: new WriteCounters(),
      transaction: (work) => ctx.storage.transactionSync(work),
      now,
    }
    this.#vectors = new VectorWork(this.#database, embedder, log)
    this.#questions = new QuestionVectors(this.#database, embedder, log)
    this.#rebuild = new SlicedRebuild(this.#database, (error) => this.#toFailure(error))
    this.#schedule = new AlarmSchedule(this.#dueWork(), { now, setAlarm: (at) => ctx.storage.setAlarm(at) })
    this.#closed = this.#open()
    if (this.#schedule.nextDue() !== undefined) void ctx.blockConcurrencyWhile(() => this.#trySetAlarm())
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

  async read(args: ReadMessagesArguments) {
    return this.#read((database) => readView(database, args))
  }

  async search(args: SearchMessagesArguments) {
    const { query } = args
    if (query === undefined) return this.#read((database) => listMessages(database, args))
    const question = readMemoryQuestion(query)
    const embedded = await this.#answer(async () => ok(await this.#questions.embed(query, question)))
    if (!embedded.ok) return embedded
    const { vector, warning } = embedded.value
    const found = await this.#read((database) => findMessages(database, { ...args, query }, question, vector))
    return found.ok && warning !== undefined ? ok({ warnings: [warning], ...found.value }) : found
  }

  async exportPage(after: number) {
    return this.#read((database) => ok(exportPage(database, after)))
  }

  /** Changes nothing: a message that has expired and is not deleted yet counts as active. */
  async health() {
    return this.#answer(() => ok(readHealth(this.#database)))
  }

  async rebuild(): Promise<Result<RebuildIndexAnswer>> {
    const rebuilt = await this.#answer(() => {
      this.#expire()
      return this.#startRebuild()
    })
    return rebuilt.ok ? ok({ status: 'OK', ...rebuilt.value }) : rebuilt
  }

  /** The platform calls this at the time of the alarm, and again while it throws. */
  override async alarm(): Promise<void> {
    await this.#schedule.run()
  }

  /** Runs a change and answers after it is durable. A change is kept even if the alarm could not be set after it. */
  async #change<T>(work: (database: Database) => Result<T>): Promise<Result<T>> {
    const answer = await this.#read(work)
    await this.#trySetAlarm()
    await this.ctx.storage.sync()
    return answer
  }

  /** Deletes expired messages first, because the alarm may be late. */
  #read<T>(work: (database: Database) => Result<T>): Promise<Result<T>> {
    return this.#answer(() => {
      this.#expire()
      return work(this.#database)
    })
  }

  /** Runs work on an open store. Refuses when the store cannot be opened, is being rebuilt, or storage fails. */
  async #answer<T>(work: () => Result<T> | Promise<Result<T>>): Promise<Result<T>> {
    if (this.#closed !== undefined) this.#closed = this.#open()
    if (this.#closed !== undefined) return refuse(this.#closed)
    if (this.#rebuild.isRunning) return refuse(REBUILDING)
    try {
      return await work()
    } catch (error) {
      return refuse(this.#toFailure(error))
    }
  }

  /** Returns why the store could not be opened. A failure of the vectors does not keep it closed. */
  #open(): Failure | undefined {
    try {
      openStore(this.#database)
      // A rebuild that was cut off may have left the tables of the next generation.
      dropOtherIndexes(this.#database, readStore(this.#database).generation)
    } catch (error) {
      return this.#toFailure(error)
    }
    try {
      this.#vectors.begin()
    } catch (error) {
      this.#log.error('vectors_not_started', { evidence: String(error) })
    }
    return undefined
  }

  /** Logs an error of storage and keeps it for get_system_health. Rethrows any other error: it is a bug. */
  #toFailure(error: unknown): Failure {
    const failure = toStorageFailure(error)
    if (failure === undefined) throw error
    this.#log.error('store_failed', { code: failure.code, evidence: String(error) })
    try {
      putLastError(this.#database, failure.message)
    } catch {
      // The store accepts no write; the log has the error.
    }
    return failure
  }

  #expire(): void {
    const due = nextExpiry(this.#database)
    if (due !== undefined && due <= this.#database.now()) deleteExpired(this.#database)
  }

  #startRebuild() {
    return this.#rebuild.start(() => this.#schedule.set())
  }

  #dueWork(): DueWork {
    return {
      isOpen: () => this.#closed === undefined,
      nextExpiry: () => this.#readOr(this.#later(), () => nextExpiry(this.#database)),
      deleteExpired: async () => (await this.#answer(() => ok(this.#expire()))).ok,
      needsRebuild: () => this.#readOr(false, () => needsRebuild(this.#database)),
      rebuildIfNeeded: async () => (await this.#answer(() => this.#rebuildIfNeeded())).ok,
      isRebuilding: () => this.#rebuild.isRunning,
      runSlice: () => this.#rebuild.runSlice(),
      nextEmbedding: () => this.#readOr(this.#later(), () => this.#vectors.nextDue()),
      startEmbedding: () => this.#startEmbedding(),
    }
  }

  /** Reads a state for the schedule; `otherwise` when storage fails, so that damage for one kind of work stops no other. */
  #readOr<T>(otherwise: T, read: () => T): T {
    try {
      return read()
    } catch (error) {
      this.#toFailure(error)
      return otherwise
    }
  }

  /** Unix ms at which work that failed is due again. */
  #later(): number {
    return this.#database.now() + RETRY_MS
  }

  #rebuildIfNeeded(): Result<object> {
    if (!needsRebuild(this.#database)) return ok({})
    const rebuilt = this.#startRebuild()
    if (!(rebuilt instanceof Promise)) return rebuilt
    // Later alarms run the slices and report how they end.
    rebuilt.catch(() => undefined)
    return ok({})
  }

  /** Starts a batch without waiting for the embedder, so that no alarm is late because of it. */
  #startEmbedding(): void {
    this.#vectors
      .processPending()
      .then((wasDue) => (wasDue ? this.#trySetAlarm() : undefined))
      .catch((error: unknown) => this.#log.error('message_vectors_failed', { evidence: String(error) }))
  }

  async #trySetAlarm(): Promise<void> {
    await this.#schedule.set().catch((error: unknown) => this.#log.error('alarm_not_set', { evidence: String(error) }))
  }
}

const REBUILDING: Failure = {
  code: 'BUSY',
  message: 'The message store is being rebuilt. It answers again when the rebuild is complete.',
  retryAfterMs: REBUILD_RETRY_MS,
}
