import { expect, test } from 'vitest'
import { workerLog } from '../../../../mcp-server/src/cli/start/worker-log.ts'

function said(...messages: readonly string[]): string[] {
  const lines: string[] = []
  const log = workerLog('/data', (line) => lines.push(line))
  for (const message of messages) log('error', message)
  log('info', 'nothing for the screen')
  return lines
}

test('every sign of a full disk becomes one line that names the data folder', () => {
  const evidence = 'Error: D1_ERROR: database or disk is full: SQLITE_FULL\n    at D1Database.batch'
  const lines = said(
    JSON.stringify({ level: 'error', event: 'request_bug', evidence }),
    'workerd/util/sqlite.c++:1: database or disk is full; stack: 7f00 7f01',
    JSON.stringify({ level: 'error', event: 'disk_full', path: '/admin/import' }),
  )
  expect(lines).toEqual([
    'The disk is full: nothing new can be stored in /data. Free some space there; indexing continues by itself.',
  ])
})

test('a bug is one line without its stack, and an expected failure is not shown', () => {
  expect(
    said(
      JSON.stringify({ level: 'error', event: 'request_bug', evidence: 'Error: odd\n    at x.js:1' }),
      JSON.stringify({ level: 'error', event: 'words_retried_later', document: 4 }),
      'kj/async.c++:9: failed: broken; stack: 7f00 7f01\nmore',
      'internal error; reference = a1',
      'internal error; reference = b2',
    ),
  ).toEqual(['The server failed on a request: Error: odd', 'kj/async.c++:9: failed: broken', 'internal error'])
})
