import { join } from 'node:path'
import { expect, test } from 'vitest'
import { valueOf, type Document } from '../../../src/documents/document.ts'
import { useImportWorld } from '../../support/import-world.ts'

const world = useImportWorld()

function release(tag: string): Document | undefined {
  return world.ofType('release').find(({ identity }) => 'tagName' in identity && identity.tagName === tag)
}

/** Subject of each commit -> the tag of the release that lists it. */
function firstReleases(): Record<string, string> {
  const subjects = new Map(
    world.sandbox
      .git('log', '--all', '--format=%H %s')
      .split('\n')
      .map((line): [string, string] => [line.slice(0, 40), line.slice(41)]),
  )
  const pairs = world
    .ofType('release')
    .flatMap((one) => (one.released ?? []).map((sha) => [subjects.get(sha), valueOf(one, 'tagName')]))
  return Object.fromEntries(pairs) as Record<string, string>
}

/** The tags that the pages since the last call sent. */
function sentTags(): string[] {
  return world.model.takeSent('release').map((identity) => ('tagName' in identity ? identity.tagName : ''))
}

test('a release names its commit, the release before it, the commits between, and the commits it was the first to contain', async () => {
  const one = world.sandbox.commit('one', { 'a.ts': '1\n' })
  world.sandbox.git('tag', 'v1.0.0')
  const two = world.sandbox.commit('two', { 'a.ts': '2\n' })
  const three = world.sandbox.commit('three', { 'a.ts': '3\n' })
  world.sandbox.git('tag', '-a', 'v1.1.0', '-m', 'Faster\n\nMuch.')
  world.sandbox.commit('unreleased', { 'a.ts': '4\n' })
  await world.run()
  expect(release('v1.0.0')).toMatchObject({ commitSha: one, commitCount: 1, released: [one], body: '- one' })
  expect(release('v1.0.0')?.previousTag).toBeUndefined()
  expect(release('v1.1.0')).toMatchObject({
    commitSha: three,
    previousTag: 'v1.0.0',
    commitCount: 2,
    released: [three, two],
    body: 'Faster\n\nMuch.',
  })
  expect(release('v1.1.0')?.generated).toBeUndefined()
  expect(release('v1.0.0')?.generated).toBe(true)
})

test('a fix on a backport branch was first released there, and on the main branch in its next release', async () => {
  world.sandbox.commit('start', { 'a.ts': '1\n' })
  world.sandbox.git('tag', 'v1.0.0')
  world.sandbox.commit('feature', { 'b.ts': '1\n' })
  world.sandbox.commit('fix on main', { 'a.ts': '2\n' })
  world.sandbox.git('tag', 'v2.0.0')
  world.sandbox.git('checkout', '-q', '-b', 'v1', 'v1.0.0')
  // Later than v2.0.0 by every date.
  world.sandbox.commit('fix on v1', { 'a.ts': '2\n' })
  world.sandbox.git('tag', 'v1.0.1')
  world.sandbox.git('checkout', '-q', 'main')
  await world.run()
  expect(firstReleases()).toEqual({
    start: 'v1.0.0',
    feature: 'v2.0.0',
    'fix on main': 'v2.0.0',
    'fix on v1': 'v1.0.1',
  })
  expect(release('v1.0.1')).toMatchObject({ previousTag: 'v1.0.0', commitCount: 1 })
  expect(release('v2.0.0')).toMatchObject({ previousTag: 'v1.0.0', commitCount: 2 })
})

test('a fix that was merged into two lines was first released in the lower version', async () => {
  world.sandbox.commit('start', { 'a.ts': '1\n' })
  world.sandbox.git('checkout', '-q', '-b', 'fix')
  world.sandbox.commit('shared fix', { 'f.ts': '1\n' })
  for (const version of ['1.10.0', '1.9.3', '1.11.0-rc.1']) {
    world.sandbox.git('checkout', '-q', '-b', `line-${version}`, 'main')
    world.sandbox.commit(`line ${version}`, { [`${version}.ts`]: '1\n' })
    world.sandbox.git('merge', '-q', '--no-ff', '-m', `merge into ${version}`, 'fix')
    world.sandbox.git('tag', `v${version}`)
  }
  await world.run()
  expect(firstReleases()['shared fix']).toBe('v1.9.3')
  expect(firstReleases()['start']).toBe('v1.9.3')
})

