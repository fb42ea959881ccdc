/** The export of an index that was filled from GitHub, and repositories that are known by more than one way or name. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectLines, keyOf, toLines, type Line } from '../../support/github/compared-lines.ts'
import { makeRealCheckout } from '../../support/github/real-checkout.ts'
import type { ScriptedGitHub } from '../../support/github/scripted-github.ts'
import { useStartWorld } from '../../support/github/start-world.ts'

const world = useStartWorld()

function runImport(data: string, ...args: readonly string[]): void {
  const all = ['mcp-server/src/cli/import.ts', '--data', join(world.folder, data), ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8', timeout: 120_000 })
  if (status !== 0) throw new Error(`import ended with ${status}: ${stdout}${stderr}`)
}

/** The only repository of a world. */
function repositoryOf(github: ScriptedGitHub) {
  const [repository] = world.server.worlds.get(github.id)!.world.repositories.values()
  return repository!
}

test('an export that is imported into an empty product is exported again byte for byte', async () => {
  const github = await world.createSample()
  await github.edit({ do: 'edit_repository', repo: 'acme/app', private: true })
  // A patch that GitHub does not give is in the index as cut.
  await github.set({ maxPatchBytes: 60 })
  const { product } = await world.serve(github)
  await product.pollToEnd()
  const exported = await product.export()
  expect(exported).toContain('"source_truncated":true')
  expect(exported).toContain('"repo_private":true')
  const file = join(world.folder, 'export.ndjson')
  writeFileSync(file, exported)
  const other = await world.serve(github, { data: 'other' })
  runImport('other', '--documents', file)
  expect(await other.product.export()).toBe(exported)
  // Imported again it changes nothing, and a read of GitHub after it has nothing to add.
  runImport('other', '--documents', file)
  await other.product.heal()
  expect(await other.product.export()).toBe(exported)
})

test('a checkout that was imported is adopted by the id of its repository on GitHub, each row once', async () => {
  const github = await world.createSample()
  const { product } = await world.serve(github)
  const checkout = join(world.folder, 'app')
  makeRealCheckout(checkout, repositoryOf(github))
  runImport('data', '--path', checkout)
  const imported = toLines(await product.export())
  expect(imported.map(({ repo }) => repo)).toEqual(imported.map(() => 'acme/app'))
  expect(imported.filter(({ type }) => type === 'commit').length).toBeGreaterThan(30)
  await product.heal()
  const lines = toLines(await product.export())
  expect(new Set(lines.map(keyOf)).size).toBe(lines.length)
  const ofType = (all: readonly Line[], type: string): string[] =>
    all
      .filter((line) => line['type'] === type)
      .map((line) => `${String(line['commit_sha'])} ${String(line['file_path'])}`)
  for (const type of ['commit', 'diff'])
    expect(ofType(lines, type).toSorted()).toEqual(ofType(imported, type).toSorted())
  // A commit that the index has is not asked for again: git names its author, and the address has no place in the page.
  const { documents, heldCommits } = await github.expected()
  const withoutGitHub = (line: Line): Line =>
    line['type'] === 'commit' || line['type'] === 'diff' ? { ...line, author: line['commit_author'], url: '' } : line
  expectLines(lines.map(withoutGitHub), {
    documents: documents.map(withoutGitHub) as unknown as typeof documents,
    heldCommits,
  })
  const { repositories } = await product.status()
  expect(repositories.map(({ repo, repo_id: id }) => [repo, id])).toEqual([['acme/app', repositoryOf(github).id]])
  // The import goes on under the same repository.
  runImport('data', '--path', checkout)
  expect(toLines(await product.export()).length).toBe(lines.length)
})

test('a renamed repository is one repository with all of its rows, under either name in the settings', async () => {
  const github = await world.createSample()
  const { server, product } = await world.serve(github)
  await product.pollToEnd()
  const before = toLines(await product.export()).length
  await github.edit({ do: 'rename_repository', repo: 'acme/app', to: 'engine' })
  await github.edit({ do: 'open_issue', repo: 'acme/engine', title: 'Marmalade overflows', body: 'A new jar.' })
  await product.heal()
  const lines = toLines(await product.export())
  expect(lines.length).toBe(before + 1)
  expectLines(lines, await github.expected())
  expect((await product.status()).repositories.map(({ repo }) => repo)).toEqual(['acme/engine'])
  expect((await product.search({ query: 'marmalade', repo: 'acme/engine' }))[0]).toMatchObject({ repo: 'acme/engine' })
  server.process.kill('SIGTERM')
  await server.ends()
  const again = await world.serve(github, { environment: { GITHUB_REPOSITORIES: 'acme/engine,acme/app' } })
  await again.product.pollToEnd()
  expect((await again.product.status()).repositories.map(({ repo }) => repo)).toEqual(['acme/engine'])
  expect(toLines(await again.product.export())).toEqual(lines)
})

test('a name that another repository takes over stands for that one, and the rows of both stay apart', async () => {
  const github = await world.createSample()
  const { product } = await world.serve(github)
  await product.pollToEnd()
  const first = repositoryOf(github)
  await github.edit({ do: 'rename_repository', repo: 'acme/app', to: 'old-app' })
  await github.edit({ do: 'create_repository', repo: 'acme/app' })
  await github.edit({
    do: 'open_issue',
    repo: 'acme/app',
    title: 'Marmalade overflows',
    body: 'Issue one of the new one.',
  })
  await product.heal()
  const lines = toLines(await product.export())
  const taken = lines.filter((line) => line['repo_id'] !== first.id)
  expectLines(taken, await github.expected({ repo: 'acme/app' }))
  const old = lines.filter((line) => line['repo_id'] === first.id)
  // It is not read any more, but its rows have its name and its addresses.
  expectLines(old, await github.expected({ repo: 'acme/old-app' }))
  const found = await product.search({ query: 'parser', repo: 'acme/app' })
  expect(found.filter(({ url }) => url?.includes('old-app') === true)).toEqual([])
  const { repositories } = await product.status()
  expect(repositories.find(({ repo }) => repo === 'acme/app')).toMatchObject({
    configured: true,
    documents: { issue: 1 },
  })
  expect(repositories.filter(({ configured }) => configured)).toHaveLength(1)
})
