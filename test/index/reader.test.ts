import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { IndexReader, readerOf } from '../../src/index/reader.ts'

/** A reader that answers each statement with its text, and the texts of its round trips. */
function recording(fails: (texts: readonly string[]) => boolean = () => false) {
  const trips: string[][] = []
  const reader = new IndexReader((statements) => {
    const texts = statements.map(({ text }) => text)
    trips.push(texts)
    return fails(texts) ? Promise.reject(new Error('no')) : Promise.resolve(texts.map((text) => [{ text }]))
  })
  return { reader, trips }
}

/** Reads the texts one after the other, each in a round trip of its own; the texts that came back, or the failure's code. */
const reads =
  (...texts: string[]) =>
  async (reader: IndexReader): Promise<string> => {
    const found: unknown[] = []
    for (const text of texts) {
      const read = await reader.read([{ text, values: [] }])
      if (!read.ok) return read.failure.code
      found.push(read.value[0]?.[0]?.['text'])
    }
    return found.join(' ')
  }

test('parts that read at the same time share their round trips', async () => {
  const { reader, trips } = recording()
  expect(await reader.together(reads('a1', 'a2', 'a3'), reads('b1'), reads('c1', 'c2'), reads())).toEqual([
    'a1 a2 a3',
    'b1',
    'c1 c2',
    '',
  ])
  expect(trips).toEqual([['a1', 'b1', 'c1'], ['a2', 'c2'], ['a3']])
})

test('a round trip waits for a part that waits for something else', async () => {
  const { reader, trips } = recording()
  const late = async (part: IndexReader) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return reads('late')(part)
  }
  expect(await reader.together(reads('a1', 'a2'), late)).toEqual(['a1 a2', 'late'])
  expect(trips).toEqual([['a1', 'late'], ['a2']])
})

test('a round trip that fails is made again for each part alone', async () => {
  const { reader, trips } = recording((texts) => texts.includes('bad'))
  expect(await reader.together(reads('a1', 'a2'), reads('bad', 'never'), reads('c1'))).toEqual([
    'a1 a2',
    'UNAVAILABLE',
    'c1',
  ])
  expect(trips).toEqual([['a1', 'bad', 'c1'], ['a1'], ['bad'], ['c1'], ['a2']])
})

test('parts within parts share their round trips too', async () => {
  const { reader, trips } = recording()
  expect(await reader.together((part) => part.together(reads('a1'), reads('b1', 'b2')), reads('c1', 'c2'))).toEqual([
    ['a1', 'b1 b2'],
    'c1 c2',
  ])
  expect(trips.map((trip) => trip.toSorted())).toEqual([
    ['a1', 'b1', 'c1'],
    ['b2', 'c2'],
  ])
})

test('a read of no statements makes no round trip', async () => {
  const { reader, trips } = recording()
  expect(await reader.read([])).toEqual({ ok: true, value: [] })
  expect(trips).toEqual([])
})

test('a reader of a database binds values and returns rows by statement', async () => {
  const reader = readerOf(env.DB)
  expect(
    await reader.read([
      { text: 'SELECT ? AS a, ? AS b', values: ['x', 1] },
      { text: 'SELECT 1 WHERE 0', values: [] },
    ]),
  ).toEqual({ ok: true, value: [[{ a: 'x', b: 1 }], []] })
  expect(await reader.read([{ text: 'SELECT * FROM nowhere', values: [] }])).toMatchObject({
    ok: false,
    failure: { code: 'UNAVAILABLE' },
  })
})
