import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
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

test('a run that ended badly without a failed test counts one failure', () => {
  const report = { numPassedTests: 3, numFailedTests: 0, testResults: [] }
  expect(summarise(report, 0)).toBe('3 passed, 0 failed')
  expect(summarise(report, 1)).toBe('3 passed, 1 failed')
  expect(summarise(undefined, 0)).toBe('0 passed, 1 failed')
})
