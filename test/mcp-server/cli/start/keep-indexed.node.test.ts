import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ImportOptions, Summary } from '../../../../mcp-server/src/import/import-options.ts'
import { listNewestSubjects } from '../../../../mcp-server/src/cli/start/checkout-queries.ts'
import { keepIndexed } from '../../../../mcp-server/src/cli/start/keep-indexed.ts'

let root: string
let stop: AbortController
let imports: string[]
let summaries: string[]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kotodama-indexing-'))
  stop = new AbortController()
  imports = []
  summaries = []
})
afterEach(() => {
  stop.abort()
  rmSync(root, { recursive: true, force: true })
})

let seconds = 1_790_000_000

/** Each commit is a second later than the one before. */
function git(path: string, ...args: string[]): void {
  const date = `${(seconds += 1)} +0000`
  execFileSync('git', ['-C', path, '-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], {
    stdio: 'ignore',
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  })
}

function checkout(name: string): string {
  const path = join(root, name)
  mkdirSync(path)
  git(path, 'init', '-q')
  git(path, 'commit', '-q', '--allow-empty', '-m', `first of ${name}`)
  return path
}

function summary(changes: Partial<Summary> = {}): Summary {
  const counts = { written: 1, unchanged: 0, stale: 0, removed: 0 }
  const sums = { counts, commits: 1, pages: 1, done: 1, total: 1, elapsedMs: 1 }
  return { outcome: 'complete', ...sums, notes: [], excluded: [], ...changes }
}

/** Looks without a pause until there were `enough` imports, and then three times more. */
async function keep(
  checkouts: string[],
  enough: number,
  importOne: (options: ImportOptions) => Promise<Summary>,
  onLook: () => void = () => undefined,
): Promise<void> {
  let looksLeft = 3
  await keepIndexed({
    checkouts,
    endpoint: 'http://127.0.0.1:1',
    adminToken: 't',
    lookEveryMs: 1,
    signal: stop.signal,
    importCheckout: (options) => {
      imports.push(options.path)
      return importOne(options)
    },
    onProgress: () => undefined,
    onSummary: (path, { outcome }) => summaries.push(`${path} ${outcome}`),
    onLooked: () => {
      onLook()
      if (imports.length >= enough && (looksLeft -= 1) < 0) stop.abort()
    },
  })
}

test('each checkout is imported once, and again only when its HEAD has moved', async () => {
  const [a, b] = [checkout('a'), checkout('b')]
  let looks = 0
  await keep(
    [a, b],
    3,
    async () => summary(),
    () => {
      if ((looks += 1) === 2) git(b, 'commit', '-q', '--allow-empty', '-m', 'second')
    },
  )
  expect(imports).toEqual([a, b, b])
  expect(summaries).toEqual([`${a} complete`, `${b} complete`, `${b} complete`])
})

test('a failure is reported once and tried again, and the other checkouts are not affected', async () => {
  const [a, b] = [checkout('a'), checkout('b')]
  let tries = 0
  await keep([a, b], 4, async ({ path }) => {
    if (path === b) return summary()
    tries += 1
    if (tries < 3) return summary({ outcome: 'failed', failure: { code: 'UNAVAILABLE', message: 'no answer' } })
    return summary()
  })
  expect(imports).toEqual([a, b, a, a])
  expect(summaries).toEqual([`${a} failed`, `${b} complete`, `${a} complete`])
})

test('an import that throws is reported as failed and does not end the watching', async () => {
  const a = checkout('a')
  await keep([a], 2, () => Promise.reject(new Error('bug')))
  expect(summaries).toEqual([`${a} failed`])
})

test('a folder without history is imported once', async () => {
  const plain = join(root, 'plain')
  mkdirSync(plain)
  await keep([plain, join(root, 'absent')], 2, async () => summary())
  expect(imports).toHaveLength(2)
})

test('an import that is stopped is not reported as a result', async () => {
  const a = checkout('a')
  await keep([a, checkout('b')], 9, async () => {
    stop.abort()
    return summary({ outcome: 'aborted' })
  })
  expect(imports).toEqual([a])
  expect(summaries).toEqual([])
})

test('the newest subjects are those of commits that are no merges, and empty without a history', async () => {
  const a = checkout('a')
  git(a, 'checkout', '-q', '-b', 'side')
  git(a, 'commit', '-q', '--allow-empty', '-m', 'on the side')
  git(a, 'checkout', '-q', '-')
  git(a, 'merge', '-q', '--no-ff', '-m', 'a merge', 'side')
  expect((await listNewestSubjects(a, 3))[0]).toBe('on the side')
  expect(await listNewestSubjects(a, 1)).toEqual(['on the side'])
  expect(await listNewestSubjects(root, 3)).toEqual([])
})
