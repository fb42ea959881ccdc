import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dataFolder, inspectLock, isAlive, lockPath, typedPath } from '../../../mcp-server/src/local/data-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kotodama-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function on(platform: string, home: string, env: Record<string, string> = {}) {
  return dataFolder(undefined, { platform, home, env })
}

test('the data folder is the one of --data, else the folder of the platform for user data', () => {
  expect(on('linux', '/home/a')).toBe('/home/a/.local/share/kotodama')
  expect(on('linux', '/home/a', { XDG_DATA_HOME: '/data' })).toBe('/data/kotodama')
  expect(on('linux', '/home/a', { XDG_DATA_HOME: 'relative' })).toBe('/home/a/.local/share/kotodama')
  expect(on('darwin', '/Users/a')).toBe('/Users/a/Library/Application Support/kotodama')
  expect(on('win32', 'H', { LOCALAPPDATA: 'L' })).toBe(join('L', 'kotodama'))
  expect(dataFolder(folder)).toBe(folder)
})

test.each(['start', 'import', 'status', 'rebuild'])(
  'npm run %s resolves a path against the folder it was typed in',
  (script) => {
    const under = (env: Record<string, string>): string =>
      typedPath('there/data', `mcp-server/src/cli/${script}.ts`, env)
    expect(under({ INIT_CWD: folder, npm_lifecycle_event: script })).toBe(join(folder, 'there/data'))
    expect(under({ INIT_CWD: folder, npm_lifecycle_event: 'test' })).toBe(resolve('there/data'))
    expect(under({})).toBe(resolve('there/data'))
  },
)

test('a lock is read with and without endpoint and runtime', () => {
  const lock = { pid: 12, secret: 's', runtime: 13, endpoint: 'http://127.0.0.1:1/mcp' }
  writeFileSync(lockPath(folder), JSON.stringify(lock))
  expect(inspectLock(folder)).toMatchObject({ state: 'present', lock })
  writeFileSync(lockPath(folder), JSON.stringify({ pid: 12, secret: 's' }))
  expect(inspectLock(folder)).toMatchObject({ state: 'present', lock: { pid: 12, secret: 's' } })
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"pid":"1","secret":"s"}',
  '{"pid":0,"secret":"s"}',
  '{"pid":-1,"secret":"s"}',
  '{"pid":1,"secret":""}',
  '{"pid":1,"secret":"s","endpoint":"nowhere"}',
  '{"pid":1,"secret":"s","runtime":0}',
])('%s is a corrupt lock', (text) => {
  writeFileSync(lockPath(folder), text)
  expect(inspectLock(folder)).toEqual({ state: 'corrupt', text })
})

test('a missing lock is absent, and a lock that is not a file is unreadable', () => {
  expect(inspectLock(folder)).toEqual({ state: 'absent' })
  expect(inspectLock(join(folder, 'nowhere'))).toEqual({ state: 'absent' })
  mkdirSync(lockPath(folder))
  expect(inspectLock(folder)).toMatchObject({ state: 'unreadable' })
})

test('the pid of this process is alive and an impossible pid is not', () => {
  expect(isAlive(process.pid)).toBe(true)
  expect(isAlive(2 ** 22 + 1)).toBe(false)
})