test('a pre-release that a full release contains is the first release, and of two lines the full one is', async () => {
  world.sandbox.commit('start', { 'a.ts': '1\n' })
  world.sandbox.git('tag', 'v1.0.0-beta.1')
  world.sandbox.commit('polish', { 'a.ts': '2\n' })
  world.sandbox.git('tag', 'v1.0.0')
  world.sandbox.git('checkout', '-q', '-b', 'next')
  world.sandbox.commit('shared', { 'b.ts': '1\n' })
  world.sandbox.git('checkout', '-q', '-b', 'stable')
  world.sandbox.commit('steady', { 'c.ts': '1\n' })
  world.sandbox.git('tag', 'v1.5.0')
  world.sandbox.git('checkout', '-q', 'next')
  world.sandbox.commit('wild', { 'd.ts': '1\n' })
  world.sandbox.git('tag', 'v1.1.0-rc.1')
  await world.run()
  expect(firstReleases()).toEqual({
    start: 'v1.0.0-beta.1',
    polish: 'v1.0.0',
    shared: 'v1.5.0',
    steady: 'v1.5.0',
    wild: 'v1.1.0-rc.1',
  })
  expect(release('v1.0.0')?.previousTag).toBe('v1.0.0-beta.1')
})

test('of several tags of one commit one release has its commits, and each knows the release before', async () => {
  world.sandbox.commit('one', { 'a.ts': '1\n' })
  for (const tag of ['core@1.0.0', 'cli@3.0.0']) world.sandbox.git('tag', tag)
  const two = world.sandbox.commit('two', { 'a.ts': '2\n' })
  for (const tag of ['cli@3.1.0', 'v1', 'core@1.1.0']) world.sandbox.git('tag', tag)
  await world.run()
  expect(release('core@1.1.0')).toMatchObject({ previousTag: 'core@1.0.0', commitCount: 1, released: [two] })
  expect(release('cli@3.1.0')).toMatchObject({ previousTag: 'cli@3.0.0', commitCount: 1, commitSha: two })
  expect(release('cli@3.1.0')?.released).toBeUndefined()
  expect(release('v1')).toMatchObject({ previousTag: 'core@1.0.0', commitSha: two })
})

test('a tag of a tag is a release of its commit, and a tag of a file is none', async () => {
  const sha = world.sandbox.commit('one', { 'a.ts': '1\n' })
  world.sandbox.git('tag', '-a', 'inner', '-m', 'in')
  world.sandbox.git('tag', '-a', 'middle', '-m', 'mid', 'inner')
  world.sandbox.git('tag', '-a', 'outer', '-m', 'out', 'middle')
  world.sandbox.git('tag', 'file', 'HEAD:a.ts')
  world.sandbox.git('tag', '-a', 'noted-file', '-m', 'x', 'HEAD:a.ts')
  await world.run()
  expect(world.listed('release')).toEqual(['inner', 'middle', 'outer'])
  expect(release('outer')).toMatchObject({ commitSha: sha, body: 'out' })
})

test('a tag without notes lists the newest subjects and counts the others, and so does one that only repeats its name', async () => {
  for (let number = 1; number <= 103; number += 1) world.sandbox.commit(`change ${number}`)
  world.sandbox.commit('日本語の変更 🎵\nstill the subject\n\nnot the subject')
  world.sandbox.git('tag', 'v1.0.0')
  world.sandbox.commit(`long ${'x'.repeat(400)}`)
  world.sandbox.git('tag', '-a', 'v1.1.0', '-m', 'Release 1.1.0')
  await world.run()
  const lines = release('v1.0.0')?.body.split('\n') ?? []
  expect(lines.slice(0, 2)).toEqual(['- 日本語の変更 🎵 still the subject', '- change 103'])
  expect(lines).toHaveLength(101)
  expect(lines.at(-1)).toBe('and 4 more commits')
  expect(release('v1.1.0')).toMatchObject({ generated: true, author: 'Ren' })
  expect(release('v1.1.0')?.body.length).toBeLessThan(210)
})

