import { expect, test } from 'vitest'
import { toNewsLines, toProgressText, toSummaryLines } from '../../../../mcp-server/src/cli/terminal/import-texts.ts'
import type { Summary } from '../../../../mcp-server/src/import/import-options.ts'

const SUMMARY: Summary = {
  outcome: 'complete',
  repo: 'a/b',
  counts: { written: 5, unchanged: 0, stale: 0, removed: 0 },
  commits: 3,
  pages: 1,
  done: 5,
  total: 5,
  elapsedMs: 1_500,
  notes: [],
  excluded: [],
}

test('progress names the repository, the share that is stored and the kind that is being read', () => {
  const at = { repo: 'a/b', done: 2, total: 9 }
  expect(toProgressText({ ...at, phase: 'commits' })).toBe('a/b: 2 of 9 read (22%), now commits')
  expect(toProgressText({ ...at, done: 9, phase: 'done' })).toBe('a/b: 9 of 9 read (100%)')
})

test('the news of npm start name what was written, the notes, and a failure with its hint', () => {
  expect(toNewsLines('/x', SUMMARY)).toEqual(['a/b: 5 written, 3 commits read in 1.5 s'])
  expect(toNewsLines('/x', { ...SUMMARY, outcome: 'unchanged' })).toEqual(['a/b: up to date'])
  expect(toNewsLines('/x', { ...SUMMARY, done: 0, total: 0 })).toEqual(['a/b: nothing to read'])
  const failure = { code: 'UNAVAILABLE', message: 'git is not there.', hint: 'Install it.' } as const
  const { repo: _repo, ...nameless } = SUMMARY
  expect(toNewsLines('/x', { ...nameless, outcome: 'failed', notes: ['Shallow.'], failure })).toEqual([
    '/x: Shallow.',
    '/x: not indexed: git is not there. Install it.',
  ])
})

test('the summary of npm run import says how the import ended, its counts and its notes', () => {
  const counts = { written: 5, unchanged: 1, stale: 2, removed: 0 }
  expect(toSummaryLines({ ...SUMMARY, counts, notes: ['Shallow.'] })).toEqual([
    'a/b: all is in the index',
    '5 written, 1 unchanged, 0 removed, 2 older than the index, 3 commits, 1.5 s',
    'Shallow.',
  ])
  expect(toSummaryLines({ ...SUMMARY, outcome: 'partial', done: 4 })[0]).toBe(
    'a/b: stopped by --max-commits at 4 of 5; run it again to continue',
  )
  expect(toSummaryLines({ ...SUMMARY, outcome: 'failed', pages: 0 })[0]).toBe('a/b: failed before anything was sent')
})

test('both name the excluded files and how many changes they had', () => {
  const excluded = [
    { kind: 'lock file', changes: 1, names: ['yarn.lock'], moreNames: 0 },
    { kind: 'vendored', changes: 340, names: ['a/vendor/', 'node_modules/'], moreNames: 0 },
    { kind: 'generated', changes: 9, names: ['a.pb.go', 'b.pb.go', 'c.pb.go'], moreNames: 4 },
  ] as const
  const line =
    'Excluded: 1 change of lock files (yarn.lock); 340 changes of vendored files (a/vendor/, node_modules/); ' +
    '9 changes of generated files (a.pb.go, b.pb.go, c.pb.go and 4 more). `npm run import -- --all-files` reads them too.'
  expect(toSummaryLines({ ...SUMMARY, excluded }).at(-1)).toBe(line)
  expect(toNewsLines('/x', { ...SUMMARY, excluded })[0]).toBe(`a/b: ${line}`)
})
