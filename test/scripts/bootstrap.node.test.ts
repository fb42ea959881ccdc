import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const LOCKED = {
  packages: {
    '': {},
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/o': { version: '1.0.0', optional: true },
  },
}

/** Stands in for `npm ci`: counts its runs and installs what the lock file asks for, with a Node. */
const NPM = `import { appendFileSync, copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
appendFileSync('npm-ran', process.argv.slice(2).join(' ') + '\\n')
if (process.env.NPM_FAILS) process.exit(3)
await new Promise((done) => setTimeout(done, 300))
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules/node/bin', { recursive: true })
symlinkSync(process.execPath, 'node_modules/node/bin/node')
copyFileSync('package-lock.json', 'node_modules/.package-lock.json')`

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kotodama-bootstrap-'))
  put('package-lock.json', JSON.stringify(LOCKED))
  put('npm.mjs', NPM)
  put('mcp-server/src/cli/start.ts', 'console.log(JSON.stringify(process.argv.slice(2)))\nprocess.exitCode = 7')
  mkdirSync(join(root, 'scripts'), { recursive: true })
  copyFileSync('scripts/bootstrap.mjs', join(root, 'scripts', 'bootstrap.mjs'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

function installed(packages: object = LOCKED): void {
  put('node_modules/.package-lock.json', JSON.stringify(packages))
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'))
}

const settings = (env: Record<string, string> = {}) => ({
  cwd: root,
  encoding: 'utf8' as const,
  timeout: 30_000,
  env: { ...process.env, npm_execpath: join(root, 'npm.mjs'), ...env },
})

function bootstrap(args: readonly string[], env?: Record<string, string>, nodeArgs: readonly string[] = []) {
  return spawnSync(process.execPath, [...nodeArgs, 'scripts/bootstrap.mjs', ...args], settings(env))
}

function npmRuns(): number {
  return existsSync(join(root, 'npm-ran')) ? readFileSync(join(root, 'npm-ran'), 'utf8').trim().split('\n').length : 0
}

test('a fresh clone is installed once; arguments and exit code pass through', () => {
  const first = bootstrap(['start', '--port', '0', 'a b'])
  expect(first.stdout).toBe('["--port","0","a b"]\n')
  expect(first.status).toBe(7)
  expect(npmRuns()).toBe(1)
  expect(readFileSync(join(root, 'npm-ran'), 'utf8')).toMatch(/^ci /)
  expect(bootstrap(['start']).status).toBe(7)
  expect(npmRuns()).toBe(1)
})

test.each([
  ['another version', { packages: { 'node_modules/a': { version: '0.9.0', integrity: 'x' } } }],
  ['another text of that version', { packages: { 'node_modules/a': { version: '1.0.0', integrity: 'y' } } }],
  ['a package missing', { packages: {} }],
])('a package that differs from the lock file (%s) is installed again', (_name, packages) => {
  installed(packages)
  expect(bootstrap(['start']).status).toBe(7)
  expect(npmRuns()).toBe(1)
})

test('an optional package may be missing', () => {
  installed({ packages: { 'node_modules/a': LOCKED.packages['node_modules/a'] } })
  expect(bootstrap(['start']).status).toBe(7)
  expect(npmRuns()).toBe(0)
})

test('two commands at once install once', async () => {
  const runs = [0, 1].map(() =>
    spawn(process.execPath, ['scripts/bootstrap.mjs', 'start'], { ...settings(), stdio: 'ignore' }),
  )
  const codes = await Promise.all(runs.map(async (run) => (await once(run, 'exit'))[0] as unknown))
  expect(codes).toEqual([7, 7])
  expect(npmRuns()).toBe(1)
})

test('a failed install prints one line and exits 1, and the next command may try again', () => {
  const failed = bootstrap(['start'], { NPM_FAILS: '1' })
  expect(failed.status).toBe(1)
  expect(failed.stderr).toContain('npm ci failed')
  expect(bootstrap(['start']).status).toBe(7)
})

test('an older Node and an unknown command are refused with a message', () => {
  const older = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"18.20.0"}})'
  const refused = bootstrap(['start'], {}, ['--import', older])
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain('needs Node 20 or newer')
  expect(bootstrap(['stray']).status).toBe(1)
  expect(npmRuns()).toBe(0)
})

test.skipIf(process.platform === 'win32')(
  'a signal reaches the command, and the exit code of the command is passed on',
  async () => {
    installed()
    put(
      'mcp-server/src/cli/start.ts',
      "process.on('SIGTERM', () => process.exit(5))\nconsole.log('ready')\nsetInterval(() => {}, 1000)",
    )
    const run = spawn(process.execPath, ['scripts/bootstrap.mjs', 'start'], settings())
    await once(run.stdout, 'data')
    run.kill('SIGTERM')
    expect((await once(run, 'exit'))[0]).toBe(5)
  },
)
