/**
 * The database of the index: one D1 database. D1 runs a `batch()` as one
 * transaction and has no other transactions.
 */

export interface Index {
  readonly database: D1Database
}

/**
 * The schema version: the number at the start of the newest migration's file
 * name. Throws if the database does not answer or was never migrated.
 */
export async function readSchemaVersion({ database }: Index): Promise<number> {
  const statement = database.prepare('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1')
  const name = await statement.first<string>('name')
  const version = Number.parseInt(name ?? '', 10)
  if (Number.isNaN(version)) throw new Error('the database has no numbered migration')
  return version
}
