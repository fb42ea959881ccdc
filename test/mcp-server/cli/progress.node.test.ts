import { expect, test } from 'vitest'
import type { ImportProgress, Summary } from '../../../mcp-server/src/import/import-options.ts'
import { progressLine, summaryLines } from '../../../mcp-server/src/cli/progress.ts'
import { connectLines } from '../../../mcp-server/src/cli/start/connect-hint.ts'

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
}

function at(done: number, phase: ImportProgress['phase'] = 'commits'): ImportProgress {
  return { repo: 'a/b', phase, done, total: 9 }
}

/** A stream that keeps what is written, and a clock that stands until moved. */
function watched(isTTY: boolean) {
  const written: string[] = []
  const clock = { ms: 0 }
  const line = progressLine({ isTTY, write: (text) => written.push(text) }, () => clock.ms)
  return { written, clock, line }
}

test('in a log: a line at each phase and then now and again', () => {
  const { written, clock, line } = watched(false)
  line.update(at(1, 'documents'))
  line.update(at(2))
  line.update(at(3))
  clock.ms = 5_000
  line.update(at(4))
  line.update(at(9, 'done'))
  expect(written).toEqual([
    'a/b: 1 of 9 read (11%), now documents\n',
    'a/b: 2 of 9 read (22%), now commits\n',
    'a/b: 4 of 9 read (44%), now commits\n',
  ])
})

test('on a terminal: one line rewritten, and cleared for a line of its own', () => {
  const { written, clock, line } = watched(true)
  line.update(at(1))
  clock.ms = 100
  line.update(at(2))
  line.say('note')
  line.say('more')
  expect(written).toEqual([
    '\r\u001B[Ka/b: 1 of 9 read (11%), now commits',
    '\r\u001B[Ka/b: 2 of 9 read (22%), now commits',
    '\r\u001B[Knote\n',
    'more\n',
  ])
})

test('a summary names what was written, notes, and what went wrong with its way out', () => {
  expect(summaryLines('/x', SUMMARY)).toEqual(['a/b: 5 written, 3 commits read in 1.5 s'])
  expect(summaryLines('/x', { ...SUMMARY, outcome: 'unchanged' })).toEqual(['a/b: up to date'])
  expect(summaryLines('/x', { ...SUMMARY, done: 0, total: 0 })).toEqual(['a/b: nothing to read'])
  const failure = { code: 'UNAVAILABLE', message: 'git is not there.', hint: 'Install it.' } as const
  const { repo: _repo, ...nameless } = SUMMARY
  expect(summaryLines('/x', { ...nameless, outcome: 'failed', notes: ['Shallow.'], failure })).toEqual([
    '/x: Shallow.',
    '/x: not indexed: git is not there. Install it.',
  ])
})

test('the lines to paste hold the endpoint and JSON that parses', () => {
  const endpoint = 'http://127.0.0.1:8787/mcp'
  const lines = connectLines(endpoint).split('\n')
  expect(lines).toContain(`  claude mcp add --transport http kotodama ${endpoint}`)
  const settings = lines.filter((line) => line.startsWith('  {')).map((line): unknown => JSON.parse(line))
  expect(settings).toEqual([
    { mcpServers: { kotodama: { command: 'npx', args: ['-y', 'mcp-remote', endpoint] } } },
    { mcpServers: { kotodama: { url: endpoint } } },
    { servers: { kotodama: { type: 'http', url: endpoint } } },
  ])
})
