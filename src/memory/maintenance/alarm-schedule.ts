/**
 * Schedules the one alarm of a message store for its four kinds of due work. It
 * decides what runs and when; it reads no table and runs no work itself.
 *
 * | work    | due                                 | run                               | after a failure                             |
 * | ------- | ----------------------------------- | --------------------------------- | ------------------------------------------- |
 * | expiry  | when the next message expires       | deletes all expired messages      | the next alarm waits RETRY_MS               |
 * | rebuild | at once if the store needs one      | in one step, or starts the slices | the next rebuild waits RETRY_MS             |
 * | slice   | at once while a sliced rebuild runs | one slice of the rebuild          | it is dropped, the next one waits RETRY_MS  |
 * | vectors | when the vector work says           | starts one batch without waiting  | the vector work retries with its own delays |
 *
 * While a rebuild runs in slices, only the next slice is due.
 */
import { MAX_ALARM_DELAY_MS, RETRY_MS } from '../limits.ts'

/**
 * The work of a store. Times are Unix ms, undefined for none. A run returns false
 * when it failed and the store has reported why. It throws for a bug.
 */
export interface DueWork {
  /** False when the store could not be opened: then no work is due. */
  isOpen(): boolean
  nextExpiry(): number | undefined
  deleteExpired(): Promise<boolean>
  needsRebuild(): boolean
  rebuildIfNeeded(): Promise<boolean>
  /** Whether a rebuild runs in slices. */
  isRebuilding(): boolean
  runSlice(): boolean
  nextEmbedding(): number | undefined
  startEmbedding(): void
}

/** The platform's alarm and clock; both in Unix ms. */
interface AlarmClock {
  now(): number
  setAlarm(at: number): Promise<void>
}

export class AlarmSchedule {
  readonly #work: DueWork
  readonly #clock: AlarmClock
  /** Time of the alarm that this instance set last, in Unix ms; undefined when it knows of none. */
  #setFor: number | undefined
  /** After expiry failed, no alarm before this time. */
  #notBefore = 0
  /** After a rebuild failed, no rebuild before this time. */
  #rebuildNotBefore = 0

  constructor(work: DueWork, clock: AlarmClock) {
    this.#work = work
    this.#clock = clock
  }

  /** Runs the due work and sets the next alarm. To be called when the alarm fires. */
  async run(): Promise<void> {
    this.#setFor = undefined
    const now = this.#clock.now()
    if (this.#work.isRebuilding()) {
      if (!this.#work.runSlice()) this.#rebuildNotBefore = now + RETRY_MS
    } else {
      this.#notBefore = (await this.#work.deleteExpired()) ? 0 : now + RETRY_MS
      const mayRebuild = now >= this.#rebuildNotBefore
      if (mayRebuild && !(await this.#work.rebuildIfNeeded())) this.#rebuildNotBefore = now + RETRY_MS
    }
    if (!this.#work.isRebuilding()) this.#work.startEmbedding()
    await this.set()
  }

  /** Sets the alarm for the earliest due work. An alarm that is set for an earlier time stays. */
  async set(): Promise<void> {
    const due = this.nextDue()
    if (due === undefined) return
    const at = Math.min(due, this.#clock.now() + MAX_ALARM_DELAY_MS)
    if (this.#setFor !== undefined && this.#setFor <= at) return
    this.#setFor = at
    try {
      await this.#clock.setAlarm(at)
    } catch (error) {
      this.#setFor = undefined
      throw error
    }
  }

  /** Unix ms of the earliest due work, never in the past; undefined when there is none. */
  nextDue(): number | undefined {
    if (!this.#work.isOpen()) return undefined
    const now = this.#clock.now()
    if (this.#work.isRebuilding()) return now
    const dues = [this.#work.nextExpiry(), this.#work.nextEmbedding()].filter((due) => due !== undefined)
    if (this.#work.needsRebuild()) dues.push(this.#rebuildNotBefore)
    return dues.length === 0 ? undefined : Math.max(Math.min(...dues), now, this.#notBefore)
  }
}
