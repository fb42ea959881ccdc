/**
 * The SQLite database of one user's messages: statements, a transaction, a clock
 * and counters of writes. The Durable Object provides it.
 */

/** A value that SQLite stores. Bytes are read back as an ArrayBuffer. */
export type StoredValue = string | number | null | Uint8Array

/** Counts of changes since this instance of the object started. Reads, and changes without effect, are not counted. */
export class WriteCounters {
  writeBytes = 0
  writeCalls = 0
  flushCalls = 0
  replaceCalls = 0

  recordWrite(calls: number, bytes: number): void {
    this.writeCalls += calls
    this.writeBytes += bytes
    this.flushCalls += 1
  }

  recordRebuild(): void {
    this.replaceCalls += 1
    this.flushCalls += 1
  }
}

export interface Database {
  readonly sql: SqlStorage
  readonly io: WriteCounters
  /** Commits all statements of the work; none if it throws. */
  transaction<T>(work: () => T): T
  /** Unix ms. */
  readonly now: () => number
}

/** Stored data violates a rule that every write keeps. Thrown, because the caller cannot continue. */
export class StoreDamage extends Error {
  /** The damaged message; undefined when the damage is elsewhere. */
  readonly messageId: string | undefined

  constructor(problem: string, messageId?: string) {
    super(problem)
    this.messageId = messageId
  }
}

/** Runs a statement and reads all its rows into memory. */
export function rows<Shape extends object>(database: Database, statement: string, ...values: StoredValue[]): Shape[] {
  return database.sql.exec(statement, ...values).toArray() as unknown as Shape[]
}

/** Runs a statement and returns its first row. */
export function row<Shape extends object>(
  database: Database,
  statement: string,
  ...values: StoredValue[]
): Shape | undefined {
  return rows<Shape>(database, statement, ...values)[0]
}

/** Runs one or more statements without reading rows. */
export function run(database: Database, statement: string, ...values: StoredValue[]): void {
  database.sql.exec(statement, ...values)
}
