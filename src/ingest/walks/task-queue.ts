/**
 * The order of a run's work. First what has never begun, so that the newest of
 * everything comes before all of anything; then the repository that waited
 * longest, and within it the surface that waited longest. Failed ones come after
 * everything else, so that one trouble blocks nothing.
 */

export interface Task {
  /** Shared by the tasks of one repository. */
  readonly repository: string
  /** Finding out what a name stands for comes before reading. */
  readonly kind: 'name' | 'surface'
  readonly hasBegun: boolean
  readonly hasFailed: boolean
  /** When it was worked on last, Unix milliseconds; 0 for never. */
  readonly lastMs: number
}

export class TaskQueue<One extends Task> {
  #tasks: One[]
  /** When something of a repository was worked on last. */
  readonly #lastOf = new Map<string, number>()

  constructor(tasks: readonly One[]) {
    this.#tasks = []
    for (const task of tasks) this.add(task)
  }

  get isEmpty(): boolean {
    return this.#tasks.length === 0
  }

  add(task: One): void {
    this.#tasks.push(task)
    this.#lastOf.set(task.repository, Math.max(this.#lastOf.get(task.repository) ?? 0, task.lastMs))
  }

  /** Takes the first task out of the queue that is ready; undefined when there is none. */
  take(isReady: (task: One) => boolean): One | undefined {
    const [first, ...others] = this.#tasks.filter(isReady)
    if (first === undefined) return undefined
    const next = others.reduce((best, task) => (this.#compare(task, best) < 0 ? task : best), first)
    this.#tasks = this.#tasks.filter((task) => task !== next)
    return next
  }

  some(isWanted: (task: One) => boolean): boolean {
    return this.#tasks.some(isWanted)
  }

  /** Takes the tasks of a repository out. */
  drop(repository: string): void {
    this.#tasks = this.#tasks.filter((task) => task.repository !== repository)
  }

  #compare(one: One, other: One): number {
    return (
      Number(one.hasFailed) - Number(other.hasFailed) ||
      Number(one.kind === 'surface') - Number(other.kind === 'surface') ||
      Number(one.hasBegun) - Number(other.hasBegun) ||
      (this.#lastOf.get(one.repository) ?? 0) - (this.#lastOf.get(other.repository) ?? 0) ||
      one.lastMs - other.lastMs
    )
  }
}
