/**
 * The rebuild of a store, at most one at a time. A small store is rebuilt in one
 * step. A large one is rebuilt in slices, which the alarm runs one by one, so
 * that other calls get an answer (BUSY) in between.
 */
import type { Failure } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import type { Database } from '../store/message-database.ts'
import { readStore } from '../store/store-state.ts'
import { isOneStep, Rebuild, type RebuildSummary } from './rebuild-store.ts'

interface RebuildInProgress {
  readonly rebuild: Rebuild
  readonly done: PromiseWithResolvers<Result<RebuildSummary>>
}

export class SlicedRebuild {
  readonly #database: Database
  readonly #toFailure: (error: unknown) => Failure
  #sliced: RebuildInProgress | undefined

  /** `toFailure` turns an error of storage into a refusal and rethrows any other. */
  constructor(database: Database, toFailure: (error: unknown) => Failure) {
    this.#database = database
    this.#toFailure = toFailure
  }

  /** Whether a rebuild runs in slices: then no other call may read or change the store. */
  get isRunning(): boolean {
    return this.#sliced !== undefined
  }

  /**
   * Rebuilds a small store before it returns. For a large one it calls `wake` to
   * have the slices run, and resolves after the last one. Throws errors of storage.
   */
  start(wake: () => Promise<void>): Result<RebuildSummary> | Promise<Result<RebuildSummary>> {
    if (isOneStep(readStore(this.#database))) return ok(Rebuild.inOneStep(this.#database))
    const done = Promise.withResolvers<Result<RebuildSummary>>()
    this.#sliced = { rebuild: new Rebuild(this.#database), done }
    return wake().then(
      () => done.promise,
      (error: unknown) => {
        this.#drop()
        throw error
      },
    )
  }

  /** Runs the next slice. False when it failed: the rebuild is dropped and its caller gets the refusal. */
  runSlice(): boolean {
    if (this.#sliced === undefined) return true
    const { rebuild, done } = this.#sliced
    try {
      const summary = rebuild.step()
      if (summary === undefined) return true
      this.#sliced = undefined
      done.resolve(ok(summary))
      return true
    } catch (error) {
      this.#drop()
      try {
        done.resolve(refuse(this.#toFailure(error)))
      } catch (bug) {
        done.reject(bug)
        throw bug
      }
      return false
    }
  }

  #drop(): void {
    this.#sliced?.rebuild.drop()
    this.#sliced = undefined
  }
}
