import { expect, test } from 'vitest'
import { tableEmbedder } from '../../../src/models/embedder/table.ts'

const embedder = tableEmbedder(0.25)

async function similarity(a: string, b: string): Promise<number> {
  const embedded = await embedder.embed([a, b], 1000)
  const [x, y] = embedded.ok ? embedded.value : []
  expect([x, y]).not.toContain(undefined)
  return Array.from(x ?? []).reduce((sum, value, at) => sum + value * (y?.[at] ?? 0), 0)
}

test.each([
  ['Which pet did she adopt?', 'My sister got a puppy last week', 'The train to Berlin was late again'],
  ['illness of my father', 'Dad is in hospital with a fever', 'The invoice is due on Friday'],
  ['what music do I like', 'I play the guitar and sing in a band', 'We repaired the roof of the house'],
])('%s is nearer to "%s" than to "%s"', async (question, near, far) => {
  expect(await similarity(question, near)).toBeGreaterThan(await similarity(question, far))
})

test('vectors have unit length, in the order of the texts', async () => {
  const embedded = await embedder.embed(['a puppy', '天気', '12 34', 'A PUPPY!'], 1000)
  const vectors = embedded.ok ? embedded.value : []
  expect(vectors.map((vector) => vector && Math.hypot(...vector))).toEqual([
    expect.closeTo(1, 5),
    undefined,
    undefined,
    expect.closeTo(1, 5),
  ])
  expect(vectors[0]).toEqual(vectors[3])
  expect(vectors[0]).toHaveLength(embedder.dimensions)
})
