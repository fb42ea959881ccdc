/** The schema version of the database: the number at the start of its newest migration's file name. */
import type { Index } from './index-database.ts'

/** Throws if the database does not answer or was never migrated. */
export async function readSchemaVersion(index: Index): Promise<number> {
  const statement = index.database.prepare('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1')
  const name = await statement.first<string>('name')
  const version = Number.parseInt(name ?? '', 10)
  if (Number.isNaN(version)) throw new Error('the database has no numbered migration')
  return version
}
