import { beforeAll, describe, expect, test } from 'vitest'
import { ask, hits, owner, put, watched } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const SHA = '9f1c2d3e4b5a69788776655443322110ffeeddcc'

/** A few documents; expectations name them by number or path. */
const DOCUMENTS: readonly Line[] = [
  issue(11, 'Add multi-agent launcher', 'agent-swarm-launcher should start BENCH-100821 runs'),
  issue(12, 'Unrelated', 'single worker only'),
  { type: 'doc', doc_path: 'docs/cli.md', title: 'CLI flags', body: 'Use --error-on-warnings to fail the build.' },
  { type: 'doc', doc_path: 'docs/other.md', title: 'Other', body: 'warnings are printed; error codes differ on exit' },
  issue(21, 'Build breaks on ubuntu 20.04', 'C++ addon for node.js fails since v1.2.3'),
  issue(22, 'Ubuntu 22.04 works', 'C addon, nothing else'),
  {
    type: 'diff',
    commit_sha: SHA,
    file_path: 'src/state.py',
    file_status: 'modified',
    message: 'Use atomic_write_json for state',
    body: '@@ -1 +1 @@\n+ atomic_write_json(path, data)',
  },
  issue(31, 'Write JSON atomically', 'the json file should be an atomic write'),
  issue(41, 'ログインエラーの修正', '日本語の検索がヒットしない。認証後gen-itgcで失敗する。'),
  issue(42, 'Login works', 'db migration ok'),
  issue(51, 'stdio transport closes early', 'see transport.ts'),
  issue(52, 'Hook before exit', 'plugins and traps'),
  issue(53, 'Unrelated windows fix', 'paths with backslashes'),
  issue(61, '東京都の天気を表示する', '京都ではありません。全文検索機能を追加'),
  issue(62, '검색이 안 됩니다', '한국어 문서를 찾을 수 없습니다'),
  issue(63, 'ค้นหาภาษาไทยไม่เจอ', 'การค้นหาคำภาษาไทยล้มเหลว'),
  issue(64, 'Celebrate 🎉 on release', 'family 👩‍👩‍👧 and flag 🇯🇵'),
  issue(65, 'Café menus and naïve parsing', 'ＦＵＬＬ－ｗｉｄｔｈ ｔｅｘｔ'),
  issue(66, 'parseHTTPRequest loses headers', 'see HttpRequestParser and parse_http_request'),
  issue(67, 'C# and .NET bindings', 'F# is not planned'),
  issue(68, 'A tail far down', `${'Filler about gardens.\n\n'.repeat(900)}The zanzibar clause ends it.`),
  { type: 'release', tag_name: 'v2.0.0-rc.1', title: 'Second', body: 'Breaking changes' },
  { type: 'wiki_doc', wiki_path: 'Deploy-Guide', body: 'How to deploy with containers' },
  { type: 'issue_comment', comment_id: 501, number: 12, author: 'zoe', body: 'The capybara approves.' },
]

function issue(number: number, title: string, body: string): Line {
  return { type: 'issue', number, title, body, state: 'open', updated_at: '2026-11-20T00:00:00Z' }
}

beforeAll(async () => {
  await put(DOCUMENTS)
})

async function first(query: string): Promise<string | undefined> {
  return hits(await ask({ query, group: 'none' }))[0]
}

describe('the first hit', () => {
  const EXPECTED: Readonly<Record<string, readonly string[]>> = {
    'issue#11': [
      'multi-agent',
      'BENCH-100821',
      'agent:launcher',
      '(multi-agent',
      'multi-agent)',
      'Bench 100821',
      '#11',
      'acme/widget#11',
    ],
    'doc:docs/cli.md': [
      '"--error-on-warnings"',
      '"--error-on-warnings',
      '--error-on-warnings',
      'cli.md',
      'docs/cli.md',
      './docs/cli.md:12',
    ],
    'issue#21': ['ubuntu 20.04', 'C++', 'node.js', 'v1.2.3', '1.2.3', 'c++ addon', 'NODE.JS', 'V1.2.3'],
    [`diff:9f1c2d3 src/state.py`]: [
      'atomic_write_json',
      'atomicWriteJson',
      SHA,
      SHA.slice(0, 7).toUpperCase(),
      'src/state.py',
      'state.py',
    ],
    'issue#41': ['検索がヒット', 'エラー', 'ログイン エラー', 'gen-itgc', '認証', 'ｴﾗｰ'],
    'issue#42': ['db', 'login works'],
    'issue#51': ['transport', 'transport.ts'],
    'issue#61': ['天気', '全文検索', '"東京都"', '京都', '機能'],
    'issue#62': ['검색', '한국어', '문서'],
    'issue#63': ['ค้นหา', 'ภาษาไทย'],
    'issue#64': ['🎉', '🇯🇵', '👩‍👩‍👧'],
    'issue#65': ['cafe', 'CAFÉ', 'naive', 'full-width'],
    'issue#66': ['parseHTTPRequest', 'parse http request', 'HttpRequestParser', 'parse-http-request'],
    'issue#67': ['C#', '.NET', 'f#'],
    'issue#68': ['zanzibar clause'],
    'release:v2.0.0-rc.1': ['v2.0.0-rc.1', '2.0.0-rc.1', 'second breaking change'],
    'wiki_doc:Deploy-Guide': ['deploy guide', 'Deploy-Guide', 'deploying containers'],
    'issue_comment:501': ['capybara', 'https://github.com/acme/widget/issues/12#issuecomment-501'],
    'issue#12': ['https://github.com/ACME/widget/issues/12'],
  }
  for (const [name, queries] of Object.entries(EXPECTED)) {
    test.each(queries)(`${name} is the first hit for %s`, async (query) => {
      expect(await first(query)).toBe(name)
    })
  }
})

