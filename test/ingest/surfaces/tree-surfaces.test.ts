/**
 * A repository changes in any way while runs are cut, killed and refused. After
 * one healthy poll, lap and poll the index equals it. A fixed history of
 * random changes per seed; a failure prints the seed.
 */
import { describe, expect, it } from 'vitest'
import { diffSurface } from '../../../src/ingest/surfaces/diff-surface.ts'
import { docSurface } from '../../../src/ingest/surfaces/doc-surface.ts'
import type { SurfaceSpec } from '../../../src/ingest/surfaces/surface.ts'
import { wikiSurface } from '../../../src/ingest/surfaces/wiki-surface.ts'
import { ModelReader, type WalkOptions } from '../../support/model-rows.ts'
import { runs } from '../../support/runs.ts'
import { BINARY, ScriptedRepository } from '../../support/scripted-repository.ts'

type Random = (below: number) => number

function randomOf(seed: number): Random {
  let state = seed + 1
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PATHS = [
  'README.md',
  'docs/a#b.md',
  'docs/deep/x.txt',
  'docs/é?.rst',
  'src/a.ts',
  'src/b.ts',
  'go.sum',
  'data.txt',
]
const PAGES = ['Home.md', 'Set-Up.md', 'C++.md', 'Old.rst', 'Notes.org', 'FAQ?.textile']

/** One change of the repository, as people and force pushes make them. */
function change(repository: ScriptedRepository, random: Random): void {
  const { head } = repository
  const commits = [...repository.commits.keys()]
  const any = (): string | undefined => commits[random(commits.length)]
  const edited = (base: string | undefined): Record<string, string> => {
    const files: Record<string, string> = { ...repository.filesOf(base) }
    for (let count = random(3); count >= 0; count -= 1) {
      const path = PATHS[random(PATHS.length)] ?? ''
      if (random(4) === 0) delete files[path]
      else files[path] = path === 'data.txt' && random(2) === 0 ? BINARY : `text ${random(6)}`
    }
    return files
  }
  switch (random(9)) {
    case 0: {
      // A merge of any other commit.
      const other = any()
      const parents = [head, other].flatMap((sha) => sha ?? [])
      repository.commit(
        { ...repository.filesOf(other), ...repository.filesOf(head) },
        { parents: [...new Set(parents)] },
      )
      return
    }
    case 1:
      // A reset or a force push to another history.
      repository.head = any()
      if (random(2) === 0) repository.commit(edited(repository.head))
      return
    case 2: {
      // A rebase: the same change on another base.
      const base = any()
      repository.commit(repository.filesOf(head), { parents: base === undefined ? [] : [base] })
      return
    }
    case 3:
      if (random(6) === 0) repository.head = undefined
      else if (random(5) === 0) repository.commit(edited(undefined), { parents: [] })
      else if (head !== undefined) repository.pulls.add(head)
      return
    case 4: {
      if (random(3) > 0 || head === undefined) return
      // GitHub forgets what nothing leads to.
      const kept = new Set(repository.reached([head, ...repository.pulls]).map(({ sha }) => sha))
      for (const sha of commits) if (!kept.has(sha)) repository.commits.delete(sha)
      return
    }
    case 5: {
      const page = PAGES[random(PAGES.length)] ?? ''
      if (random(3) === 0) repository.wiki?.delete(page)
      else repository.wiki?.set(page, `page ${random(9)}`)
      return
    }
    default:
      repository.commit(edited(head), { bot: random(8) === 0 })
  }
}

function truthOf(repository: ScriptedRepository): Record<string, string[]> {
  const { head } = repository
  const files = repository.filesOf(head)
  const docs = Object.entries(files).flatMap(([path, text]) => {
    if (!/\.(md|txt|rst)$/.test(path) || text === BINARY) return []
    return [`${path} ${text} ${repository.lastTouching(head ?? '', path)?.at}`]
  })
  const reached = repository.reached(head === undefined ? [] : [head])
  const diffs = reached.flatMap((commit) => {
    if (commit.bot || commit.parents.length > 1) return []
    return repository.changedFiles(commit).flatMap(({ filename, patch, sha }) => {
      if (filename === 'go.sum') return []
      const isBinary = patch === undefined && repository.blobs.get(String(sha)) === BINARY
      return isBinary ? [] : [`${commit.sha} ${filename} ${patch ?? ''}`]
    })
  })
  return {
    docs: docs.sort(),
    commits: reached.map(({ sha, parents }) => `${sha} ${parents.join()}`).sort(),
    diffs: diffs.sort(),
    wiki: [...(repository.wiki ?? [])].map(([file, text]) => `${file.replace(/\.[a-z]+$/, '')} ${text}`).sort(),
  }
}

function indexOf({ rows, repository }: ModelReader): Record<string, string[]> {
  // Commits that a pull request holds may stay.
  const reached = new Set(
    repository.reached(repository.head === undefined ? [] : [repository.head]).map(({ sha }) => sha),
  )
  const held = new Set(
    repository
      .reached([...repository.pulls])
      .map(({ sha }) => sha)
      .filter((sha) => !reached.has(sha)),
  )
  const shaOf = (identity: object): string => (identity as { commitSha: string }).commitSha
  const pathOf = (identity: object): string => (identity as { path: string }).path
  return {
    docs: rows
      .documents('doc')
      .map(({ identity, body, updatedAt }) => `${pathOf(identity)} ${body} ${updatedAt}`)
      .sort(),
    commits: rows
      .documents('commit')
      .filter(({ identity }) => !held.has(shaOf(identity)))
      .map(({ identity, parents = [] }) => `${shaOf(identity)} ${parents.join()}`)
      .sort(),
    diffs: rows
      .documents('diff')
      .filter(({ identity }) => !held.has(shaOf(identity)))
      .map(({ identity, body }) => `${shaOf(identity)} ${pathOf(identity)} ${body}`)
      .sort(),
    wiki: rows
      .documents('wiki_doc')
      .map(({ identity, body }) => `${pathOf(identity)} ${body}`)
      .sort(),
  }
}

const SPECS: readonly SurfaceSpec[] = [docSurface, diffSurface, wikiSurface]

describe('any history of a repository', () => {
  it.each(Array.from({ length: runs(60) }, (_, seed) => seed))(
    'of seed %i ends with the index equal to it',
    async (seed) => {
      const random = randomOf(seed)
      const repository = new ScriptedRepository()
      repository.wiki = new Map([['Home.md', 'home']])
      const reader = new ModelReader(repository)
      const hasGraphql = random(3) > 0
      const shape: WalkOptions = {
        hasGraphql,
        filesPerPage: 1 + random(4),
        ...(random(2) === 0 && { treeEntries: 1 + random(6) }),
        ...(random(4) === 0 && { listPages: 1 }),
      }
      for (let round = 0; round < 6; round += 1) {
        for (let count = random(6); count >= 0; count -= 1) change(repository, random)
        for (const spec of SPECS) {
          let left = 40
          await reader
            .run(spec, {
              ...shape,
              walk: random(4) === 0 ? 'lap' : 'poll',
              budget: 1 + random(3),
              isKilled: () => random(8) === 0,
              fault: () => (random(9) === 0 ? { kind: 'fault', reason: 'cut' } : undefined),
              before: () => {
                left -= 1
                if (random(15) === 0) change(repository, random)
                if (left < 0) throw new Error('the run is over')
              },
            })
            .catch((error: Error) => expect(error.message).toMatch(/the run is over|does not end/))
        }
      }
      for (const walk of ['poll', 'lap', 'poll'] as const) {
        for (const spec of SPECS) {
          // A walk that was under way ends at the commit that it pinned: the next one reads on from there.
          await reader.run(spec, { ...shape, walk, hasGraphql: true })
          await reader.run(spec, { ...shape, walk, hasGraphql: true })
        }
      }
      expect(indexOf(reader)).toEqual(truthOf(repository))
      expect(reader.faults).toEqual([])
    },
  )
})
