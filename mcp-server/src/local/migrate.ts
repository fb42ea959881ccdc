/**
 * Brings the local index database to the newest schema: the files of
 * migrations/ in order of name, each in one transaction, recorded in the table
 * that wrangler uses too. A database of an earlier schema, made by other files or
 * by these before they were edited, is emptied first; a database that is newer
 * than these files is refused and not changed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../../src/base/hash.ts'
import { ok, refuse, type Result } from '../../../src/base/result.ts'

/** The part of a D1 database that this file uses. */
interface MigratableDatabase {
  prepare(sql: string): MigratableStatement
}
interface MigratableStatement {
  bind(...values: unknown[]): MigratableStatement
  run(): Promise<unknown>
  all<Row>(): Promise<{ results: Row[] }>
}

/** The migrations before 0001_schema.sql. No migration leads from their schema to that one. */
const RETIRED = new Set([
  '0001_index.sql',
  '0002_edges.sql',
  '0003_fresh_words.sql',
  '0004_commits_of_chunks.sql',
  '0005_vectors.sql',
])

const RECORD = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** Wrangler, and earlier versions, record no digest. */
const HAS_DIGESTS = `SELECT 1 FROM pragma_table_info('d1_migrations') WHERE name = 'digest'`
const ADD_DIGESTS = 'ALTER TABLE d1_migrations ADD COLUMN digest TEXT'

interface Recorded {
  readonly name: string
  /** Of the file's text. */
  readonly digest: string | null
}

export interface Migrated {
  /** Names of the files applied now. */
  readonly applied: readonly string[]
  /** The database was of an earlier schema, and all its rows are gone. */
  readonly emptied: boolean
}

/** Throws when a migration itself fails; the database is then as it was before that migration. */
export async function migrate(database: MigratableDatabase, folder: string): Promise<Result<Migrated>> {
  const recorded = await readRecord(database)
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const files = new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const newer = recorded.find(({ name }) => !files.has(name) && !RETIRED.has(name))?.name
  if (newer !== undefined) {
    return refuse({
      code: 'CONFLICT',
      message: `The database is newer than this version: it has the migration ${newer}, which this version does not know.`,
      hint: 'Update the code, or use another data folder with --data DIR.',
    })
  }
  const emptied = recorded.some(({ name, digest }) => digest !== toDigest(files.get(name)))
  const applied = new Set(emptied ? [] : recorded.map(({ name }) => name))
  const missing = [...files].filter(([name]) => !applied.has(name))
  let before = emptied ? await readDropSql(database) : ''
  for (const [name, text] of missing) {
    // D1 runs a statement list in one transaction and binds the parameters to its last statement.
    const record = 'INSERT INTO d1_migrations (name, digest) VALUES (?, ?)'
    await database.prepare(`${before}${text}\n${record}`).bind(name, toDigest(text)).run()
    before = ''
  }
  return ok({ applied: missing.map(([name]) => name), emptied })
}

/** The migrations that were applied, oldest first. */
async function readRecord(database: MigratableDatabase): Promise<Recorded[]> {
  await database.prepare(RECORD).run()
  const { results: found } = await database.prepare(HAS_DIGESTS).all()
  if (found.length === 0) await database.prepare(ADD_DIGESTS).run()
  return (await database.prepare('SELECT name, digest FROM d1_migrations ORDER BY id').all<Recorded>()).results
}

/** The same on every system, whose git may write other ends of lines. Undefined for a file that is no longer there. */
function toDigest(text: string | undefined): string | undefined {
  return text === undefined ? undefined : sha256(text.replaceAll('\r\n', '\n'))
}

/**
 * SQL that drops everything but the record of migrations, and empties that.
 * Virtual tables come first, because they drop the tables of their rows too,
 * and of those the vocabulary that reads another one.
 */
async function readDropSql(database: MigratableDatabase): Promise<string> {
  const { results } = await database
    .prepare(
      `SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name <> 'd1_migrations'
       ORDER BY sql LIKE '%fts5vocab%' DESC, sql LIKE 'CREATE VIRTUAL%' DESC`,
    )
    .all<{ type: string; name: string }>()
  const drops = results.map(({ type, name }) => `DROP ${type.toUpperCase()} IF EXISTS "${name}";\n`)
  return `${drops.join('')}DELETE FROM d1_migrations;\n`
}
