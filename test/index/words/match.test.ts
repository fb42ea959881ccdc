import { CHUNKS_PER_DOCUMENT } from '../../../src/fts/chunk-number.ts'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Document } from '../../../src/documents/document.ts'
import { CANDIDATE_RANK } from '../../../src/index/words/candidates.ts'
import { referenceMatches, termsMatch } from '../../../src/index/words/match.ts'
import { toWordRows } from '../../../src/index/words/word-rows.ts'
import { rankCandidates, type Candidate } from '../../../src/ranking/documents/rank-documents.ts'
import type { ReferenceKind } from '../../../src/ranking/documents/reference-effects.ts'
import { analyseQuestion } from '../../../src/text/question/question.ts'
import { filterToken } from '../../../src/index/filters/filter-tokens.ts'
import { typeOf } from '../../../src/documents/document.ts'
import { runs } from '../../support/runs.ts'

const repository = { name: 'acme/widget' }
const SHA = '9f1c2d3e4b5a69788776655443322110ffeeddcc'

function issue(number: number, title: string, body: string): Document {
  return { identity: { type: 'issue', number }, repository, title, body }
}

/** Documents by the names that expectations use. */
const DOCUMENTS: Readonly<Record<string, Document>> = {
  agent: issue(11, 'Add multi-agent launcher', 'agent-swarm-launcher should start BENCH-100821 runs'),
  single: issue(12, 'Unrelated', 'single worker only'),
  flags: {
    identity: { type: 'doc', path: 'docs/cli.md' },
    repository,
    title: 'CLI flags',
    body: 'Use --error-on-warnings to fail the build.',
  },
  other: {
    identity: { type: 'doc', path: 'docs/other.md' },
    repository,
    title: 'Other',
    body: 'warnings are printed; error codes differ on exit',
  },
  ubuntu: issue(21, 'Build breaks on ubuntu 20.04', 'C++ addon for node.js fails since v1.2.3'),
  newer: issue(22, 'Ubuntu 22.04 works', 'C addon, nothing else'),
  atomic: {
    identity: { type: 'diff', commitSha: SHA, path: 'src/state.py' },
    repository,
    message: 'Use atomic_write_json',
    body: '@@ -1 +1 @@\n+atomic_write_json(path, data)',
  },
  prose: issue(31, 'Write JSON atomically', 'the json file should be an atomic write'),
  japanese: issue(41, 'ログインエラーの修正', '日本語の検索がヒットしない。認証後gen-itgcで失敗する。'),
  english: issue(42, 'Login works', 'db migration ok'),
  korean: issue(43, '검색이 안 됩니다', '로그인은 되는데 검색에서 오류가 납니다'),
  thai: issue(44, 'การค้นหาล้มเหลว', 'ระบบไม่พบข้อความ'),
  chinese: issue(45, '重跑gen失败', '型定義を東京都に置く'),
  emoji: issue(46, 'Party 🎉 in 🇯🇵', 'thumbs 👍🏽'),
  camel: issue(47, 'parseUserAgent', 'GitHub Actions call it'),
  release: { identity: { type: 'release', tagName: 'v4.6.6' }, repository, title: 'Spring', body: 'notes' },
  comment: { identity: { type: 'issue_comment', commentId: 77 }, repository, number: 11, body: 'same here' },
  review: { identity: { type: 'pr_review', reviewId: 77 }, repository, number: 11, body: 'looks odd' },
  wiki: { identity: { type: 'wiki_doc', path: 'Getting-Started' }, repository, body: 'begin' },
}

const names = Object.keys(DOCUMENTS)
const candidates = new Map<number, Candidate>()
let length = 0

beforeAll(async () => {
  const insert = env.DB.prepare('INSERT INTO words (rowid, k, t, p, b, x, f) VALUES (?, ?, ?, ?, ?, ?, ?)')
  const statements = Object.values(DOCUMENTS).flatMap((document, at) =>
    toWordRows(document).map(({ columns: { k, t, p, b, x }, ...row }, sequence) => {
      const chunk = at * CHUNKS_PER_DOCUMENT + sequence
      candidates.set(chunk, { chunk, type: typeOf(document), ...row })
      length += row.length
      return insert.bind(chunk, k, t, p, b, x, filterToken('type', typeOf(document)))
    }),
  )
  await env.DB.batch(statements)
})

async function chunksMatching(match: string): Promise<number[]> {
  const sql = `SELECT rowid FROM words WHERE words MATCH ?1 AND rank MATCH '${CANDIDATE_RANK}' ORDER BY rank LIMIT 100`
  const { results } = await env.DB.prepare(sql).bind(match).all<{ rowid: number }>()
  return results.map(({ rowid }) => rowid)
}

