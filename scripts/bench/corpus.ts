/**
 * A generated corpus for measuring cost: documents and questions from a seed, in
 * the page schema. Words follow Zipf's law over an invented vocabulary, so the
 * index has common, middling and rare terms like a real one. It does not measure
 * quality.
 */

/** A line of the page schema. */
export type CorpusLine = Record<string, unknown>

export interface GeneratedCorpus {
  /** Documents number `from` to `to` (exclusive); the same number gives the same document at every size. */
  lines(from: number, to: number): CorpusLine[]
  /** Sixty mixed questions about the first `size` documents. */
  questions(size: number): string[]
  /** Sixty questions of one word each, the most common ones: each is in an eighth of the documents or more. */
  readonly commonWords: readonly string[]
}

export const REPOSITORIES = 50
/** A label on every tenth issue or pull request, and one on every hundredth. */
export const LABEL = 'area: storage'
export const RARE_LABEL = 'area: clocks'
/** Every tenth document is in this repository; the others are spread evenly. */
export const COMMON_REPOSITORY = 'bench/common'
/** Documents are spread evenly over these years; the window is one twentieth of them. */
export const FIRST_MS = Date.UTC(2023, 0, 1)
export const LAST_MS = Date.UTC(2026, 0, 1)
export const WINDOW = { since: '2024-06-01T06:00:00Z', until: '2024-07-25T18:00:00Z' }
/** One day, and half of all time. */
export const RARE_WINDOW = { since: '2024-06-03', until: '2024-06-04' }
export const COMMON_WINDOW = { since: '2024-07-02T06:00:00Z' }

const WORDS = 20_000
const SYLLABLES = 'ba ke di lo mu ra ne si to vu ga pe zi ho du la fe ri no wu cha tre spo gla nim'.split(' ')
const TYPES = [
  'diff',
  'diff',
  'diff',
  'diff',
  'issue',
  'issue',
  'pull_request',
  'issue_comment',
  'issue_comment',
  'doc',
]

export function makeCorpus(seed: number): GeneratedCorpus {
  const line = (at: number): CorpusLine => lineOf(at, randomFrom(seed * 1_000_003 + at))
  return {
    lines: (from, to) => Array.from({ length: to - from }, (_, offset) => line(from + offset)),
    questions: (size) => questionsAbout(line, size, randomFrom(seed)),
    commonWords: Array.from({ length: 60 }, (_, rank) => wordOf(rank)),
  }
}

export type Random = () => number

/** Uniform numbers in [0, 1): the mulberry32 generator. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The word of a rank: three or four syllables, a different word for each rank. */
export function wordOf(rank: number): string {
  const base = SYLLABLES.length
  const digits = [rank % base, Math.floor(rank / base) % base, Math.floor(rank / base ** 2) % base, rank % 7]
  return digits.map((digit) => SYLLABLES[digit]!).join('')
}

/** A rank by Zipf's law with exponent 1: the inverse of its cumulative distribution, approximately. */
function zipf(random: Random): number {
  return Math.min(WORDS - 1, Math.floor(WORDS ** random()) - 1)
}

function sentence(random: Random, words: number): string {
  return Array.from({ length: words }, () => wordOf(zipf(random))).join(' ')
}

function lineOf(at: number, random: Random): CorpusLine {
  const type = TYPES[at % TYPES.length]!
  const time = new Date(FIRST_MS + Math.floor(random() * (LAST_MS - FIRST_MS))).toISOString()
  const common = {
    type,
    repo: Math.floor(at / REPOSITORIES) % 10 === 0 ? COMMON_REPOSITORY : `bench/repository-${at % REPOSITORIES}`,
    body: Array.from({ length: 4 }, () => `${sentence(random, 20)}.`).join('\n\n'),
    author: `user-${zipf(random) % 200}`,
    created_at: time,
    updated_at: time,
  }
  const path = `src/${wordOf(at % 40)}/${wordOf(zipf(random))}-${wordOf(at % 500)}.ts`
  switch (type) {
    case 'diff': {
      const sha = Array.from({ length: 5 }, () =>
        Math.floor(random() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join('')
      return {
        ...common,
        commit_sha: sha,
        file_path: path,
        file_status: 'modified',
        message: sentence(random, 8),
        body: `@@ -1,9 +1,9 @@\n+${common.body.replaceAll('\n\n', '\n+')}`,
      }
    }
    case 'doc':
      return { ...common, doc_path: `docs/${at}/${wordOf(at % 500)}.md` }
    case 'issue_comment':
      return { ...common, number: at + 1, comment_id: at + 1 }
    default:
      return {
        ...common,
        number: at + 1,
        title: sentence(random, 7),
        state: random() < 0.3 ? 'open' : 'closed',
        labels: [`kind-${zipf(random) % 30}`, ...labelsOf(random)],
      }
  }
}

function labelsOf(random: Random): string[] {
  return [...(random() < 0.1 ? [LABEL] : []), ...(random() < 0.01 ? [RARE_LABEL] : [])]
}

function questionsAbout(line: (at: number) => CorpusLine, size: number, random: Random): string[] {
  const some = (type: string): CorpusLine => {
    for (;;) {
      const found = line(Math.floor(random() * size))
      if (found['type'] === type) return found
    }
  }
  const words = (count: number): string => {
    const all = String(some('issue')['body']).split(/\W+/)
    const start = Math.floor(random() * (all.length - count))
    return all.slice(start, start + count).join(' ')
  }
  const kinds: (() => string)[] = [
    () => words(2),
    () => words(4),
    () => words(6),
    () => `how does the ${words(3)} handle ${words(4)} when ${words(3)} is not there`,
    () => `"${words(2)}"`,
    () => `#${String(some('issue')['number'])}`,
    () => String(some('diff')['commit_sha']).slice(0, 7),
    () => String(some('diff')['file_path']),
    () => String(some('diff')['file_path']).split('/').at(-1)!,
    () => words(20),
  ]
  return Array.from({ length: 60 }, (_, at) => kinds[at % kinds.length]!())
}
