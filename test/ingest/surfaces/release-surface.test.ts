/** Releases with the commits of their tags; changed tags, drafts and deletions. */
import { beforeEach, expect, test } from 'vitest'
import { AGAIN_READERS } from '../../../src/ingest/surfaces/index.ts'
import { releaseSurface } from '../../../src/ingest/surfaces/release-surface.ts'
import type { PendingRead } from '../../../src/ingest/surfaces/surface.ts'
import { listedGitHub, release, type ListedGitHub } from '../../support/listed-github.ts'
import { surfaceWorld, walkToEnd, type SurfaceWorld } from '../../support/surface-rows.ts'

const SECOND = 1_000
let github: ListedGitHub
let world: SurfaceWorld

function sha(number: number): string {
  return number.toString(16).padStart(40, '0')
}

/** Newest first, as GitHub lists them. */
function publish(count: number): void {
  for (let id = 1; id <= count; id += 1) {
    github.releases.unshift(release(id, `v1.${id}`, id * SECOND))
    github.tags.unshift({ name: `v1.${id}`, commit: { sha: sha(id) } })
  }
}

function tags(): string[] {
  return [...world.stored.values()].flatMap(({ document: { identity } }) =>
    identity.type === 'release' ? identity.tagName : [],
  )
}

function documentOf(tag: string) {
  return world.stored.get(`release ${tag}`)?.document
}

async function readPending(first: PendingRead): Promise<void> {
  const queue = [first]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const read = await AGAIN_READERS[next.kind as 'release'](world.context, next.key)
    if (!read.ok) throw new Error('a fault')
    world.apply(read.value.changes)
    queue.push(...(read.value.pending ?? []).filter(({ kind }) => kind !== 'commits'))
  }
}

beforeEach(() => {
  github = listedGitHub()
  world = surfaceWorld(github)
})

test('every page is read at first, each release with the commit of its tag', async () => {
  publish(250)
  const { steps } = await walkToEnd(world, releaseSurface)
  expect(tags()).toHaveLength(250)
  expect(documentOf('v1.3')).toMatchObject({ title: 'Release v1.3', commitSha: sha(3), createdAt: 3 * SECOND })
  expect(github.requests).toHaveLength(3 + 3)
  expect(steps.at(-1)?.pending).toEqual([{ kind: 'commits', key: '' }])
})

test('an unchanged list changes nothing, and one of a single page is one conditional request', async () => {
  publish(60)
  await walkToEnd(world, releaseSurface)
  const position = world.positions.get('release')
  github.requests.length = 0
  expect((await walkToEnd(world, releaseSurface)).steps).toEqual([{ changes: [], position, ended: true }])
  expect(github.requests).toHaveLength(1)
  publish(0)
  github.releases = [
    ...github.releases,
    ...Array.from({ length: 70 }, (_, at) => release(900 + at, `old-${at}`, SECOND)),
  ]
  await walkToEnd(world, releaseSurface)
  github.requests.length = 0
  const { steps } = await walkToEnd(world, releaseSurface)
  expect(steps.flatMap(({ changes }) => changes)).toEqual([])
  expect(github.requests).toHaveLength(2)
})

test('what is known of the place of a release stays when its words change', async () => {
  publish(3)
  await walkToEnd(world, releaseSurface)
  const stored = world.stored.get('release v1.2')!
  const place = { previousTag: 'v1.1', commitCount: 4, released: [sha(2)] }
  world.stored.set('release v1.2', { ...stored, document: { ...stored.document, ...place } })
  github.releases[1] = release(2, 'v1.2', 2 * SECOND, { body: 'Better notes', updated_at: '1970-01-01T00:01:00Z' })
  await walkToEnd(world, releaseSurface)
  expect(documentOf('v1.2')).toMatchObject({ ...place, body: 'Better notes', commitSha: sha(2) })
})

