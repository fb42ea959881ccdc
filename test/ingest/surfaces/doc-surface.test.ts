/** Documentation files: what is read, what it costs, what is removed and only on which proof. */
import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { docSurface } from '../../../src/ingest/surfaces/doc-surface.ts'
import { ModelReader } from '../../support/model-rows.ts'
import { BINARY, ScriptedRepository, shaOf, SUBMODULE, SYMLINK, type Files } from '../../support/scripted-repository.ts'

function read(files: Files): { repository: ScriptedRepository; reader: ModelReader } {
  const repository = new ScriptedRepository()
  repository.commit(files)
  return { repository, reader: new ModelReader(repository) }
}

function bodies(reader: ModelReader): Record<string, string> {
  const documents = reader.rows.documents('doc')
  return Object.fromEntries(documents.map(({ identity, body }) => [(identity as { path: string }).path, body]).sort())
}

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`

describe('files of the default branch', () => {
  it('are documents by their ending, except symlinks, submodules, binary files and pointers to large files', async () => {
    const { reader } = read({
      'README.md': 'hello',
      'docs/Guide.RST': 'guide',
      'docs/deep/a.txt': 'a',
      'src/code.ts': 'code',
      'link.md': `${SYMLINK}README.md`,
      'module.md': `${SUBMODULE}1`,
      'image.txt': BINARY,
      'large.md': POINTER,
      'empty.md': '',
    })
    await reader.run(docSurface)
    expect(bodies(reader)).toEqual({
      'README.md': 'hello',
      'docs/Guide.RST': 'guide',
      'docs/deep/a.txt': 'a',
      'empty.md': '',
    })
    expect(reader.rows.documents('doc').every(({ updatedAt }) => updatedAt === Date.UTC(2026, 0, 1) + 60_000)).toBe(
      true,
    )
  })

  it.each([true, false])('have exact paths and addresses with any characters (GraphQL: %s)', async (hasGraphql) => {
    const paths = ['a#b.md', 'what?.md', '50%.md', 'two words.md', 'é/日本.md', 'a&b=c+d.md', '%2e%2e.md']
    const { reader } = read(Object.fromEntries(paths.map((path) => [path, `of ${path}`])))
    await reader.run(docSurface, { hasGraphql })
    expect(bodies(reader)).toEqual(Object.fromEntries(paths.map((path) => [path, `of ${path}`]).sort()))
    const urls = reader.rows.documents('doc').map(({ url }) => url)
    expect(urls).toContain('https://github.test/acme/app/blob/main/a%23b.md')
    expect(urls).toContain('https://github.test/acme/app/blob/main/%C3%A9/%E6%97%A5%E6%9C%AC.md')
  })

  it('cost one request while the branch stands still, and nothing is written', async () => {
    const { reader } = read({ 'README.md': 'hello' })
    await reader.run(docSurface)
    const before = JSON.stringify(reader.positions.get('doc poll'))
    const step = await reader.run(docSurface)
    expect([reader.requests.length, step.changes.length]).toEqual([1, 0])
    expect(JSON.stringify(reader.positions.get('doc poll'))).toBe(before)
  })

  it('are read again only where their text changed, and a binary file is not read twice', async () => {
    const { repository, reader } = read({ 'a.md': 'a', 'b.md': 'b', 'image.txt': BINARY })
    await reader.run(docSurface)
    repository.commit({ 'a.md': 'a', 'b.md': 'b2', 'image.txt': BINARY, 'code.ts': 'x' })
    await reader.run(docSurface)
    expect(reader.requests.filter((request) => request.startsWith('graphql'))).toEqual(['graphql 1 p', 'graphql 1 b'])
    expect(bodies(reader)).toEqual({ 'a.md': 'a', 'b.md': 'b2' })
  })

  it('ask for texts and dates in batches of 50', async () => {
    const { reader } = read(Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`d/${at}.md`, `text ${at}`])))
    await reader.run(docSurface)
    expect(reader.rows.documents('doc')).toHaveLength(450)
    // The head, three lists of the tree, nine batches of dates and nine of texts.
    expect(reader.requests).toHaveLength(1 + 3 + 9 + 9)
  })

  it('are halved into smaller batches when GitHub fails, and grow again', async () => {
    const { reader } = read(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.md`, `text ${at}`])))
    await reader.run(docSurface, { aliases: 13 })
    expect(reader.rows.documents('doc')).toHaveLength(60)
    expect(reader.requests.slice(2, 6)).toEqual(['graphql 50 p', 'graphql 25 p', 'graphql 12 p', 'graphql 24 p'])
  })
})

