import { expect, test } from 'vitest'
import { formatStatus } from '../../../mcp-server/src/cli/status-table.ts'

const GITHUB = { auth: 'none', webhook: 'off', api_url: 'https://api.github.com' } as const
const NOW = Date.parse('2026-11-30T12:00:00Z')

test('a status shows rows by type, how far each source is read, pending work and the last error', () => {
  const status = {
    version: '0.1.0',
    schema: 1,
    github: GITHUB,
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
  const text = formatStatus(
    'http://127.0.0.1:1/mcp',
    { version: '1', schema: 1, github: GITHUB, repositories: [] },
    NOW,
  )
  expect(text).toContain('Nothing is indexed yet.')
})
