/** A store written by the previous version is upgraded when it is opened. */
import { Buffer } from 'node:buffer'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../../src/memory/store/message-schema.ts'
import { TestStore, value } from '../../support/memory-world.ts'
import { configure, NO_EMBEDDER } from '../../support/message-vectors.ts'
import statements from './version-2-store.json'

type Recorded = string | number | null | { readonly base64: string }

/** Replaces the database of a store by running the recorded statements of version 2 with their values. */
function becomeVersion2(store: TestStore): Promise<void> {
  return runInDurableObject(env.MESSAGES.get(env.MESSAGES.idFromName(store.user)), async (_, state) => {
    await state.storage.deleteAll()
    for (const [statement, ...values] of statements as unknown as [string, ...Recorded[]][]) {
      const bound = values.map((one) =>
        typeof one === 'object' && one !== null ? Buffer.from(one.base64, 'base64') : one,
      )
      state.storage.sql.exec(statement, ...bound).toArray()
    }
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

test('a store of version 2 keeps and finds its messages, accepts new ones and can be rebuilt', async () => {
  configure(NO_EMBEDDER)
  const [store, created] = [new TestStore(), new TestStore()]
  await store.write('replaced below')
  await becomeVersion2(store)
  await store.restart()
  const { history } = value(await store.history())
  expect(history.map(({ content, role, revision }) => [content, role, revision])).toEqual([
    ['heron', 'user', 1],
    ['golden eagle', 'assistant', 2],
    ['once only', 'user', 1],
    ['later, without vectors', 'user', 1],
  ])
  expect(history[1]).toMatchObject({
    metadata: {
      tags: ['bird'],
      memory_tier: 'long',
      memory_kind: 'episode',
      importance: 80,
      relations: [{ type: 'depends_on', message_id: history[0]!.message_id }],
    },
  })
  expect(await store.found('bird')).toEqual(['golden eagle'])
  expect(await store.found('kingfisher')).toHaveLength(1)
  expect(await store.sql('SELECT sequence FROM pending_vectors')).toEqual([{ sequence: 2 }])
  const again = await store.tryWrite('once only', { idempotency_key: 'key-1' })
  expect(value(again).message?.message_id).toBe(history[2]!.message_id)
  // Its words were made by an earlier analysis, and answer until the rebuild.
  expect(await store.health()).toMatchObject({
    status: 'DEGRADED',
    snapshot_valid: false,
    active_messages: 5,
    update_records: 1,
    last_sequence: 8,
  })
  const { message_id } = await store.write('kestrel')
  expect(message_id > history[3]!.message_id).toBe(true)
  expect(await store.found('kestrel')).toEqual(['kestrel'])
  expect(value(await store.rebuild())).toMatchObject({ messages_indexed: 6, records_removed: 2 })
  expect(await store.health()).toMatchObject({ status: 'OK', snapshot_valid: true })
  await created.write('any')
  value(await created.rebuild())
  expect(await schemaOf(store)).toEqual(await schemaOf(created))
})

test.each([SCHEMA_VERSION + 1, 1])(
  'a store of the unknown version %i is not opened and stays unchanged',
  async (version) => {
    const store = new TestStore()
    await store.write('heron')
    await store.sql('UPDATE schema_version SET version = ?', version)
    await store.restart()
    expect(await store.search('heron')).toMatchObject({ ok: false, failure: { code: 'CORRUPT_STORE' } })
    await store.sql('UPDATE schema_version SET version = ?', SCHEMA_VERSION)
    await store.restart()
    expect(await store.found('heron')).toEqual(['heron'])
  },
)