test('separate words and one identifier find the same rows', async () => {
  for (const query of ['atomic_write_json', 'atomic write json']) {
    expect(hits(await ask({ query }))).toEqual(expect.arrayContaining(['commit:9f1c2d3', 'issue#31']))
  }
})

test('rows with a quoted phrase come before rows with its separate words', async () => {
  expect(await first('"error codes differ"')).toBe('doc:docs/other.md')
  expect(await first('"json file" atomic_write_json')).toBe('issue#31')
})

test('qualifiers of a query filter its rows and are echoed in resolved', async () => {
  const answer = await ask({ query: 'repo:Acme/Widget transport' })
  expect(hits(answer)[0]).toBe('issue#51')
  expect(answer.resolved).toEqual({ repo: 'acme/widget' })
  const windows = await ask({ query: 'is:issue windows' })
  expect(hits(windows)).toEqual(['issue#53'])
  expect(windows.resolved).toEqual({ type: 'issue' })
})

test('a query of stop words alone finds rows', async () => {
  expect((await ask({ query: 'the and of' })).count).toBeGreaterThan(0)
})

test('a query of symbols alone finds nothing, with a warning', async () => {
  for (const query of ['*', '++', '"" ()', '-- :: --']) {
    const answer = await ask({ query, detail: 'full' })
    expect(answer, query).toMatchObject({ count: 0, sparse_candidates: 0, filters_unmatched: [] })
    expect(answer.warnings).toEqual([expect.stringContaining('symbols')])
  }
})

test('a query that matches nothing has empty lists and no warning', async () => {
  const answer = await ask({ query: 'xylophonequux' })
  expect(answer).toMatchObject({ count: 0, filters_unmatched: [], results: [] })
  expect(answer).not.toHaveProperty('warnings')
})

test('an answer reports its fusion, sort and candidates', async () => {
  const { results, ...answer } = await ask({
    query: 'transport',
    fusion: 'sparse_only',
    rerank: false,
    detail: 'full',
  })
  expect(answer).toEqual({
    count: 1,
    mode: 'search',
    fusion: 'sparse_only',
    fusion_applied: 'words',
    sort: 'relevance',
    dense_candidates: 0,
    sparse_candidates: 1,
    filters_unmatched: [],
    rerank_requested: false,
    rerank_applied: false,
  })
  const [row] = results
  expect(row).toMatchObject({ sparse_rank: 1, snippet: expect.stringContaining('**transport**') })
  expect(row?.score).toBe(row?.sparse_score)
})

test('the snippet is the passage that matched, at any offset of the body', async () => {
  const { results } = await ask({ query: 'zanzibar' })
  const [row] = results
  expect(row?.snippet).toContain('The **zanzibar** clause')
  expect((row?.snippet ?? '').length).toBeLessThanOrEqual(240)
  const body = String(DOCUMENTS.find(({ number }) => number === 68)?.['body'])
  const window = await ask({
    vector_ids: [row?.vector_id],
    content_offset: row?.snippet_offset ?? 0,
    content_max_chars: 200,
  })
  expect(window.results[0]?.content).toContain('zanzibar clause')
  expect(body.slice(row?.snippet_offset)).toContain('zanzibar')
})

test('a search by known words takes two round trips', async () => {
  const { index, trips } = watched()
  await ask({ query: 'json #31 docs/cli.md "error codes"' }, owner, index)
  expect(trips).toHaveLength(2)
})
