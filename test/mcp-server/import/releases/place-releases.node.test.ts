import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { listTags } from '../../../../mcp-server/src/git/git-reader.ts'
import { gitIn } from '../../../../mcp-server/src/git/run-git.ts'
import { placeReleases, type Placement } from '../../../../mcp-server/src/import/releases/place-releases.ts'
import {
  compareOfOneCommit,
  compareReleases,
  toOrderedTag,
} from '../../../../mcp-server/src/import/releases/tag-order.ts'
import { GitSandbox } from '../../../support/git-sandbox.ts'
import { runs } from '../../../support/runs.ts'

process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'

/** A made history: for each commit its parents among the earlier ones, and the tags of commits. */
interface Made {
  readonly parents: readonly (readonly number[])[]
  readonly tags: readonly (readonly [name: string, commit: number])[]
}

const NAMES = ['v1.0.0-rc.1', 'v1.0.0', 'v1.0.1', 'v1.1.0', 'v2', 'v2.0.0', 'core@1.2.0', 'release-0.9', 'latest']

const made: fc.Arbitrary<Made> = fc.integer({ min: 1, max: 14 }).chain((count) =>
  fc.record({
    parents: fc.tuple(
      ...Array.from({ length: count }, (_, at) =>
        at === 0
          ? fc.constant([])
          : fc.uniqueArray(fc.integer({ min: Math.max(0, at - 4), max: at - 1 }), { maxLength: 2 }),
      ),
    ),
    tags: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), fc.integer({ min: 0, max: count - 1 })), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 7,
    }),
  }),
)

/** The same values computed from whole sets of ancestors. */
function expected({ parents, tags }: Made): Record<string, unknown> {
  const reach = parents.map(() => new Set<number>())
  parents.forEach((list, at) => {
    reach[at] = new Set([at, ...list.flatMap((parent) => [...reach[parent]!])])
  })
  const tagged = [...new Set(tags.map(([, commit]) => commit))]
  const firstOf = (commit: number): string =>
    tags
      .filter(([, at]) => at === commit)
      .map(([name]) => toOrderedTag(name))
      .sort(compareOfOneCommit)[0]!.name
  const firstRelease = parents.map((_, commit) => {
    const containing = tagged.filter((tag) => reach[tag]!.has(commit))
    const minimal = containing.filter((tag) => !containing.some((other) => other !== tag && reach[tag]!.has(other)))
    return minimal.map((tag) => toOrderedTag(firstOf(tag))).sort(compareReleases)[0]?.name
  })
  return Object.fromEntries(
    tags.map(([name, at]) => {
      const nearest = Math.max(
        0,
        ...tagged.filter((tag) => tag !== at && reach[at]!.has(tag)).map((tag) => reach[tag]!.size),
      )
      const released = parents.flatMap((_, commit) => (firstRelease[commit] === name ? [commit] : []))
      return [name, { count: reach[at]!.size - nearest, hasPrevious: nearest > 0, released }]
    }),
  )
}

test('releases of any history are placed as the sets of their ancestors say', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(made, async (history) => {
      const sandbox = new GitSandbox()
      try {
        const tree = sandbox.git('mktree')
        const shas: string[] = []
        for (const parents of history.parents) {
          sandbox.wait(shas.length % 3 === 2 ? -2 : 1)
          const flags = parents.flatMap((parent) => ['-p', shas[parent]!])
          shas.push(sandbox.git('commit-tree', tree, ...flags, '-m', `c${shas.length}`))
        }
        for (const [name, commit] of history.tags) sandbox.git('tag', name, shas[commit]!)
        const run = gitIn(sandbox.folder)
        const placed = await placeReleases(run, await listTags(run), new Set())
        const actual = placed.map(({ tag, commitCount, previousTag, released }) => [
          tag.name,
          {
            count: commitCount,
            hasPrevious: previousTag !== undefined,
            released: released.map((sha) => shas.indexOf(sha)).sort((a, b) => a - b),
          },
        ])
        expect(Object.fromEntries(actual)).toEqual(expected(history))
        for (const placement of placed) expectGitToAgree(sandbox, placement)
      } finally {
        sandbox.remove()
      }
    }),
    { numRuns: runs(12) },
  )
})

function expectGitToAgree(sandbox: GitSandbox, { tag, previousTag, commitCount, listNewest }: Placement): void {
  const range = previousTag === undefined ? [tag.name] : [`${previousTag}..${tag.name}`]
  expect(commitCount).toBe(Number(sandbox.git('rev-list', '--count', ...range, '--')))
  expect(listNewest(100).toSorted()).toEqual(
    sandbox
      .git('rev-list', ...range, '--')
      .split('\n')
      .toSorted(),
  )
  if (previousTag !== undefined) sandbox.git('merge-base', '--is-ancestor', previousTag, tag.name)
}

test('more tags than a mask has bits are placed', async () => {
  const sandbox = new GitSandbox()
  try {
    for (let number = 0; number < 70; number += 1) {
      sandbox.commit(`c${number}`)
      sandbox.git('tag', `v0.${number}.0`)
    }
    sandbox.git('checkout', '-q', '-b', 'backport', 'v0.10.0')
    sandbox.commit('fix')
    sandbox.git('tag', 'v0.10.1')
    const run = gitIn(sandbox.folder)
    const placed = new Map((await placeReleases(run, await listTags(run), new Set())).map((one) => [one.tag.name, one]))
    expect(placed.get('v0.69.0')).toMatchObject({ previousTag: 'v0.68.0', commitCount: 1 })
    expect(placed.get('v0.10.1')).toMatchObject({ previousTag: 'v0.10.0', commitCount: 1 })
    for (const { tag, released } of placed.values()) expect(released).toEqual([tag.commitSha])
  } finally {
    sandbox.remove()
  }
})

test('tags of thousands of branches are placed in seconds', { timeout: 20_000 }, async () => {
  const branches = 5_000
  const sha = (number: number): string => number.toString(16).padStart(40, '0')
  async function* history(): AsyncGenerator<Uint8Array> {
    for (let branch = 0; branch < branches; branch += 1) yield Buffer.from(`${sha(branch)} ${sha(branches)}\n`)
    yield Buffer.from(`${sha(branches)}\n`)
  }
  const tags = Array.from({ length: branches }, (_, branch) => {
    return {
      name: `v1.${branch}`,
      target: sha(branch),
      commitSha: sha(branch),
      message: '',
    }
  })
  const placed = await placeReleases(history, tags, new Set())
  expect(placed[0]?.released).toEqual([sha(0), sha(branches)])
  expect(placed.at(-1)).toMatchObject({ commitCount: 2, released: [sha(branches - 1)] })
})
