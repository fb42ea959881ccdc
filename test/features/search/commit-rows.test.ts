/** A commit is one row of a search and of a list, with its files, its message and its first release. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, guest, hits, put, refusal } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const sha = (letter: string) => letter.repeat(40)
const WHOLE = '2026-10-01T00:00:00Z'

const commit = (letter: string, message: string, files: readonly [string, string][], more: object = {}): Line => ({
  type: 'commit',
  commit_sha: sha(letter),
  message,
  author: 'Ada',
  commit_author: 'Ada',
  commit_date: WHOLE,
  files: files.map(([path, status]) => ({ path, status })),
  ...more,
})

const diff = (letter: string, path: string, body: string, more: object = {}): Line => ({
  type: 'diff',
  commit_sha: sha(letter),
  file_path: path,
  file_status: 'modified',
  message: 'Only patches of this one',
  commit_date: WHOLE,
  created_at: WHOLE,
  updated_at: WHOLE,
  body: `@@ -1 +1 @@\n+${body}`,
  ...more,
})

beforeAll(async () => {
  await put([
    commit('a', 'Teach the quokka to swim\n\nIt sank before, because its raft leaked.', [
      ['src/quokka.ts', 'modified'],
      ['src/raft.ts', 'added'],
      ['package-lock.json', 'modified'],
      ['assets/quokka.png', 'added'],
      ['old/boat.ts', 'removed'],
    ]),
    diff('a', 'src/quokka.ts', 'swim(quokka)'),
    diff('a', 'src/raft.ts', 'export const raft = plank(quokka)', { file_status: 'added' }),
    diff('a', 'old/boat.ts', 'sail(boat)', { file_status: 'removed' }),
    commit('b', 'Merge the swimming lessons', [], { parents: [sha('a'), sha('c')] }),
    diff('c', 'lib/pelican.ts', 'pelican.fly(high)'),
    diff('c', 'lib/heron.ts', 'heron.wade()'),
    commit('d', 'Delete the lock file', [['yarn.lock', 'removed']], { commit_date: '2026-10-02T00:00:00Z' }),
    { type: 'doc', doc_path: 'src/quokka.ts', body: 'a quokka lives here', updated_at: '2026-09-01T00:00:00Z' },
    commit('e', 'Hidden quokka plans', [['src/plan.ts', 'added']], { repo: 'secret/zoo' }),
  ])
})

describe('in a search', () => {
  test('a commit and its diffs are one row with its message and its files, best match first', async () => {
    const { results } = await ask({ query: 'quokka raft plank', type: 'commit', repo: 'acme/widget' })
    expect(results).toHaveLength(1)
    const [row] = results
    expect(row).toMatchObject({
      vector_id: expect.stringMatching(/^co:/),
      type: 'commit',
      commit_sha: sha('a'),
      title: 'aaaaaaa Teach the quokka to swim',
      author: 'Ada',
      created_at: WHOLE,
      message: 'Teach the quokka to swim\n\nIt sank before, because its raft leaked.',
      file_count: 5,
      snippet: expect.stringContaining('**raft** = **plank**'),
    })
    expect(row?.files?.map(({ path }) => path).slice(0, 2)).toEqual(['src/raft.ts', 'src/quokka.ts'])
    expect(row?.files?.[0]).toMatchObject({ status: 'added', vector_id: expect.stringMatching(/^c:/) })
    expect(row).not.toHaveProperty('same_entity')
  })

  test('the offset of a snippet is in the body that the snippet is from', async () => {
    const [ofFile] = (await ask({ query: 'plank' })).results
    const [file] = ofFile?.files ?? []
    expect(ofFile?.snippet_offset).toBeUndefined()
    const [patch] = (await ask({ vector_ids: [file?.vector_id] })).results
    expect(patch?.content.slice(file?.snippet_offset)).toContain('raft = plank(quokka)')
    const [ofMessage] = (await ask({ query: 'sank leaked', detail: 'full' })).results
    expect(ofMessage).toMatchObject({ commit_sha: sha('a'), snippet: expect.stringContaining('**sank**') })
    expect(ofMessage?.files?.every((one) => one.snippet_offset === undefined)).toBe(true)
    const [message] = (await ask({ vector_ids: [ofMessage?.vector_id] })).results
    expect(message?.content.slice(ofMessage?.snippet_offset)).toContain('sank before')
  })

  test('files without a stored diff have no id, and none is named twice', async () => {
    const [row] = (await ask({ query: 'quokka swim', type: 'commit', repo: 'acme/widget', detail: 'full' })).results
    const files = row?.files ?? []
    expect(new Set(files.map(({ path }) => path)).size).toBe(5)
    expect(files.filter((file) => file.vector_id === undefined).map(({ path }) => path)).toEqual([
      'package-lock.json',
      'assets/quokka.png',
    ])
  })

  test('a commit of which only diffs are stored has a row, with the id of the best diff', async () => {
    const { results } = await ask({ query: 'pelican fly' })
    expect(hits({ results })).toEqual(['commit:ccccccc'])
    expect(results[0]).toMatchObject({
      vector_id: expect.stringMatching(/^c:/),
      title: 'ccccccc Only patches of this one',
      file_count: 2,
      snippet: expect.stringContaining('**pelican.fly**'),
    })
    expect(results[0]?.files?.map(({ path }) => path)).toEqual(['lib/pelican.ts', 'lib/heron.ts'])
    expect(results[0]).not.toHaveProperty('file_path')
    const [body] = (await ask({ vector_ids: [results[0]?.vector_id] })).results
    expect(body).toMatchObject({ type: 'diff', file_path: 'lib/pelican.ts' })
  })

  test('identical patches of copies are one file', async () => {
    const copy = 'generated: tapir tapir tapir'
    await put([
      diff('f', 'dist/a.js', copy),
      diff('f', 'dist/b.js', copy),
      diff('f', 'dist/c.js', copy),
      diff('f', 'src/tapir.ts', 'tapir()'),
    ])
    const [row] = (await ask({ query: 'tapir generated' })).results
    const paths = row?.files?.map(({ path }) => path) ?? []
    expect(paths.slice(0, 2)).toEqual(['dist/a.js', 'src/tapir.ts'])
  })

  test('with group: none diffs are rows, and a commit only where it has no stored diff', async () => {
    const rows = hits(
      await ask({ query: 'quokka swim lock file merge', group: 'none', repo: 'acme/widget', top_k: 20 }),
    )
    expect(rows).toContain('diff:aaaaaaa src/quokka.ts')
    expect(rows).toEqual(expect.arrayContaining(['commit:bbbbbbb', 'commit:ddddddd']))
    expect(rows).not.toContain('commit:aaaaaaa')
  })

  test('with group: file a document and the diffs of its file are one row, two files of a commit two', async () => {
    const { results } = await ask({ query: 'quokka', group: 'file', repo: 'acme/widget' })
    const file = results.find((row) => (row.file_path ?? row.doc_path) === 'src/quokka.ts')
    expect(file?.same_entity).toMatchObject({ count: 2 })
    expect(hits({ results })).toContain('diff:aaaaaaa src/raft.ts')
    expect(hits({ results })).not.toContain('commit:aaaaaaa')
  })

  test('a hidden commit has no row', async () => {
    expect(hits(await ask({ query: 'hidden quokka plans' }))).toContain('commit:eeeeeee')
    expect(hits(await ask({ query: 'hidden quokka plans' }, guest))).not.toContain('commit:eeeeeee')
  })
})

describe('filters on files', () => {
  const shas = async (args: Line) => hits(await ask({ ...args, repo: 'acme/widget', top_k: 50 })).toSorted()

  test('type: diff selects commits that changed a file, type: commit all of them', async () => {
    const everything = { query: 'quokka swim merge lock file pelican', since: '2026-09-30', until: '2026-10-03' }
    expect(await shas({ ...everything, type: 'diff' })).toEqual(['commit:aaaaaaa', 'commit:ccccccc', 'commit:ddddddd'])
    expect(await shas({ ...everything, type: 'commit' })).toEqual([
      'commit:aaaaaaa',
      'commit:bbbbbbb',
      'commit:ccccccc',
      'commit:ddddddd',
    ])
    expect(await shas({ ...everything, type: 'diff', group: 'none' })).not.toContain('commit:ddddddd')
  })

  test.each([
    [{ path_prefix: 'assets' }, ['commit:aaaaaaa']],
    [{ path_prefix: 'assets/quokka.png' }, ['commit:aaaaaaa']],
    [{ path_prefix: 'asset' }, []],
    [{ file_status: 'removed' }, ['commit:aaaaaaa', 'commit:ddddddd']],
    [{ path_prefix: 'old', file_status: 'removed' }, ['commit:aaaaaaa']],
    [{ path_prefix: 'old', file_status: 'added' }, []],
    [{ path_prefix: 'src', file_status: 'added' }, ['commit:aaaaaaa']],
    [{ path_prefix: 'yarn.lock', file_status: 'removed' }, ['commit:ddddddd']],
    [{ file_status: 'renamed' }, []],
  ])('%o select commits with such a file, in a search and in a list', async (filter, expected) => {
    expect(await shas({ query: 'quokka swim boat lock', type: 'commit', ...filter })).toEqual(expected)
    expect(await shas({ type: 'commit', since: '2000-01-01', ...filter })).toEqual(expected)
  })

  test('a status that no file has is named as unmatched', async () => {
    expect(await ask({ query: 'quokka', file_status: 'renamed' })).toMatchObject({
      count: 0,
      filters_unmatched: ['file_status'],
    })
    expect(await refusal({ file_status: 'gone' })).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('places of commits are compared in composed form', async () => {
    await put([commit('8', 'Feed the capybara', [['données/Ångström/café.ts'.normalize('NFD'), 'added']])])
    for (const form of ['NFC', 'NFD']) {
      const filter = { path_prefix: 'données/Ångström'.normalize(form), file_status: 'added' }
      expect(await shas({ query: 'capybara', ...filter })).toEqual(['commit:8888888'])
      expect(await shas({ since: '2000-01-01', ...filter })).toEqual(['commit:8888888'])
    }
  })

  test('qualifiers select and exclude commits as parameters do', async () => {
    const words = { query: 'quokka swim boat lock' }
    expect(await shas({ query: `${words.query} type:diff path:old` })).toEqual(['commit:aaaaaaa'])
    expect((await shas({ query: `${words.query} -type:diff` })).filter((name) => /commit|diff/.test(name))).toEqual([])
    expect((await shas({ query: `${words.query} -type:commit` })).filter((name) => /commit|diff/.test(name))).toEqual(
      [],
    )
    expect(await shas({ query: `${words.query} -path:src`, type: 'commit' })).toContain('commit:aaaaaaa')
  })

  test('a commit with more places than it has tokens for is found by each of them', async () => {
    const files = Array.from({ length: 400 }, (_, at): [string, string] => [`many/d${at}/f.ts`, 'added'])
    await put([commit('9', 'Import the numbat', files)])
    expect(await shas({ query: 'numbat', path_prefix: 'many/d399' })).toEqual(['commit:9999999'])
    expect(await shas({ query: 'numbat', path_prefix: 'many/d400' })).toEqual([])
    const [row] = (await ask({ path_prefix: 'many/d7', since: '2000-01-01' })).results
    expect(row).toMatchObject({ file_count: 400, files: [{ path: 'many/d7/f.ts', status: 'added' }] })
  })
})

describe('in a list', () => {
  test('a commit is one row, and with path_prefix the list is the log of that path', async () => {
    const log = { since: '2026-10-01', until: '2026-10-03', repo: 'acme/widget', path_prefix: 'lib' }
    expect(hits(await ask(log))).toEqual(['commit:ccccccc'])
    const all = hits(await ask({ ...log, path_prefix: '', top_k: 50 }))
    expect(all.filter((name) => name.startsWith('diff'))).toEqual([])
    expect(all.filter((name) => name === 'commit:aaaaaaa')).toHaveLength(1)
  })

  test('with group: none and group: file diffs are rows', async () => {
    for (const group of ['none', 'file']) {
      const rows = hits(
        await ask({ since: '2026-10-01', until: '2026-10-01T01:00:00Z', repo: 'acme/widget', group, top_k: 50 }),
      )
      expect(rows).toEqual(
        expect.arrayContaining(['diff:aaaaaaa src/quokka.ts', 'diff:ccccccc lib/heron.ts', 'commit:bbbbbbb']),
      )
      expect(rows).not.toContain('commit:aaaaaaa')
    }
  })

  test('page by page no commit is lost or shown twice', async () => {
    const lines = Array.from({ length: 23 }, (_, at) => {
      const id = (at + 16).toString(16).padStart(2, '0').repeat(20)
      const times = { repo: 'acme/pages', commit_sha: id, commit_date: '2026-11-29T10:00:00Z' }
      const files = ['a', 'b', 'c'].map((name) =>
        diff('0', `src/${name}.ts`, name, { ...times, created_at: times.commit_date, updated_at: times.commit_date }),
      )
      // Of every third commit only diffs are stored, of every fifth only the commit.
      return [
        ...(at % 3 === 0 ? [] : [{ ...commit('0', `Step ${at}`, [['src/a.ts', 'modified']]), ...times }]),
        ...(at % 5 === 1 ? [] : files),
      ]
    }).flat()
    await put(lines)
    const wanted = new Set(lines.map((line) => String((line as Line)['commit_sha'])))
    for (const filter of [{}, { type: 'diff' }, { path_prefix: 'src' }]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await ask({ repo: 'acme/pages', top_k: 4, ...filter, ...(cursor && { cursor }) })
        seen.push(...page.results.map((row) => row.commit_sha ?? '?'))
        cursor = page.next_cursor
      } while (cursor)
      expect(seen).toHaveLength(wanted.size)
      expect(new Set(seen)).toEqual(wanted)
    }
  })

  test('a cursor belongs to its grouping, not to the detail of its rows', async () => {
    const { next_cursor: cursor } = await ask({ repo: 'acme/pages', top_k: 2 })
    expect((await ask({ repo: 'acme/pages', top_k: 2, cursor, detail: 'full' })).count).toBe(2)
    expect(await refusal({ repo: 'acme/pages', top_k: 2, cursor, group: 'none' })).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })
})

test('a fetched commit has its message, its files and its parents', async () => {
  const [found] = (await ask({ query: 'merge lessons' })).results
  const [merge] = (await ask({ vector_ids: [found?.vector_id] })).results
  expect(merge).toMatchObject({ type: 'commit', parents: [sha('a'), sha('c')], content: 'Merge the swimming lessons' })
  const [swim] = (await ask({ query: 'sank leaked' })).results
  const [row] = (await ask({ vector_ids: [swim?.vector_id] })).results
  expect(row?.content).toBe(
    'Teach the quokka to swim\n\nIt sank before, because its raft leaked.\n\nmodified src/quokka.ts\nadded src/raft.ts\nmodified package-lock.json\nadded assets/quokka.png\nremoved old/boat.ts',
  )
  expect(row?.files?.[0]).toEqual({
    path: 'src/quokka.ts',
    status: 'modified',
    vector_id: expect.stringMatching(/^c:/),
  })
})
