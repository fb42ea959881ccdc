import * as fc from 'fast-check'
import { CHUNKS_PER_DOCUMENT } from '../../src/fts/chunk-number.ts'
import { expect, test } from 'vitest'
import { CHUNK_CHARS, OVERLAP_CHARS, chunksOf } from '../../src/text/chunks.ts'
import { runs } from '../support/runs.ts'

function starts(body: string, form: 'prose' | 'patch' = 'prose'): string[] {
  return chunksOf(body, form).map(({ start }) => body.slice(start, start + 12))
}

const line = (words: number): string => 'word '.repeat(words)

const hunk = (name: string): string => `@@ -1 +1 @@ ${name}\n${`+${line(10)}\n`.repeat(12)}`

test('An empty body is one chunk.', () => {
  expect(chunksOf('', 'prose')).toEqual([{ start: 0, chars: 0 }])
})

test('Short blocks stay in one chunk.', () => {
  expect(chunksOf('# A\n\none\n\n# B\n\ntwo\n', 'prose')).toHaveLength(1)
})

test('A body is cut before a heading if possible.', () => {
  expect(starts(`# A\n\n${line(120)}\n\n${line(40)}\n\n# B\n\n${line(200)}`)).toEqual([
    '# A\n\nword wo',
    '# B\n\nword wo',
  ])
})

test('A patch is cut between hunks if possible.', () => {
  expect(starts(hunk('one') + hunk('two') + hunk('three'), 'patch')).toEqual([
    '@@ -1 +1 @@ ',
    '@@ -1 +1 @@ ',
    '@@ -1 +1 @@ ',
  ])
})

test.each(['a', '\n', 'ab\n\n', '# a\n', '。', '😀', '\t', 'x'.repeat(1199) + '\n'])(
  '1 MiB of %j has a bounded number of chunks.',
  (unit) => {
    const body = unit.repeat(Math.ceil(1_048_576 / unit.length)).slice(0, 1_048_576)
    expect(chunksOf(body, 'prose').length).toBeLessThanOrEqual(CHUNKS_PER_DOCUMENT)
    expect(chunksOf(body, 'patch').length).toBeLessThanOrEqual(CHUNKS_PER_DOCUMENT)
  },
)

test('A longer body has longer chunks, not more.', () => {
  expect(chunksOf('# a\n'.repeat(3_000_000), 'prose').length).toBeLessThanOrEqual(CHUNKS_PER_DOCUMENT)
})

const block = fc.oneof(
  fc.constantFrom('\n', '\n\n', '# h\n', '@@ -1 +1 @@\n', '+added\n', ' ', '。'),
  fc.integer({ min: 1, max: 900 }).map((chars) => 'w'.repeat(chars)),
  fc.integer({ min: 1, max: 700 }).map((chars) => '😀'.repeat(chars)),
)

test('Chunks cover the body in order, with little overlap and whole surrogate pairs.', () => {
  fc.assert(
    fc.property(
      fc.array(block, { maxLength: 30 }),
      fc.constantFrom('prose' as const, 'patch' as const),
      (blocks, form) => {
        const body = blocks.join('')
        const chunks = chunksOf(body, form)
        let end = 0
        for (const { start, chars } of chunks) {
          expect(start).toBeLessThanOrEqual(end)
          expect(end - start).toBeLessThanOrEqual(OVERLAP_CHARS + 1)
          expect(chars).toBeLessThanOrEqual(CHUNK_CHARS)
          expect(body.slice(start, start + chars).isWellFormed()).toBe(true)
          expect(start + chars > end || body === '').toBe(true)
          end = start + chars
        }
        expect(end).toBe(body.length)
      },
    ),
    { numRuns: runs(300) },
  )
})
