import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packCounts, packSequence } from '../../../src/fts/packed-terms.ts'
import { rankCandidates, type Candidate, type ReferenceKind } from '../../../src/ranking/documents/rank-documents.ts'
import { runs } from '../../support/runs.ts'

const CORPUS = { chunks: 1000, length: 10_000 }
const FREQUENCIES = new Map([
  ['rare', 3],
  ['common', 600],
  ['src', 500],
  ['hook', 40],
  ['index', 300],
])

/** `12.0 rare rare common /src/hook`: document and sequence, the words, the path's words. */
function chunk(notation: string, type: Candidate['type'] = 'doc'): Candidate {
  const [place = '', ...words] = notation.split(' ')
  const [document, sequence] = place.split('.').map(Number)
  const path = words.at(-1)?.startsWith('/') ? (words.pop() ?? '').slice(1).split('/') : []
  const counts = new Map<string, number>()
  for (const word of [...words, ...path]) counts.set(word, (counts.get(word) ?? 0) + 1)
  return {
    chunk: document! * 8192 + (sequence ?? 0),
    type,
    length: 10,
    terms: packCounts(counts),
    forms: '',
    pathTerms: packSequence(path),
  }
}

/** The documents found, best first, as `document.sequence`; the question is as long as if it had `length` words. */
function ranked(
  question: string,
  chunks: readonly Candidate[],
  hits: Record<number, ReferenceKind[]> = {},
  length = question.split(' ').length,
): string {
  const words = question.split(' ')
  const rankedQuestion = { terms: words.map((term) => ({ term, weight: 1 })), words: length, pathWords: words }
  const referenceHits = new Map(
    Object.entries(hits).map(([document, references]) => [Number(document) * 8192, references]),
  )
  const order = rankCandidates(rankedQuestion, FREQUENCIES, CORPUS, chunks, referenceHits)
  return order.map((entry) => `${entry.document}.${entry.chunk % 8192}`).join(' ')
}

test.each<[string, string, string[], string]>([
  ['a rare word outweighs a common one', 'rare common', ['1 common', '2 rare'], '2.0 1.0'],
  ['repetition counts, less and less', 'rare', ['1 rare', '2 rare rare rare'], '2.0 1.0'],
  ['all words outweigh one repeated', 'rare hook', ['1 rare rare rare rare', '2 rare hook'], '2.0 1.0'],
  ['the best chunk stands for its document', 'rare', ['1.0 common', '1.3 rare rare', '2 rare'], '1.3 2.0'],
  ['equal scores go by number', 'rare', ['9 rare', '4 rare', '6 rare'], '4.0 6.0 9.0'],
  ['a chunk without the words is last, not lost', 'rare', ['1 other', '2 rare'], '2.0 1.0'],
  ['a named path outweighs a mention', 'hook index', ['1 hook index hook', '2 /src/hook/index'], '2.0 1.0'],
  ['a path with the words in order goes first', 'hook index', ['1 /index/src/hook', '2 /src/hook/index'], '2.0 1.0'],
  ['a shorter path says more', 'hook', ['1 /src/a/b/c/hook', '2 /src/hook'], '2.0 1.0'],
])('In a ranking of documents, %s.', (_, question, chunks, expected) => {
  expect(
    ranked(
      question,
      chunks.map((notation) => chunk(notation)),
    ),
  ).toBe(expected)
})

test('Exact references precede words, the more exact first.', () => {
  const chunks = ['1 rare', '2 common', '3 other', '4 other', '5 other'].map((notation) => chunk(notation))
  expect(ranked('rare', chunks, { 2: ['phrase'], 3: ['name'], 4: ['number'], 5: ['number', 'comment'] })).toBe(
    '5.0 4.0 3.0 2.0 1.0',
  )
})

test('Several phrases precede one, then the score decides.', () => {
  const chunks = ['1 rare', '2 common', '3 rare rare'].map((notation) => chunk(notation))
  expect(ranked('rare common', chunks, { 1: ['phrase'], 2: ['phrase', 'phrase'], 3: ['phrase'] })).toBe('2.0 3.0 1.0')
})

test('In a question that is a text, a phrase or a version raises the score, and a number or a path still comes first.', () => {
  const chunks = ['1 rare rare hook', '2 rare', '3 rare', '4 rare', '5 other'].map((notation) => chunk(notation))
  const hits: Record<number, ReferenceKind[]> = { 2: ['phrase'], 3: ['version'], 5: ['number'] }
  expect(ranked('rare hook', chunks, hits, 12)).toBe('5.0 1.0 3.0 2.0 4.0')
  expect(ranked('rare hook', chunks, hits, 11)).toBe('5.0 3.0 2.0 1.0 4.0')
  expect(ranked('rare hook', chunks, { 4: ['path'] }, 12)).toBe('4.0 1.0 2.0 3.0 5.0')
})

test('A word that a text repeats counts more than one that it has once; in a short question it does not.', () => {
  const order = (words: number) => {
    const terms = [
      { term: 'hook', weight: 1, times: 4 },
      { term: 'rare', weight: 1 },
    ]
    const candidates = [chunk('1 rare'), chunk('2 hook')]
    const found = rankCandidates({ terms, words, pathWords: [] }, FREQUENCIES, CORPUS, candidates, new Map())
    return found.map(({ document }) => document)
  }
  expect(order(12)).toEqual([2, 1])
  expect(order(11)).toEqual([1, 2])
})

