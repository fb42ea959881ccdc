/**
 * Brings a local database to the newest schema: migrations/*.sql in order of
 * name, each whole or not at all, recorded in the table that wrangler uses too.
 * A database that has been further than these files is refused, never touched.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok, refuse, type Result } from '../../../src/base/result.ts'

/** What this file needs of a D1 database. */
export interface MigratableDatabase {
  prepare(sql: string): MigratableStatement
}
interface MigratableStatement {
  bind(...values: unknown[]): MigratableStatement
  run(): Promise<unknown>
  all<Row>(): Promise<{ results: Row[] }>
}

const RECORD = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** Applies what is missing and answers with the names applied now. Throws only for a migration that is itself wrong. */
export async function migrate(database: MigratableDatabase, folder: string): Promise<Result<readonly string[]>> {
  await database.prepare(RECORD).run()
  const { results } = await database.prepare('SELECT name FROM d1_migrations ORDER BY id').all<{ name: string }>()
  const applied = new Set(results.map((row) => row.name))
  const known = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const foreign = [...applied].find((name) => !known.includes(name))
  if (foreign !== undefined) {
    return refuse({
      code: 'CONFLICT',
      message: `The database is newer than this version: it has the migration ${foreign}, which this version does not know.`,
      hint: 'Update the code, or use another data folder with --data DIR.',
    })
  }
  const missing = known.filter((name) => !applied.has(name))
  for (const name of missing) await applyOne(database, name, readFileSync(join(folder, name), 'utf8'))
  return ok(missing)
}

/** The file and its record are one statement list, which D1 runs in one transaction; parameters go to the last. */
async function applyOne(database: MigratableDatabase, name: string, sql: string): Promise<void> {
  await database.prepare(`${sql}\nINSERT INTO d1_migrations (name) VALUES (?)`).bind(name).run()
}