describe('documents', () => {
  it('are removed when a whole tree lacks the file, also the last one', async () => {
    const { repository, reader } = read({ 'a.md': 'a', 'docs/b.md': 'b' })
    await reader.run(docSurface)
    repository.commit({ 'docs/b.md': 'b' })
    await reader.run(docSurface)
    expect(bodies(reader)).toEqual({ 'docs/b.md': 'b' })
    repository.commit({ 'code.ts': 'x' })
    await reader.run(docSurface)
    expect(bodies(reader)).toEqual({})
  })

  it('of a tree without any file are removed', async () => {
    const { repository, reader } = read({ 'a.md': 'a' })
    await reader.run(docSurface)
    repository.commit({})
    await reader.run(docSurface)
    expect(bodies(reader)).toEqual({})
  })

  it('of a repository that has no commits any more are removed', async () => {
    const { repository, reader } = read({ 'a.md': 'a' })
    await reader.run(docSurface)
    repository.head = undefined
    await reader.run(docSurface)
    expect(bodies(reader)).toEqual({})
  })

  it.each([1, 3, 7])(
    'of a tree that GitHub cuts after %i entries are read and removed folder by folder',
    async (treeEntries) => {
      const files: Record<string, string> = { 'top.md': 'top' }
      for (const folder of ['a', 'b/c', 'b/d', 'e'])
        for (const name of ['1', '2', '3']) files[`${folder}/${name}.md`] = `${folder} ${name}`
      const { repository, reader } = read(files)
      await reader.run(docSurface, { treeEntries, budget: 1 })
      expect(bodies(reader)).toEqual(files)
      const { 'b/c/2.md': _one, 'e/1.md': _two, 'e/2.md': _three, 'e/3.md': _four, ...left } = files
      repository.commit(left)
      await reader.run(docSurface, { treeEntries, budget: 1 })
      expect(bodies(reader)).toEqual(left)
    },
  )

  it('stay when even the list of their folder is cut', async () => {
    const { repository, reader } = read({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd/e.md': 'e' })
    await reader.run(docSurface)
    repository.commit({ 'a.md': 'a2', 'b.md': 'b', 'c.md': 'c', 'd/e.md': 'e' })
    await reader.run(docSurface, { treeEntries: 1, folderEntries: 1 })
    expect(bodies(reader)).toEqual({ 'a.md': 'a2', 'b.md': 'b', 'c.md': 'c', 'd/e.md': 'e' })
  })

  it('stay when the tree cannot be read', async () => {
    const { repository, reader } = read({ 'a.md': 'a' })
    await reader.run(docSurface)
    repository.commit({ 'b.md': 'b' })
    const fault = (request: string) =>
      request.includes('/git/trees/') ? ({ kind: 'fault', reason: 'cut' } as const) : undefined
    await expect(reader.run(docSurface, { fault })).rejects.toThrow('does not end')
    expect(bodies(reader)).toEqual({ 'a.md': 'a' })
  })

  it('of a renamed file move to its new path', async () => {
    const { repository, reader } = read({ 'old.md': 'text' })
    await reader.run(docSurface)
    repository.commit({ 'new.md': 'text' })
    await reader.run(docSurface)
    expect(bodies(reader)).toEqual({ 'new.md': 'text' })
  })

  it('follow a branch that is reset to an older commit', async () => {
    const { repository, reader } = read({ 'a.md': 'one' })
    const first = repository.head
    repository.commit({ 'a.md': 'two' })
    await reader.run(docSurface)
    repository.head = first
    await reader.run(docSurface)
    const [document] = reader.rows.documents('doc')
    expect([document?.body, document?.updatedAt]).toEqual(['one', repository.commits.get(first ?? '')?.at])
  })

  it('get new addresses when the default branch changes its name', async () => {
    const { repository, reader } = read({ 'a.md': 'one' })
    await reader.run(docSurface)
    repository.branch = 'trunk'
    await reader.run(docSurface)
    expect(reader.rows.documents('doc')[0]?.url).toBe('https://github.test/acme/app/blob/trunk/a.md')
  })

  it('get the date of a rewritten history in the next lap, without a change of text', async () => {
    const { repository, reader } = read({ 'a.md': 'one', 'b.md': 'b' })
    await reader.run(docSurface)
    const rewritten = repository.commit({ 'a.md': 'one', 'b.md': 'b' }, { parents: [] })
    await reader.run(docSurface)
    const step = await reader.run(docSurface, { walk: 'lap' })
    expect(step.ended).toBe(true)
    const at = repository.commits.get(rewritten)?.at
    expect(reader.rows.documents('doc').map(({ updatedAt }) => updatedAt)).toEqual([at, at])
  })

  it('that a lap finds missing, changed or no longer in the tree are put and removed', async () => {
    const { repository, reader } = read({ 'a.md': 'a', 'b.md': 'b' })
    await reader.run(docSurface)
    reader.rows.apply([{ remove: { identity: { type: 'doc', path: 'a.md' }, repository: { name: 'acme/app' } } }])
    reader.rows.apply([
      { put: { identity: { type: 'doc', path: 'ghost.md' }, repository: { name: 'acme/app' }, body: '' } },
    ])
    await reader.run(docSurface, { walk: 'lap' })
    expect(bodies(reader)).toEqual({ 'a.md': 'a', 'b.md': 'b' })
    expect(repository.commits.size).toBe(1)
  })
})

describe('a file', () => {
  const long = 'x'.repeat(1_100_000)

  it('of more than 1 MiB is cut and marked as cut', async () => {
    const { reader } = read({ 'long.md': long })
    await reader.run(docSurface)
    const [document] = reader.rows.documents('doc')
    expect([document?.body.length, document?.sourceTruncated]).toEqual([1_048_576, true])
  })

  it('of more than 8 MiB has a document without text', async () => {
    const { reader } = read({ 'huge.md': 'x'.repeat(9_000_000) })
    await reader.run(docSurface)
    const [document] = reader.rows.documents('doc')
    expect([document?.body, document?.sourceTruncated]).toEqual(['', true])
    expect(reader.requests.some((request) => request.includes('/git/blobs/'))).toBe(false)
  })

  it.each([
    ['UTF-16 with a byte order mark', Buffer.from('\ufeffgrüße', 'utf16le'), 'grüße'],
    ['windows-1252', Buffer.from('gr\u00fc\u00dfe', 'latin1'), 'grüße'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffgrüße'), 'grüße'],
  ])('in %s is decoded', async (_name, bytes, text) => {
    const { reader } = read({ 'a.md': 'stands for bytes' })
    await reader.run(docSurface, { bytes: new Map([[shaOf('stands for bytes'), bytes.toString('base64')]]) })
    expect(bodies(reader)).toEqual({ 'a.md': text })
  })

  it('that holds a NUL has no document, and its row is removed', async () => {
    const { reader } = read({ 'a.md': 'stands for bytes' })
    const bytes = new Map([[shaOf('stands for bytes'), Buffer.from('a\0b').toString('base64')]])
    reader.rows.apply([
      { put: { identity: { type: 'doc', path: 'a.md' }, repository: { name: 'acme/app' }, body: 'old' } },
    ])
    await reader.run(docSurface, { bytes })
    expect(bodies(reader)).toEqual({})
  })
})

describe('a walk', () => {
  it('reads the commit that it pinned, while the branch moves on', async () => {
    const { repository, reader } = read({ 'a.md': 'a1', 'b.md': 'b1' })
    let steps = 0
    const before = (): void => {
      steps += 1
      if (steps === 2) repository.commit({ 'a.md': 'a2', 'b.md': 'b2' })
    }
    await reader.run(docSurface, { budget: 1, hasGraphql: false, before })
    expect(bodies(reader)).toEqual({ 'a.md': 'a1', 'b.md': 'b1' })
    await reader.run(docSurface, { budget: 1, hasGraphql: false })
    expect(bodies(reader)).toEqual({ 'a.md': 'a2', 'b.md': 'b2' })
  })

  it('begins again when GitHub has lost the pinned commit', async () => {
    const { repository, reader } = read({ 'a.md': 'a1' })
    let steps = 0
    const before = (): void => {
      steps += 1
      if (steps !== 2) return
      repository.commits.clear()
      repository.trees.clear()
      repository.commit({ 'a.md': 'a2' }, { parents: [] })
    }
    await reader.run(docSurface, { budget: 1, before })
    expect(bodies(reader)).toEqual({ 'a.md': 'a2' })
  })

  it('that finds no branch of this name keeps the documents and names the cause', async () => {
    const { repository, reader } = read({ 'a.md': 'a1' })
    await reader.run(docSurface)
    await expect(reader.run(docSurface, { branch: 'gone' })).rejects.toThrow('the default branch gone is not there')
    expect(bodies(reader)).toEqual({ 'a.md': 'a1' })
    expect(repository.head).toBeDefined()
  })
})
