/**
 * The SQLite database of one user's messages, as the rest of the store sees it:
 * SQL, a transaction and a clock. Whoever owns the object provides it; tests
 * reopen one to see what survives.
 */

/** A value SQLite keeps; bytes come back as an ArrayBuffer. */
export type Value = string | number | null | Uint8Array

/** Logical writes since this instance of the object started; reads and changes without effect never count. */
export class Io {
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
  readonly io: Io
  /** Runs work that commits as a whole, or, when it throws, not at all. */
  transaction<T>(work: () => T): T
  /** Unix ms. */
  readonly now: () => number
}

/** What is stored breaks a rule that every write keeps. Thrown, because no caller can go on. */
export class StoreDamage extends Error {
  /** The message that is damaged, if it is one. */
  readonly messageId: string | undefined

  constructor(problem: string, messageId?: string) {
    super(problem)
    this.messageId = messageId
  }
}

/** The rows of a statement. They are read at once. */
export function rows<Shape extends object>(database: Database, statement: string, ...values: Value[]): Shape[] {
  return database.sql.exec(statement, ...values).toArray() as unknown as Shape[]
}

/** The first row, if there is one. */
export function row<Shape extends object>(
  database: Database,
  statement: string,
  ...values: Value[]
): Shape | undefined {
  return rows<Shape>(database, statement, ...values)[0]
}

/** A statement whose rows nobody reads. */
export function run(database: Database, statement: string, ...values: Value[]): void {
  database.sql.exec(statement, ...values)
}