test('a tag that is added between two releases changes them alone', async () => {
  for (let number = 1; number <= 6; number += 1) {
    world.sandbox.commit(`c${number}`, { 'a.ts': `${number}\n` })
    if (number % 2 === 0) world.sandbox.git('tag', `v${number}.0`)
  }
  await world.run()
  expect(sentTags()).toEqual(['v2.0', 'v4.0', 'v6.0'])
  world.sandbox.git('tag', 'v3.0', 'HEAD~3')
  const summary = await world.run()
  expect(summary).toMatchObject({ outcome: 'complete', counts: { written: 2 } })
  expect(sentTags()).toEqual(['v3.0', 'v4.0'])
  expect(firstReleases()).toMatchObject({ c3: 'v3.0', c4: 'v4.0' })
  expect(release('v4.0')).toMatchObject({ previousTag: 'v3.0', commitCount: 1, body: '- c4' })
  expect((await world.run()).outcome).toBe('unchanged')
})

test('a tag that moves or goes gives its commits to the next release', async () => {
  for (let number = 1; number <= 4; number += 1) {
    world.sandbox.commit(`c${number}`, { 'a.ts': `${number}\n` })
    world.sandbox.git('tag', `v${number}.0`)
  }
  await world.run()
  sentTags()
  world.sandbox.git('tag', '-f', 'v2.0', 'v3.0')
  await world.run()
  // v3.0 is of the same commit now, where the lower version counts; v4.0 follows another tag of it.
  expect(sentTags()).toEqual(['v2.0', 'v3.0', 'v4.0'])
  expect(firstReleases()).toEqual({ c1: 'v1.0', c2: 'v2.0', c3: 'v2.0', c4: 'v4.0' })
  world.sandbox.git('tag', '-d', 'v2.0')
  await world.run()
  expect(firstReleases()).toEqual({ c1: 'v1.0', c2: 'v3.0', c3: 'v3.0', c4: 'v4.0' })
  expect(world.listed('release')).toEqual(['v1.0', 'v3.0', 'v4.0'])
  world.sandbox.git('tag', '-d', 'v1.0')
  await world.run()
  expect(release('v3.0')).toMatchObject({ commitCount: 3 })
  expect(release('v3.0')?.previousTag).toBeUndefined()
})

test('a tag on a branch that HEAD does not reach is a release too', async () => {
  world.sandbox.commit('start', { 'a.ts': '1\n' })
  world.sandbox.git('checkout', '-q', '-b', 'side')
  const side = world.sandbox.commit('side', { 'b.ts': '1\n' })
  world.sandbox.git('tag', 'v0.1')
  world.sandbox.git('checkout', '-q', 'main')
  await world.run()
  expect(release('v0.1')).toMatchObject({ commitSha: side, commitCount: 2 })
  expect(firstReleases()).toEqual({ start: 'v0.1', side: 'v0.1' })
})

test('a shallow clone gives no number of commits where some are missing, and gives it once it is deepened', async () => {
  for (const number of [1, 2, 3, 4]) {
    world.sandbox.commit(`c${number}`, { 'a.ts': `${number}\n` })
    if (number > 2) world.sandbox.git('tag', `v${number}.0`)
  }
  const clone = join(world.sandbox.root, 'clone')
  world.sandbox.gitIn(world.sandbox.root, 'clone', '-q', '--depth', '2', `file://${world.sandbox.folder}`, clone)
  world.sandbox.gitIn(clone, 'fetch', '-q', '--tags', '--depth', '2')
  await world.run({ path: clone, repo: 'local/project' })
  expect(release('v3.0')?.commitCount).toBeUndefined()
  expect(release('v4.0')).toMatchObject({ previousTag: 'v3.0', commitCount: 1 })
  world.sandbox.gitIn(clone, 'fetch', '-q', '--unshallow')
  await world.run({ path: clone, repo: 'local/project' })
  expect(release('v3.0')).toMatchObject({ commitCount: 3 })
})
