import { expect, test } from 'vitest'
import type { ImportProgress } from '../../../mcp-server/src/import/import-options.ts'
import { TOKEN } from '../../support/admin-model.ts'
import { useImportWorld } from '../../support/import-world.ts'

const world = useImportWorld()

test('pages start with the newest commit, carry the progress, and stay within their size', async () => {
  for (let number = 0; number < 8; number += 1) {
    world.sandbox.commit(
      `c${number}`,
      Object.fromEntries(Array.from({ length: 30 }, (_, file) => [`f${file}.ts`, `${number}\n`.repeat(2000)])),
    )
  }
  const seen: ImportProgress[] = []
  const summary = await world.run({ onProgress: (progress) => seen.push(progress) })
  expect(summary).toMatchObject({ outcome: 'complete', commits: 8, done: 8, total: 8 })
  expect(world.model.pages[0]).toMatchObject({ lines: 0, done: '0' })
  for (const { lines, bytes } of world.model.pages) {
    expect(lines).toBeLessThanOrEqual(100)
    expect(bytes).toBeLessThanOrEqual(1_500_000)
  }
  expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b))
  expect(seen.at(-1)).toMatchObject({ phase: 'done', done: 8, total: 8 })
})

test('a document larger than a page has a page of its own and is cut at 1 MiB', async () => {
  world.sandbox.commit('big', { 'a.md': '"'.repeat(3_000_000), 'b.md': 'b\n' })
  await world.run()
  const [a] = world.ofType('doc')
  expect(a).toMatchObject({ sourceTruncated: true })
  expect(a?.body).toHaveLength(1_048_576)
})

test('a line that the server refuses is omitted and noted', async () => {
  world.sandbox.commit('one', { 'a.ts': 'a\n' })
  const blob = world.sandbox.git('rev-parse', 'HEAD:a.ts')
  world.sandbox.git('update-index', '--add', '--cacheinfo', `100644,${blob},${'d/'.repeat(2100)}c.ts`)
  world.sandbox.git('commit', '-q', '-m', 'long path', `--author=${'n'.repeat(5000)} <a@b>`)
  const summary = await world.run()
  expect(summary.outcome).toBe('complete')
  expect(summary.notes).toEqual([expect.stringMatching(/^Omitted.*diff .*d\/d\/.*file_path/)])
  expect(world.listed('diff')).toEqual(['a.ts added'])
  const commit = world.ofType('commit').find(({ message }) => message === 'long path')
  expect(commit).toMatchObject({ author: 'n'.repeat(4096), fileCount: 1 })
  expect(commit?.files).toBeUndefined()
})

test('a page is sent again when the server was busy with other writers', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n' })
  world.model.fault = (page) => (page === 0 ? 'busy' : undefined)
  expect((await world.run()).outcome).toBe('complete')
})

test('a request that fails is repeated, and a server that stays down is a failure', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n' })
  world.model.fault = (page) => ([503, 429, undefined, 'drop-before', 'drop-after'] as const)[page]
  expect((await world.run()).outcome).toBe('complete')
  world.model.fault = () => 500
  world.sandbox.commit('two', { 'a.md': 'b\n' })
  const failed = await world.run()
  expect(failed).toMatchObject({ outcome: 'failed', failure: { code: 'UNAVAILABLE' } })
  expect(JSON.stringify(failed)).not.toContain(TOKEN)
  expect((await world.run({ adminToken: 'wrong' })).failure?.message).toContain('admin token')
})
