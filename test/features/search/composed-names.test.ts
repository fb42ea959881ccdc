/** Names with accents and Hangul are the same name however they are composed, and rows keep their source's spelling. */
import { beforeAll, expect, test } from 'vitest'
import { listPaths } from '../../../src/index/documents/list-paths.ts'
import { ask, hits, index, put, type Line } from '../../support/search-world.ts'

const FORMS = ['NFC', 'NFD'] as const
const GUIDE = 'docs/Übersicht-학점인정.md'
/** Rows that name the file of a commit. */
const NAMED = { group: 'none' }

const CODE = 'données/Ångström/café.ts'

beforeAll(async () => {
  const at = '2026-11-29T00:00:00Z'
  for (const form of FORMS) {
    const text = (name: string) => name.normalize(form)
    const repo = `acme/${form}`
    await put([
      { repo, type: 'doc', doc_path: text(GUIDE), body: 'Every capybara counts.', updated_at: at },
      { repo, type: 'doc', doc_path: text('docs/Übersichtlich.md'), body: 'No capybara.', updated_at: at },
      { repo, type: 'diff', commit_sha: 'a'.repeat(40), file_path: text(CODE), message: 'Feed', updated_at: at },
      {
        repo,
        type: 'issue',
        number: 1,
        title: 'Capybara',
        state: 'open',
        labels: [text('priorité')],
        milestone: text('Été 2026'),
        author: text('José'),
        assignees: [text('Zoë')],
        updated_at: at,
      },
    ])
  }
})

const typed: readonly (readonly [Line, string])[] = [
  [{ path_prefix: GUIDE }, `doc:${GUIDE}`],
  [{ path_prefix: 'docs/Übersicht-학점인정.md/' }, `doc:${GUIDE}`],
  [{ path_prefix: 'données/Ångström' }, `diff:aaaaaaa ${CODE}`],
  [{ query: `path:${GUIDE}` }, `doc:${GUIDE}`],
  [{ query: 'path:"données"' }, `diff:aaaaaaa ${CODE}`],
  [{ labels: ['Priorité'] }, 'issue#1'],
  [{ milestone: 'Été 2026' }, 'issue#1'],
  [{ query: 'milestone:"Été 2026" label:priorité' }, 'issue#1'],
  [{ author: 'JOSÉ' }, 'issue#1'],
  [{ assignee: 'zoë' }, 'issue#1'],
]

test.each(typed)('the filter %o finds the row %s in both forms, in search and list', async (filter, expected) => {
  const words = expected.startsWith('diff') ? 'feed' : 'capybara'
  for (const stored of FORMS) {
    for (const form of FORMS) {
      const args = JSON.parse(JSON.stringify(filter).normalize(form)) as Line
      const listed = await ask({ since: '2000-01-01', ...args, ...NAMED, repo: `acme/${stored}` })
      expect(hits(listed), `${stored} typed in ${form}`).toEqual([expected.normalize(stored)])
      const searched = await ask({
        ...args,
        query: `${words} ${args['query'] ?? ''}`,
        ...NAMED,
        repo: `acme/${stored}`,
      })
      expect(hits(searched), `${stored} typed in ${form}`).toEqual([expected.normalize(stored)])
    }
  }
})

test.each([GUIDE, 'Übersicht-학점인정.md', CODE, 'café.ts'])(
  'a file is looked up by %s in both forms',
  async (name) => {
    for (const stored of FORMS) {
      for (const form of FORMS) {
        const answer = await ask({ query: name.normalize(form), ...NAMED, repo: `acme/${stored}` })
        expect(hits(answer)[0]?.normalize('NFC'), `${stored} typed in ${form}`).toContain(name.normalize('NFC'))
      }
    }
  },
)

test('an exclusion excludes both forms', async () => {
  for (const form of FORMS) {
    const query = `capybara -path:${GUIDE} -milestone:"Été 2026" -author:José`.normalize(form)
    for (const stored of FORMS) {
      const answer = await ask({ query, repo: `acme/${stored}` })
      expect(hits(answer)).toEqual(['doc:docs/Übersichtlich.md'.normalize(stored)])
    }
  }
})

test('the list of paths has each spelling once, page after page', async () => {
  const both = FORMS.flatMap((form) => ['é.md', 'ö.md'].map((name) => `x/${name}`.normalize(form)))
  await put(both.map((path) => ({ repo: 'acme/paths', type: 'doc', doc_path: path, body: '' })))
  const { paths } = await listPaths(index, 'acme/paths', 'doc', '')
  expect(paths.toSorted()).toEqual(both.toSorted())
  for (const [at, path] of paths.entries()) {
    expect((await listPaths(index, 'acme/paths', 'doc', path)).paths).toEqual(paths.slice(at + 1))
  }
})
