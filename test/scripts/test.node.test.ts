import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { summarise } from '../../scripts/test.ts'

const folder = mkdtempSync(join('test', '.summary-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command on one file of these contents, apart from this project; answers with exit code and last line. */
function run(text: string): [number | null, string | undefined] {
  writeFileSync(join(folder, 'sample.test.ts'), text)
  const args = ['scripts/test.ts', '--root', folder]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 })
  return [status, stdout.trimEnd().split('\n').at(-1)]
}

const passing = "import { test } from 'vitest'\ntest('a', () => {})\n"

test('the last line counts what passed and failed', () => {
  expect(run(passing)).toEqual([0, '1 passed, 0 failed'])
  expect(run(`${passing}test('b', () => { throw new Error('no') })`)).toEqual([1, '1 passed, 1 failed'])
})

test('a file that does not load is a failure', () => {
  expect(run("import './nowhere.ts'\n")).toEqual([1, '0 passed, 1 failed'])
})

test.skipIf(process.platform === 'win32')('a run that was ended says so and does not pass', async () => {
  const started = join(folder, 'started')
  const waiting = `import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
test('a', async () => {
  writeFileSync(${JSON.stringify(resolve(started))}, '')
  await new Promise((done) => setTimeout(done, 30_000))
}, 40_000)
`
  writeFileSync(join(folder, 'sample.test.ts'), waiting)
  const child = spawn(process.execPath, ['scripts/test.ts', '--root', folder])
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const closed = once(child, 'close')
  await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 30_000, interval: 50 })
  child.kill('SIGTERM')
  const [code] = (await closed) as [number]
  expect(code).not.toBe(0)
  expect(out).toContain('Ended by SIGTERM before all tests had run.')
})

test('a run that fails without a failed test counts as one failure', () => {
  const report = { numPassedTests: 3, numFailedTests: 0, testResults: [] }
  expect(summarise(report, 0)).toBe('3 passed, 0 failed')
  expect(summarise(report, 1)).toBe('3 passed, 1 failed')
  expect(summarise(undefined, 0)).toBe('0 passed, 1 failed')
})
