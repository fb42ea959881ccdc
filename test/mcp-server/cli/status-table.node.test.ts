import { expect, test } from 'vitest'
import { formatStatus } from '../../../mcp-server/src/cli/status-table.ts'

const github = { auth: 'token', webhook: 'off', api_url: 'https://api.github.com' } as const
const NOW = Date.parse('2026-11-30T12:00:00Z')

test('a status shows rows by type, how far each source is read, pending work and the last error', () => {
  const status = {
    version: '0.1.0',
    schema: 1,
    github,
    repositories: [
      {
        repo: 'local/a',
        private: true,
        configured: false,
        surfaces: [],
        documents: { doc: 12, diff: 1034, issue: 0 },
        cursors: [
          { source: 'git', position: 'x', done: 40, total: 90, moved_at: '2026-11-30T11:58:30Z' },
          { source: 'tags', position: 'y', done: 3, total: 3, moved_at: '2026-11-28T11:00:00Z' },
          { source: 'poll', position: 'z', moved_at: '2026-11-30T12:00:00Z' },
        ],
        pending: 3,
        last_error: 'broken pipe',
      },
      { repo: 'b/c', private: false, configured: false, documents: {}, cursors: [], surfaces: [], pending: 0 },
    ],
  }
  expect(formatStatus('http://127.0.0.1:1/mcp', status, NOW)).toBe(
    `Kotodama 0.1.0 (schema 1) at http://127.0.0.1:1/mcp

local/a (private)
  doc         12
  diff        1034
  read git    40 of 90, moved 1 min ago
  read tags   all 3, moved 2 d ago
  read poll   moved just now
  pending     3 rows
  last error  broken pipe

b/c
  rows     none
  pending  none`,
  )
})

test('the status of an empty index says that nothing is indexed', () => {
  const text = formatStatus('http://127.0.0.1:1/mcp', { version: '1', schema: 1, github, repositories: [] }, NOW)
  expect(text).toContain('Nothing is indexed yet.')
})

test('a repository of GitHub has a row for each surface, with its state, its age and its error', () => {
  const quiet = { rows: 0, pending: 0, requests: 1 }
  const status = {
    version: '0.1.0',
    schema: 1,
    github: {
      ...github,
      webhook: 'on',
      rate_limit: { limit: 5000, remaining: 4812, resets_at: '2026-11-30T12:40:00Z' },
      last_delivery_at: '2026-11-30T11:59:30Z',
    },
    repositories: [
      {
        repo: 'acme/app',
        private: true,
        archived: true,
        configured: true,
        documents: { issue: 3400, commit: 7 },
        cursors: [],
        surfaces: [
          { surface: 'issue', state: 'reading', rows: 3400, done: 3400, total: 6000, pending: 2, requests: 34 },
          { surface: 'pull_request', state: 'current', ...quiet, lag_s: 61 },
          { surface: 'wiki_doc', state: 'unreadable', ...quiet, last_error: 'The wiki is private.' },
        ],
        pending: 2,
      },
    ],
  } as const
  const lines = formatStatus('http://127.0.0.1:1/mcp', structuredClone(status) as never, NOW).split('\n')
  expect(lines[1]).toMatch(
    /^GitHub: with a token, 4,812 of 5,000 requests left until \d\d:\d\d, webhook on, last delivery 30 s ago$/,
  )
  expect(lines.slice(3)).toEqual([
    'acme/app (private, archived)',
    '  surface        state       rows   read            pending  requests',
    '  issues         reading     3,400  3,400 of 6,000  2        34',
    '  pull requests  current     0      1 min ago       0        1',
    '  wiki pages     unreadable  0                      0        1         The wiki is private.',
    '  commit   7',
    '  pending  2 rows',
  ])
})
