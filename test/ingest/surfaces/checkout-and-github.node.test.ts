/** A repository that is imported from a checkout and read from GitHub gives the same documents where both know the values. */
import { expect, test } from 'vitest'
import { diffSurface } from '../../../src/ingest/surfaces/diff-surface.ts'
import { docSurface } from '../../../src/ingest/surfaces/doc-surface.ts'
import type { Document } from '../../../src/documents/document.ts'
import { gitPort } from '../../support/git-port.ts'
import { useImportWorld } from '../../support/import-world.ts'
import { ModelReader } from '../../support/model-rows.ts'
import { ScriptedRepository } from '../../support/scripted-repository.ts'

const world = useImportWorld()

/** By identity. `type` in their order. */
function comparable(documents: readonly Document[], type: string, without: readonly string[]): [string, unknown][] {
  return documents
    .filter(({ identity }) => identity.type === type)
    .map(({ repository: _repository, url: _url, ...document }): [string, unknown] => [
      JSON.stringify(document.identity),
      Object.fromEntries(Object.entries(document).filter(([name]) => !without.includes(name))),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

test('commits, diffs and files are the same', async () => {
  const { sandbox } = world
  sandbox.commit('First\n\nWith a body, see #3.', { 'README.md': '# App\n', 'src/a.ts': 'one\ntwo\nthree\nfour\n' })
  sandbox.commit('add files', {
    'docs/guide.rst': 'Guide\n',
    'empty.ts': '',
    'package-lock.json': '{}\n',
    'data.raw': 'a\0b',
    'gen/x.ts': 'x\n',
    '.gitattributes': 'gen/** linguist-generated\n',
    'vendor/modules.txt': '# a\n',
    'vendor/own/a.go': 'a\n',
    'a#b?.md': 'odd name\n',
  })
  sandbox.git('mv', 'src/a.ts', 'src/moved.ts')
  sandbox.commit('move a file')
  sandbox.git('mv', 'src/moved.ts', 'src/changed.ts')
  sandbox.git('update-index', '--chmod=+x', 'README.md')
  sandbox.git('config', 'core.fileMode', 'false')
  sandbox.commit('move and change (#12)', { 'src/changed.ts': 'one\ntwo\nthree\nfour, and no newline at the end' })
  sandbox.git('checkout', '-q', '-b', 'topic', 'HEAD~2')
  sandbox.commit('on a branch', { 'topic.md': 'topic\n', 'README.md': '# App\n\nmore\n' })
  sandbox.git('checkout', '-q', 'main')
  sandbox.git('rm', '-q', 'empty.ts')
  sandbox.commit('remove a file')
  sandbox.git('merge', '-q', '--no-ff', '-m', 'Merge pull request #4 from topic', 'topic')
  await world.run()
  const imported = world.contents()

  const reader = new ModelReader(new ScriptedRepository())
  const github = gitPort(sandbox)
  await reader.run(docSurface, { github })
  await reader.run(diffSurface, { github })
  const read = (['doc', 'diff', 'commit'] as const).flatMap((type) => reader.rows.documents(type))

  expect(comparable(read, 'diff', [])).toEqual(comparable(imported, 'diff', []))
  // GitHub knows the last commit of a file, and lists no files of a merge.
  expect(comparable(read, 'doc', ['createdAt'])).toEqual(comparable(imported, 'doc', ['createdAt']))
  const ofMerges = new Set(
    imported.filter(({ parents = [] }) => parents.length > 1).map(({ identity }) => JSON.stringify(identity)),
  )
  const others = (documents: readonly Document[]): readonly Document[] =>
    documents.filter(({ identity }) => !ofMerges.has(JSON.stringify(identity)))
  expect(comparable(others(read), 'commit', [])).toEqual(comparable(others(imported), 'commit', []))
  const filesOfMerge = ['files', 'fileCount', 'body']
  expect(comparable(read, 'commit', filesOfMerge)).toEqual(comparable(imported, 'commit', filesOfMerge))
})
