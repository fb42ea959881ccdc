/** Pages of a wiki: which files are tried, and on which proof a page is removed. */
import { describe, expect, it } from 'vitest'
import { wikiSurface } from '../../../src/ingest/surfaces/wiki-surface.ts'
import { listPageNames } from '../../../src/ingest/surfaces/wiki/wiki-list.ts'
import { ModelReader, type WalkOptions } from '../../support/model-rows.ts'
import { ScriptedRepository } from '../../support/scripted-repository.ts'

function world(pages: Record<string, string> | undefined): { repository: ScriptedRepository; reader: ModelReader } {
  const repository = new ScriptedRepository()
  repository.wiki = pages && new Map(Object.entries(pages))
  return { repository, reader: new ModelReader(repository) }
}

function bodies(reader: ModelReader): Record<string, string> {
  const documents = reader.rows.documents('wiki_doc')
  return Object.fromEntries(documents.map(({ identity, body }) => [(identity as { path: string }).path, body]))
}

function importRow(reader: ModelReader, path: string): void {
  const identity = { type: 'wiki_doc', path } as const
  reader.rows.apply([{ put: { identity, repository: { name: 'acme/app' }, body: 'imported' } }])
}

const fails =
  (part: string): NonNullable<WalkOptions['fault']> =>
  (request) =>
    request.startsWith(part) ? { kind: 'fault', reason: 'cut' } : undefined

