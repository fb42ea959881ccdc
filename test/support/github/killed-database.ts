/**
 * A D1 of a process that is killed: after a chosen number of writes it fails,
 * before or after the last of them, and answers nothing more until a new process
 * begins. Statements run on the real database.
 */

export class KilledDatabase {
  readonly database: D1Database
  readonly #originals = new WeakMap<object, D1PreparedStatement>()
  #left = Infinity
  #isAfter = false
  isDead = false

  constructor(real: D1Database) {
    const prepare = (sql: string): D1PreparedStatement => this.#wrap(real.prepare(sql))
    const batch = (statements: D1PreparedStatement[]): Promise<unknown> =>
      this.#write(() => real.batch(statements.map((statement) => this.#originals.get(statement) ?? statement)))
    this.database = { prepare, batch } as unknown as D1Database
  }

  /** The process dies at its write number `writes` from now on, counted from 1. */
  killAt(writes: number, isAfter: boolean): void {
    this.#left = writes
    this.#isAfter = isAfter
  }

  /** A new process begins; true if the one before was killed. */
  restart(): boolean {
    const wasDead = this.isDead
    this.#left = Infinity
    this.isDead = false
    return wasDead
  }

  #wrap(real: D1PreparedStatement): D1PreparedStatement {
    const alive = <Value>(act: () => Promise<Value>): Promise<Value> =>
      this.isDead ? Promise.reject(new Error('the process is dead')) : act()
    const wrapped = {
      bind: (...values: unknown[]) => this.#wrap(real.bind(...values)),
      first: (column?: string) => alive(() => (column === undefined ? real.first() : real.first(column))),
      all: () => alive(() => real.all()),
      raw: () => alive(() => real.raw()),
      run: () => this.#write(() => real.run()),
    } as unknown as D1PreparedStatement
    this.#originals.set(wrapped, real)
    return wrapped
  }

  async #write<Value>(act: () => Promise<Value>): Promise<Value> {
    if (this.isDead) throw new Error('the process is dead')
    this.#left -= 1
    if (this.#left > 0) return act()
    this.isDead = true
    if (this.#isAfter) await act()
    throw new Error('the process is killed')
  }
}
