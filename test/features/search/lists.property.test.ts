/** A list in any grouping and with any filters on files has the rows of a simple model, page by page. */
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ask, hits, put, type Line } from '../../support/search-world.ts'
import { runs } from '../../support/runs.ts'

interface File {
  readonly path: string
  readonly status: string
}

interface Commit {
  readonly sha: string
  readonly files: readonly File[]
  /** Files whose patch is stored. */
  readonly diffs: readonly File[]
  /** The commit itself is stored. */
  readonly isStored: boolean
  readonly at: string
  readonly tag: string
}

const PATHS = ['docs/a.md', 'docs/b/c.md', 'docs.md', 'src/a.ts', 'src/a.ts.map']
const STATUSES = ['added', 'modified', 'removed', 'renamed']
const TIMES = ['2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z', '2026-05-02T00:00:01Z']
const TAGS = ['v1', 'v2']
const SINCE = '2026-05-02T00:00:00Z'

const file = fc.record({ path: fc.constantFrom(...PATHS), status: fc.constantFrom(...STATUSES) })
const files = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 4, minLength: 1 })

const COMMITS: readonly Commit[] = fc
  .sample(
    fc.record({
      files,
      kept: fc.constantFrom('all', 'first', 'none'),
      isStored: fc.boolean(),
      at: fc.constantFrom(...TIMES),
      tag: fc.constantFrom(...TAGS, ''),
    }),
    { numRuns: 60, seed: 12 },
  )
  .map(({ kept, ...one }, at) => ({
    ...one,
    sha: (at + 10).toString(16).padStart(2, '0').repeat(20),
    diffs: kept === 'all' ? one.files : one.files.slice(0, kept === 'first' ? 1 : 0),
  }))
  .filter(({ isStored, diffs }) => isStored || diffs.length > 0)

/** Rows with a path that are no changes, and rows without one. */
const OTHERS: readonly Line[] = [
  ...PATHS.map((path, at): Line => ({
    type: 'doc',
    doc_path: path,
    updated_at: TIMES[at % 3]!,
    created_at: TIMES[0]!,
  })),
  ...TIMES.map((at, number): Line => ({
    type: 'issue',
    number: number + 1,
    title: 'x',
    created_at: at,
    updated_at: at,
  })),
]

beforeAll(async () => {
  const lines = COMMITS.flatMap(({ sha, isStored, at, files: changed, diffs }): Line[] => [
    ...(isStored ? [{ type: 'commit', commit_sha: sha, message: 'Change', commit_date: at, files: changed }] : []),
    ...diffs.map(({ path, status }): Line => ({
      type: 'diff',
      commit_sha: sha,
      file_path: path,
      file_status: status,
      message: 'Change',
      body: `+${path}`,
      updated_at: at,
      created_at: at,
    })),
  ])
  const releases = TAGS.map((tag): Line => ({
    type: 'release',
    tag_name: tag,
    created_at: TIMES[0]!,
    updated_at: TIMES[0]!,
    released: COMMITS.filter((commit) => commit.tag === tag).map(({ sha }) => sha),
  }))
  await put([...lines, ...OTHERS, ...releases])
})

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)

const call = fc.record(
  {
    group: fc.constantFrom('auto', 'file', 'none'),
    detail: fc.constantFrom('compact', 'full'),
    sort: fc.constantFrom('updated_desc', 'created_desc'),
    type: fc.constantFrom('commit', 'diff', 'doc', 'issue', 'release'),
    path_prefix: fc.constantFrom('docs', 'docs/b', 'src/a.ts', 'docs.md', 'none'),
    file_status: fc.constantFrom(...STATUSES),
    release: fc.constantFrom(...TAGS),
    not: fc.constantFrom('docs', 'src', 'src/a.ts'),
    since: fc.constantFrom('2026-01-01T00:00:00Z', SINCE),
  },
  { requiredKeys: ['group', 'since'] },
)
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never

/** Names of the rows that a list must have. */
function expected({ group, type, path_prefix: prefix, file_status: status, release, not, since }: Call): string[] {
  const isChange = (one: File) =>
    (prefix === undefined || isUnder(one.path, prefix)) && (status === undefined || one.status === status)
  const isKept = ({ path }: File) => not === undefined || !isUnder(path, not)
  const onFiles = prefix !== undefined || status !== undefined
  const rows = COMMITS.filter(({ at, tag }) => at >= since && (release === undefined || tag === release)).flatMap(
    ({ sha, isStored, files: changed, diffs }) => {
      const name = `commit:${sha.slice(0, 7)}`
      const passing = diffs.filter(isChange)
      const hasFile = changed.some(isChange)
      if (group === 'auto') {
        if (type !== undefined && type !== 'commit' && type !== 'diff') return []
        const needsFile = onFiles || type === 'diff'
        if (isStored) return !needsFile || hasFile ? [name] : []
        return passing.some(isKept) ? [name] : []
      }
      const own = isStored && (!onFiles || hasFile) ? [name] : []
      const each = passing.filter(isKept).map(({ path }) => `diff:${sha.slice(0, 7)} ${path}`)
      if (type === 'commit') return own
      if (type === 'diff') return each
      return type === undefined ? [...each, ...(passing.length === 0 ? own : [])] : []
    },
  )
  const others = OTHERS.filter(
    (one) =>
      String(one['updated_at']) >= since &&
      (type === undefined || type === one['type']) &&
      (prefix === undefined || isUnder(String(one['doc_path'] ?? ''), prefix)) &&
      !(not !== undefined && isUnder(String(one['doc_path'] ?? ''), not)) &&
      status === undefined &&
      release === undefined,
  ).map((one) => (one['type'] === 'doc' ? `doc:${one['doc_path']}` : `issue#${one['number']}`))
  const isOfRelease = (type === undefined || type === 'release') && !onFiles && release === undefined
  const releases = isOfRelease && TIMES[0]! >= since ? TAGS.map((tag) => `release:${tag}`) : []
  return [...rows, ...others, ...releases].toSorted()
}

test('the pages of a list have each row of the model once, newest first', async () => {
  await fc.assert(
    fc.asyncProperty(call, fc.integer({ min: 1, max: 9 }), async (one, size) => {
      // Documentation has another time of creation, so windows are compared on one clock.
      const { not, ...args } = one.sort === 'created_desc' ? { ...one, since: '2026-01-01T00:00:00Z' as const } : one
      const query = not === undefined ? {} : { query: `-path:${not}` }
      const rows: string[] = []
      const times: string[] = []
      for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
        const answer = await ask({ ...args, ...query, top_k: page % 2 === 0 ? size : 50, ...(cursor && { cursor }) })
        rows.push(...hits(answer))
        times.push(...answer.results.map((row) => (args.sort !== 'created_desc' && row.updated_at) || row.created_at))
        cursor = answer.next_cursor
      }
      expect(rows.toSorted()).toEqual(expected({ ...args, ...(not !== undefined && { not }) }))
      expect(times).toEqual(times.toSorted().toReversed())
    }),
    { numRuns: runs(150) },
  )
})