describe('pages of a wiki', () => {
  it('are read with the first page, which the list omits, and with other markups', async () => {
    const { reader } = world({
      'Home.md': 'home',
      'Set-Up.md': 'set up',
      'Old-Page.rst': 'rst',
      'Older.mediawiki': 'mw',
    })
    await reader.run(wikiSurface)
    expect(bodies(reader)).toEqual({ Home: 'home', 'Set-Up': 'set up', 'Old-Page': 'rst', Older: 'mw' })
    const urls = reader.rows.documents('wiki_doc').map(({ url }) => url)
    expect(urls).toContain('https://github.test/acme/app/wiki/Set-Up')
  })

  it('are found by the text of their links where slugs lose characters', async () => {
    const { reader } = world({ 'Home.md': 'home', 'C++-Guide.md': 'c++', 'What?.md': 'what', '日本-語.md': 'ja' })
    await reader.run(wikiSurface)
    expect(bodies(reader)).toEqual({ Home: 'home', 'C++-Guide': 'c++', 'What?': 'what', '日本-語': 'ja' })
  })

  it('cost one request while the wiki stands still, and two at most in a first fill', async () => {
    const pages = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`Page-${at}.md`, `text ${at}`]))
    const { reader } = world({ 'Home.md': 'home', ...pages })
    await reader.run(wikiSurface)
    expect(reader.requests).toHaveLength(2 + 61)
    const step = await reader.run(wikiSurface)
    expect([reader.requests.length, step.changes.length]).toEqual([1, 0])
  })

  it('that did not change are not put again, and are asked for by their ETag and known file', async () => {
    const { repository, reader } = world({ 'Home.md': 'home', 'Old.rst': 'old' })
    await reader.run(wikiSurface)
    repository.wiki?.set('Home.md', 'home 2')
    const changes: unknown[] = []
    const apply = reader.rows.apply.bind(reader.rows)
    reader.rows.apply = (list) => {
      changes.push(...list)
      apply(list)
    }
    await reader.run(wikiSurface)
    expect([changes.length, reader.requests]).toEqual([1, ['wiki head', 'wiki list', 'wiki Home.md', 'wiki Old.rst']])
  })

  it('are removed when no file that they could be is there', async () => {
    const { repository, reader } = world({ 'Home.md': 'home', 'Old.md': 'old', 'Kept.textile': 'kept' })
    await reader.run(wikiSurface)
    repository.wiki?.delete('Old.md')
    repository.wiki?.set('New.md', 'new')
    await reader.run(wikiSurface, { budget: 1 })
    expect(bodies(reader)).toEqual({ Home: 'home', New: 'new', Kept: 'kept' })
    expect(reader.requests.filter((request) => request.startsWith('wiki Old.')).length).toBeGreaterThan(5)
  })

  it('that only the import of a checkout knew are proven one by one', async () => {
    const { reader } = world({ 'Home.md': 'home', 'With-Space.org': 'text' })
    importRow(reader, 'With-Space')
    importRow(reader, 'Gone')
    await reader.run(wikiSurface)
    expect(bodies(reader)).toEqual({ Home: 'home', 'With-Space': 'text' })
  })

  it('stay when the list lacks them and their files are there', async () => {
    const { repository, reader } = world({ 'Home.md': 'home', 'Page.md': 'page' })
    await reader.run(wikiSurface)
    repository.wiki?.set('Other.md', 'other')
    await reader.run(wikiSurface, { unlisted: ['Page.md'] })
    expect(bodies(reader)).toEqual({ Home: 'home', Page: 'page', Other: 'other' })
  })

  it('stay when the list, or a page, cannot be read', async () => {
    const { repository, reader } = world({ 'Home.md': 'home', 'Page.md': 'page' })
    await reader.run(wikiSurface)
    repository.wiki = new Map([['Home.md', 'changed']])
    await expect(reader.run(wikiSurface, { fault: fails('wiki list') })).rejects.toThrow('does not end')
    await expect(reader.run(wikiSurface, { fault: fails('wiki Page.rst') })).rejects.toThrow('does not end')
    expect(bodies(reader)).toEqual({ Home: 'changed', Page: 'page' })
  })

  it('of a wiki whose last page is deleted are removed', async () => {
    const { repository, reader } = world({ 'Home.md': 'home' })
    await reader.run(wikiSurface)
    repository.wiki = new Map()
    await reader.run(wikiSurface)
    expect(bodies(reader)).toEqual({})
  })

  it('of a private wiki cannot be read, and rows stay', async () => {
    const { reader } = world(undefined)
    importRow(reader, 'Imported')
    for (const walk of ['poll', 'lap'] as const) {
      const step = await reader.run(wikiSurface, { private: true, walk })
      expect([step.closed?.state, step.changes]).toEqual(['unreadable', []])
    }
    expect(bodies(reader)).toEqual({ Imported: 'imported' })
  })

  it('of a public repository without a wiki are off, and rows stay', async () => {
    const { reader } = world(undefined)
    importRow(reader, 'Imported')
    const step = await reader.run(wikiSurface)
    expect([step.closed?.state, bodies(reader)]).toEqual(['off', { Imported: 'imported' }])
  })

  it('of a wiki with more pages than a position holds are all read, in runs of one request', async () => {
    const pages = Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`Page-${at}.md`, `text ${at}`]))
    const { reader } = world({ 'Home.md': 'home', ...pages })
    await reader.run(wikiSurface, { budget: 1 })
    expect(Object.keys(bodies(reader))).toHaveLength(1_101)
    await reader.run(wikiSurface, { walk: 'lap' })
    expect(Object.keys(bodies(reader))).toHaveLength(1_101)
  })
})

describe('the list of pages', () => {
  it('names pages by text and slug, and ignores other links', () => {
    const html = `
      <a href="/acme/app/wiki">Wiki</a> <a href="/acme/app/wiki/_new">New</a> <a href="/acme/app/wiki/Page/_history">1</a>
      <a class="x" href="https://github.com/Acme/App/wiki/C-Guide?a=1#top"><span>C++ &amp;&#32;Guide</span></a>
      <a href="/other/app/wiki/Foreign">Foreign</a> <a href="/acme/app/issues">Issues</a>
      <a href="/acme/app/wiki/A%2FB">A</a> <a href="/acme/app/wiki/%E6%97%A5">日</a>`
    expect(listPageNames(html, 'acme/app')).toEqual([['Home'], ['C++-&-Guide', 'C-Guide', 'C++ & Guide'], ['日']])
  })

  it('takes time that is linear in a hostile page', () => {
    const started = performance.now()
    listPageNames('<a href="'.repeat(50_000), 'acme/app')
    listPageNames('<a href="/acme/app/wiki/x">'.repeat(20_000), 'acme/app')
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
