/** Stores that earlier versions made: each opens as it is, and becomes what a new store is. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { Io, type Database } from '../../../src/memory/store/message-database.ts'
import { createDerived, putDerived } from '../../../src/memory/store/message-search-rows.ts'
import { migrate, MIGRATIONS } from '../../../src/memory/store/message-schema.ts'
import { SIGNALS_VERSION } from '../../../src/memory/store/signals.ts'
import { TestStore, value } from '../../support/memory-world.ts'

const IDS = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW']

/** Two messages in one session, the second with tags and a relation, as version 1 wrote them. */
const ROWS = `
  INSERT INTO store VALUES (1, 'key', 3, '${IDS[1]}', 1, 2, 0, 10, 400, 0, 2, 12, 1, ${SIGNALS_VERSION}, '');
  INSERT INTO sessions VALUES (1, 's', 2, 1469922850259);
  INSERT INTO messages VALUES (1, '${IDS[0]}', 1, 0, 0, 1469922850259, 1469922850259, 1, 'user', 'short', 'conversation',
    50, NULL, NULL, '[]', '[]', '[]', NULL, 120, 5, 'heron');
  INSERT INTO messages VALUES (2, '${IDS[1]}', 1, 1, 0, 1469922850260, 1469922850300, 2, 'assistant', 'long', 'episode',
    80, NULL, NULL, '["bird"]', '[{"type":"depends_on","message_id":"${IDS[0]}"}]', '[]', NULL, 180, 5, 'eagle');
  INSERT INTO relations VALUES (2, 0, 'depends_on', '${IDS[0]}');
  INSERT INTO idempotency VALUES ('key', 'digest', '${IDS[0]}', 1469922850259);
`

/** Version 1's word index and signals, which every later version reads. */
function putWords(database: Database): void {
  createDerived(database, 1)
  const both = { session: 1, summary: undefined } as const
  const first = { role: 'user', content: 'heron', tags: [], memory_tier: 'short', memory_kind: 'conversation' } as const
  putDerived(database, 1, { ...both, ...first, sequence: 1, place: 0 })
  const second = {
    role: 'assistant',
    content: 'eagle',
    tags: ['bird'],
    memory_tier: 'long',
    memory_kind: 'episode',
  } as const
  putDerived(database, 1, { ...both, ...second, sequence: 2, place: 1 })
}

/** What `store` has now is gone, and in its place what this version would have made. */
function become(store: TestStore, version: number): Promise<void> {
  return runInDurableObject(env.MESSAGES.get(env.MESSAGES.idFromName(store.user)), async (_, state) => {
    await state.storage.deleteAll()
    const database: Database = {
      sql: state.storage.sql,
      io: new Io(),
      transaction: (work) => state.storage.transactionSync(work),
      now: Date.now,
    }
    migrate(database, MIGRATIONS.slice(0, 1))
    state.storage.sql.exec(ROWS)
    putWords(database)
    migrate(database, MIGRATIONS.slice(0, version))
  })
}

/** Tables and indexes with their columns. */
async function schemaOf(store: TestStore): Promise<Record<string, unknown>[]> {
  return store.sql(
    `SELECT m.type, m.name, c.name AS column, c.type AS kind, c."notnull", c.dflt_value, c.pk
    FROM sqlite_master m LEFT JOIN pragma_table_info(m.name) c
    WHERE m.name NOT GLOB '_cf_*' AND m.name NOT GLOB 'words_*' ORDER BY m.name, c.cid`,
  )
}

test.each(MIGRATIONS.map((_, at) => at + 1))(
  'a store of version %i opens with everything in place',
  async (version) => {
    const [store, fresh] = [new TestStore(), new TestStore()]
    await become(store, version)
    await store.restart()
    const [first, second] = value(await store.history()).history
    expect(first).toMatchObject({ message_id: IDS[0], content: 'heron', revision: 1, role: 'user' })
    expect(second).toMatchObject({
      message_id: IDS[1],
      content: 'eagle',
      revision: 2,
      updated_at: 1_469_922_850_300,
      metadata: { tags: ['bird'], importance: 80, relations: [{ type: 'depends_on', message_id: IDS[0] }] },
    })
    expect(await store.found('bird')).toEqual(['eagle'])
    const { last_sequence, ...health } = await store.health()
    expect(health).toMatchObject({ status: 'OK', snapshot_valid: true, active_messages: 2, update_records: 1 })
    expect(last_sequence).toBe(3)
    const { message_id } = await store.write('kestrel')
    expect(message_id > IDS[1]!).toBe(true)
    expect(await store.found('kestrel')).toEqual(['kestrel'])
    expect(value(await store.rebuild())).toMatchObject({ messages_indexed: 3, records_removed: 1 })
    await fresh.write('any')
    value(await fresh.rebuild())
    expect(await schemaOf(store)).toEqual(await schemaOf(fresh))
  },
)

test('a store of a version to come is not opened, and stays as it is', async () => {
  const store = new TestStore()
  await store.write('heron')
  await store.sql('UPDATE schema_version SET version = ?', MIGRATIONS.length + 1)
  await store.restart()
  expect(await store.search('heron')).toMatchObject({ ok: false, failure: { code: 'CORRUPT_STORE' } })
  await store.sql('UPDATE schema_version SET version = ?', MIGRATIONS.length)
  await store.restart()
  expect(await store.found('heron')).toEqual(['heron'])
})
