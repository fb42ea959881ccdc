/** D1 in production accepts 100 bound parameters in a statement, the local one more. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { ask, guest, owner, put } from '../support/search-world.ts'

const PRODUCTION_PARAMETERS = 100

/** The index, and the most parameters that a statement was bound with. */
function counting() {
  const counted = { most: 0 }
  const database = new Proxy(env.DB, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name).bind(target)
      return (text: string) => {
        const prepared = target.prepare(text)
        const bind = prepared.bind.bind(prepared)
        prepared.bind = (...values: unknown[]) => {
          counted.most = Math.max(counted.most, values.length)
          return bind(...values)
        }
        return prepared
      }
    },
  })
  return { index: { database }, counted }
}

const FILTERS = {
  repo: 'acme/widget',
  author: 'ann',
  path_prefix: 'src',
  file_status: 'modified',
  release: 'v1.0.0',
  since: '2026-01-01',
  until: '2026-12-31',
  top_k: 50,
}
const QUALIFIERS =
  'created:2026-01-01..2026-11-01 no:label -author:bob -label:bug -path:src/old -repo:acme/old -is:issue'
const REFERENCES =
  'acme/widget#1 acme/gadget#2 acme/widget#3 acme/gadget#4 acme/widget#5 src/a.ts 1234567 v1.0.0 "first words"'
const WORDS = Array.from({ length: 20 }, (_, at) => `wrod${'abcdefghijklmnopqrst'[at]}`).join(' ')

beforeAll(() =>
  put([
    { type: 'commit', commit_sha: 'a'.repeat(40), message: 'Words', files: [{ path: 'src/a.ts', status: 'modified' }] },
    { type: 'issue', number: 1, title: 'Words of an issue' },
  ]),
)

test.each([
  ['a question with exact references', { query: `${REFERENCES} ${QUALIFIERS}` }],
  ['a question with unknown words', { query: `${WORDS} ${QUALIFIERS}` }],
  ['a question with linked documents', { query: `words ${QUALIFIERS}`, graph_expand: true, graph_hops: 2 }],
  ['a list', { query: QUALIFIERS }],
])('%s binds no more parameters than production accepts, however many filters it has', async (_, args) => {
  for (const group of ['auto', 'file', 'none']) {
    for (const viewer of [owner, guest]) {
      const { index, counted } = counting()
      await ask({ ...FILTERS, ...args, group }, viewer, index)
      expect(counted.most).toBeGreaterThan(0)
      expect(counted.most).toBeLessThanOrEqual(PRODUCTION_PARAMETERS)
    }
  }
})