test('a release with another tag leaves no row of the old one', async () => {
  publish(3)
  await walkToEnd(world, releaseSurface)
  github.releases[0] = release(3, 'v2.0', 3 * SECOND)
  await walkToEnd(world, releaseSurface)
  expect(tags().sort()).toEqual(['v1.1', 'v1.2', 'v2.0'])
})

test('two releases that exchange their tags keep both rows', async () => {
  publish(2)
  await walkToEnd(world, releaseSurface)
  github.releases = [release(2, 'v1.1', 2 * SECOND), release(1, 'v1.2', SECOND, { updated_at: '1970-01-01T00:01:00Z' })]
  await walkToEnd(world, releaseSurface)
  expect(documentOf('v1.1')?.createdAt).toBe(2 * SECOND)
  expect(tags()).toHaveLength(2)
})

test('drafts have no row, a release that became one loses it, and so do those of bots', async () => {
  publish(2)
  github.releases.unshift(
    release(8, 'v9.0', 8 * SECOND, { draft: true, published_at: null }),
    release(9, 'v9.1', 9 * SECOND, { author: { login: 'ci[bot]', type: 'Bot' } }),
  )
  await walkToEnd(world, releaseSurface)
  expect(tags().sort()).toEqual(['v1.1', 'v1.2'])
  github.releases = github.releases.map((one) => (one.id === 2 ? { ...one, draft: true } : one))
  await walkToEnd(world, releaseSurface)
  expect(tags()).toEqual(['v1.1'])
})

test('a lap proves deletions, puts what was missed, and moves a tag to its commit', async () => {
  publish(120)
  await walkToEnd(world, releaseSurface)
  github.releases = github.releases.filter(({ id }) => id !== 5)
  github.releases[110] = { ...github.releases[110]!, body: 'Edited without a time' }
  github.tags[0] = { name: 'v1.120', commit: { sha: sha(999) } }
  const { steps } = await walkToEnd(world, releaseSurface, 'lap')
  expect(steps.reduce((sum, { checked = 0 }) => sum + checked, 0)).toBe(120)
  expect(tags()).toHaveLength(119)
  expect(tags()).not.toContain('v1.5')
  expect(documentOf(String(github.releases[110]!['tag_name']))?.body).toBe('Edited without a time')
  expect(documentOf('v1.120')?.commitSha).toBe(sha(999))
})

test('an imported tag without a release stays as long as the tag does', async () => {
  publish(2)
  await walkToEnd(world, releaseSurface)
  for (const tagName of ['kept', 'left']) {
    world.apply([{ put: { ...documentOf('v1.1')!, identity: { type: 'release', tagName } } }])
  }
  github.tags.push({ name: 'kept', commit: { sha: sha(7) } })
  await walkToEnd(world, releaseSurface, 'lap')
  expect(tags().sort()).toEqual(['kept', 'v1.1', 'v1.2'])
})

test('one release is read again by its tag, with slashes in it too', async () => {
  publish(1)
  await walkToEnd(world, releaseSurface)
  github.releases.push(release(4, 'core/v4', 4 * SECOND))
  github.tags.push({ name: 'core/v4', commit: { sha: sha(4) } })
  await readPending({ kind: 'release', key: 'core/v4' })
  expect(documentOf('core/v4')).toMatchObject({ body: 'Notes of core/v4', commitSha: sha(4) })
  github.releases = []
  await readPending({ kind: 'release', key: 'core/v4' })
  expect(tags()).toEqual(['v1.1'])
})

test('an annotated tag leads to its commit', async () => {
  publish(1)
  github.answers.set('/repos/acme/app/git/ref/tags/v1.1', {
    kind: 'ok',
    body: { object: { type: 'tag', sha: sha(50) } },
  })
  github.answers.set(`/repos/acme/app/git/tags/${sha(50)}`, {
    kind: 'ok',
    body: { object: { type: 'commit', sha: sha(51) } },
  })
  await readPending({ kind: 'release', key: 'v1.1' })
  expect(documentOf('v1.1')?.commitSha).toBe(sha(51))
})