/** The names of the documents that a question finds, best first. */
async function found(text: string): Promise<string[]> {
  const question = analyseQuestion(text)
  const match = termsMatch(question.terms)
  const chunks = new Set(match === undefined ? [] : await chunksMatching(match))
  const hits = new Map<number, ReferenceKind[]>()
  for (const { reference, match } of referenceMatches(question)) {
    for (const chunk of await chunksMatching(match)) {
      chunks.add(chunk)
      hits.set(chunk, [...(hits.get(chunk) ?? []), reference])
    }
  }
  const terms = JSON.stringify(question.terms.map(({ term }) => term))
  const sql = 'SELECT term, doc FROM word_frequencies WHERE term IN (SELECT value FROM json_each(?1))'
  const { results } = await env.DB.prepare(sql).bind(terms).all<{ term: string; doc: number }>()
  const frequencies = new Map(results.map(({ term, doc }) => [term, doc]))
  const rows = [...chunks].map((chunk) => candidates.get(chunk)!)
  const ranked = rankCandidates(question, frequencies, { chunks: candidates.size, length }, rows, hits)
  return ranked.map(({ document }) => names[document]!)
}

test.each([
  ['multi-agent', 'agent'],
  ['BENCH-100821', 'agent'],
  ['agent:launcher', 'agent'],
  ['(multi-agent', 'agent'],
  ['multi-agent)', 'agent'],
  ['"--error-on-warnings"', 'flags'],
  ['"--error-on-warnings', 'flags'],
  ['--error-on-warnings', 'flags'],
  ['ubuntu 20.04', 'ubuntu'],
  ['C++', 'ubuntu'],
  ['node.js', 'ubuntu'],
  ['nodejs', 'ubuntu'],
  ['v1.2.3', 'ubuntu'],
  ['1.2.3', 'ubuntu'],
  ['atomic_write_json', 'atomic'],
  ['atomicWriteJson', 'atomic'],
  ['検索', 'japanese'],
  ['エラー', 'japanese'],
  ['ログイン エラー', 'japanese'],
  ['gen-itgc', 'japanese'],
  ['認証', 'japanese'],
  ['"検索がヒット"', 'japanese'],
  ['db', 'english'],
  ['gen', 'chinese'],
  ['重跑', 'chinese'],
  ['京都', 'chinese'],
  ['검색', 'korean'],
  ['로그인', 'korean'],
  ['오류', 'korean'],
  ['ค้นหา', 'thai'],
  ['ข้อความ', 'thai'],
  ['🎉', 'emoji'],
  ['🇯🇵', 'emoji'],
  ['👍', 'emoji'],
  ['parse_user_agent', 'camel'],
  ['parse-user-agent', 'camel'],
  ['parseuseragent', 'camel'],
  ['parse user agent', 'camel'],
  ['PARSE.USER.AGENT', 'camel'],
  ['"github actions"', 'camel'],
  ['#12', 'single'],
  ['acme/widget#12', 'single'],
  ['9F1C2D3', 'atomic'],
  [SHA, 'atomic'],
  ['src/state.py', 'atomic'],
  ['state.py', 'atomic'],
  ['state', 'atomic'],
  ['docs/other.md', 'other'],
  ['v4.6.6', 'release'],
  ['4.6.6', 'release'],
  ['https://github.com/acme/widget/releases/tag/v4.6.6', 'release'],
  ['https://github.com/acme/widget/issues/11#issuecomment-77', 'comment'],
  ['https://github.com/acme/widget/pull/11#pullrequestreview-77', 'review'],
  ['https://github.com/acme/widget/wiki/Getting-Started', 'wiki'],
  ['https://github.com/acme/widget/blob/main/docs/other.md#L3', 'other'],
])('the question %s finds this document first', async (text, first) => {
  expect((await found(text))[0]).toBe(first)
})

test('an identifier finds its separate words too', async () => {
  expect(await found('atomic_write_json')).toContain('prose')
  expect(await found('atomic write json')).toEqual(expect.arrayContaining(['atomic', 'prose']))
})

test('a question of stop words alone finds them', async () => {
  expect(await found('what is this about the')).toContain('prose')
})

test('a question of symbols finds nothing', async () => {
  expect(await found('++ * "')).toEqual([])
})

test('a phrase matches no text with other words between its own', async () => {
  const phrase = referenceMatches(analyseQuestion('"warnings to fail the error"'))[0]!
  expect(await chunksMatching(phrase.match)).toEqual([])
})

const nasty = fc.array(
  fc.oneof(
    fc.constantFrom(
      '"',
      "'",
      '*',
      '(',
      ')',
      ':',
      '^',
      '-',
      '+',
      ' ',
      'NEAR',
      'AND',
      'NOT',
      '{b}',
      '\0',
      '\uD800',
      '#1',
      ';--',
    ),
    fc.constantFrom('検索', '👍', 'foo_bar', 'v1.2.3', 'C++', 'a/b.ts', 'deadbeef', 'https://github.com/a/b/wiki/"x'),
    fc.string({ unit: 'binary', maxLength: 12 }),
  ),
  { maxLength: 12 },
)

test('no question is an error of FTS5', async () => {
  await fc.assert(
    fc.asyncProperty(nasty, async (parts) => {
      const question = analyseQuestion(parts.join(''))
      const words = termsMatch(question.terms)
      const matches = [...(words === undefined ? [] : [words]), ...referenceMatches(question).map(({ match }) => match)]
      for (const match of matches) await chunksMatching(match)
    }),
    { numRuns: runs(150) },
  )
})
