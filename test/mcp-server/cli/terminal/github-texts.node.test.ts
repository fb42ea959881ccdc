import { expect, test } from 'vitest'
import { toReadingLine, toTroubleLines } from '../../../../mcp-server/src/cli/terminal/github-texts.ts'
import type { RepositoryStatus, SurfaceStatus } from '../../../../src/contracts/admin/status-contract.ts'

function repository(surfaces: readonly Partial<SurfaceStatus>[]): RepositoryStatus {
  const whole = surfaces.map((one) => ({ state: 'reading', rows: 0, pending: 0, requests: 0, ...one }) as SurfaceStatus)
  return { repo: 'acme/app', private: false, configured: true, documents: {}, cursors: [], surfaces: whole, pending: 0 }
}

/** In the zone of this machine. */
const at = (hours: number, minutes: number): string => new Date(2026, 11, 1, hours, minutes).toISOString()

test('the line of a repository that is read counts each surface and names together those that wait', () => {
  const line = toReadingLine(
    repository([
      { surface: 'issue', rows: 3400, done: 3400, total: 6000 },
      { surface: 'release', rows: 12 },
      { surface: 'doc' },
      { surface: 'issue_comment', state: 'waiting', retry_at: at(10, 42) },
      { surface: 'pr_review', state: 'waiting', retry_at: at(10, 42) },
      { surface: 'diff', state: 'waiting', retry_at: at(11, 0) },
      { surface: 'wiki_doc', state: 'current', rows: 3 },
    ]),
  )
  expect(line).toBe(
    'acme/app: issues 3,400 of 6,000; releases 12; comments, reviews wait for GitHub until 10:42; diffs wait for GitHub until 11:00; 1 of 7 done',
  )
})

test('one cause of many surfaces is one line, and the cause of all of them names none', () => {
  const error = 'GitHub does not answer'
  const some = repository([
    { surface: 'issue', state: 'waiting', last_error: error, retry_at: at(9, 5) },
    { surface: 'release', state: 'waiting', last_error: error, retry_at: at(9, 5) },
    { surface: 'wiki_doc', state: 'unreadable', last_error: 'The wiki is private.' },
    { surface: 'doc', state: 'current' },
  ])
  expect(toTroubleLines(some)).toEqual([
    'acme/app: issues, releases are not read: GitHub does not answer. Tried again at 09:05.',
    'acme/app: wiki pages are not read: The wiki is private.',
  ])
  const all = repository([
    { surface: 'issue', state: 'unreadable', last_error: error },
    { surface: 'doc', state: 'unreadable', last_error: error },
  ])
  expect(toTroubleLines(all)).toEqual(['acme/app: nothing is read: GitHub does not answer.'])
})
