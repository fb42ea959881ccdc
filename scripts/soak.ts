/**
 * `npm run soak [-- --times N] [FILE ...]`: runs every property test, or the given
 * files, with N times (default 67) as many cases and new seeds. A failure prints
 * its seed and the smallest failing case.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = resolve(import.meta.dirname, '..')

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '67' } },
  allowPositionals: true,
})
const times = Number(values.times)
if (!Number.isInteger(times) || times < 1) {
  console.error('--times: must be a whole number, 1 or more')
  process.exit(2)
}
const properties = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) =>
  readFileSync(join(ROOT, file), 'utf8').includes('numRuns:'),
)
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const files = positionals.length > 0 ? positionals : properties
const child = spawn(process.execPath, [vitest, 'run', ...files], {
  cwd: ROOT,
  env: { ...process.env, KOTODAMA_SOAK_TIMES: String(times) },
  stdio: 'inherit',
})
child.once('exit', (code) => (process.exitCode = code ?? 1))