/** The score of a chunk four times the average length. */
function scoreOfLong(type: Candidate['type'], words = 1): number {
  const rankedQuestion = { terms: [{ term: 'rare', weight: 1 }], words, pathWords: [] }
  const candidates = [{ ...chunk('1 rare', type), length: 40 }]
  return rankCandidates(rankedQuestion, FREQUENCIES, CORPUS, candidates, new Map())[0]!.score
}

test('Length counts less in a discussion than in a page, for a short question.', () => {
  expect(scoreOfLong('issue', 6)).toBeGreaterThan(scoreOfLong('doc', 6))
  expect(scoreOfLong('issue', 7)).toBe(scoreOfLong('doc', 7))
})

test('An empty index and an unknown word give scores of 0.', () => {
  const rankedQuestion = { terms: [{ term: 'unknown', weight: 1 }], words: 1, pathWords: [] }
  expect(rankCandidates(rankedQuestion, new Map(), { chunks: 0, length: 0 }, [], new Map())).toEqual([])
  const [only] = rankCandidates(rankedQuestion, new Map(), { chunks: 0, length: 0 }, [chunk('1 unknown')], new Map())
  expect(Number.isFinite(only?.score)).toBe(true)
})

test('The order does not depend on that of the candidates, and each document occurs once.', () => {
  const word = fc.constantFrom('rare', 'common', 'hook', 'other')
  const place = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 3 }))
  const chunks = fc.uniqueArray(fc.tuple(place, fc.array(word, { maxLength: 5 })), {
    selector: ([at]) => at.join('.'),
    maxLength: 12,
  })
  fc.assert(
    fc.property(chunks, (made) => {
      const candidates = made.map(([at, words]) => chunk([at.join('.'), ...words].join(' ')))
      const order = ranked('rare hook', candidates)
      expect(ranked('rare hook', candidates.toReversed())).toBe(order)
      const documents = order === '' ? [] : order.split(' ').map((entry) => entry.split('.')[0])
      expect(new Set(documents)).toEqual(new Set(made.map(([[document]]) => String(document))))
      expect(documents).toHaveLength(new Set(documents).size)
    }),
    { numRuns: runs(200) },
  )
})

/** A diff of commit `a`, whose patch has this number. */
function diffOf(notation: string, patch: number, commitChunks = 4): Candidate {
  return { ...chunk(notation, 'diff'), commitSha: 'a', commitChunks, patch }
}

test('Of the copies that a commit changes alike one keeps its place, and the others come last.', () => {
  const copies = ['1 rare rare', '2 rare rare', '3 rare rare'].map((notation) => diffOf(notation, 7))
  const others = [diffOf('4 rare', 8), chunk('5 rare'), chunk('6 other')]
  expect(ranked('rare', [...copies, ...others])).toBe('1.0 4.0 5.0 6.0 2.0 3.0')
})

test('A copy that an exact reference names comes first.', () => {
  const copies = ['1 rare rare', '2 rare'].map((notation) => diffOf(notation, 7))
  expect(ranked('rare', [...copies, chunk('3 rare')], { 2: ['path'] })).toBe('2.0 3.0 1.0')
})

test('Copies do not enlarge their commit.', () => {
  const scoreOf = (files: readonly Candidate[]) => {
    const question = { terms: ['rare', 'hook', 'index'].map((term) => ({ term, weight: 1 })), words: 3, pathWords: [] }
    return rankCandidates(question, FREQUENCIES, CORPUS, files, new Map())[0]!.score
  }
  const original = diffOf('1 rare hook', 7, 1)
  const copied = ['1 rare hook', '2 rare hook', '3 rare hook'].map((notation) => diffOf(notation, 7, 3))
  expect(scoreOf(copied)).toBe(scoreOf([original]))
})

test('The same patch in two commits, and a diff without a patch, are no copies.', () => {
  const other = { ...diffOf('2 rare', 7), commitSha: 'b' }
  const empty = ['3 rare', '4 rare'].map((notation) => ({ ...diffOf(notation, 0), patch: null }))
  expect(ranked('rare', [diffOf('1 rare', 7), other, ...empty, chunk('5 common')])).toBe('1.0 2.0 3.0 4.0 5.0')
})

test('The chunk that scores best represents a document that a key finds, a phrase its own chunk.', () => {
  const chunks = ['1.0 common', '1.1 rare', '2 rare rare'].map((notation) => chunk(notation))
  expect(ranked('rare', chunks, { 1: ['number'] })).toBe('1.1 2.0')
  expect(ranked('rare', chunks, { 1: ['phrase'] })).toBe('1.0 2.0')
})

test('A mention raises the score of every chunk of its document, and is no exact reference.', () => {
  const chunks = ['1.0 other', '1.1 rare', '2 rare', '3 rare rare'].map((notation) => chunk(notation))
  expect(ranked('rare', chunks, { 2: ['mention'] })).toBe('2.0 3.0 1.1')
  expect(ranked('rare', chunks, { 1: ['mention'], 2: ['name'] })).toBe('2.0 1.1 3.0')
})
