/**
 * The first step of `npm start` and `npm test`: plain JavaScript for the
 * installed Node, so that a fresh clone needs no other command. Installs the
 * packages of the lock file unless they are installed, then runs the command
 * with the Node of node_modules and passes arguments, signals and exit code on.
 *
 * Syntax and modules are those of Node 12, so that an older Node reaches the
 * line that says it is too old.
 */
import { spawn, spawnSync } from 'child_process'
import { createHash } from 'crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'fs'
import { constants, homedir, tmpdir } from 'os'
import { dirname, join } from 'path'
import { fileURLToPath } from 'url'

const OLDEST_NODE = 20
const LOCK_POLL_MS = 500
const COMMANDS = new Map([
  ['start', 'mcp-server/src/cli/start.ts'],
  ['test', 'scripts/test.ts'],
])

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

main(process.argv[2], process.argv.slice(3))

async function main(command, args) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    return fail(
      `Kotodama needs Node ${OLDEST_NODE} or newer; this is ${process.version}. Get one at https://nodejs.org`,
    )
  }
  const script = COMMANDS.get(command)
  if (script === undefined) return fail(`bootstrap.mjs knows only: ${[...COMMANDS.keys()].join(', ')}`)
  const problem = await install()
  if (problem !== undefined) return fail(problem)
  run(join(root, script), args)
}

function fail(problem) {
  console.error(problem)
  process.exitCode = 1
}

/** Resolves to a problem, or to undefined. A second command at the same time waits for the first. */
async function install() {
  if (isInstalled()) return undefined
  const lock = join(tmpdir(), `kotodama-install-${createHash('sha256').update(`${homedir()}\0${root}`).digest('hex')}`)
  let reported = false
  while (!takeLock(lock)) {
    if (!reported) console.error('Another install is under way here; waiting for it.')
    reported = true
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS))
  }
  try {
    return isInstalled() ? undefined : runNpm()
  } finally {
    rmSync(lock, { force: true })
  }
}

function runNpm() {
  console.error('Installing the packages of package-lock.json (once, about half a minute) ...')
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  // Under npm, the same npm again; otherwise the one on the PATH, which is a batch file on Windows.
  const [file, all] = npm ? [process.execPath, [npm, ...args]] : ['npm', args]
  const { status, error } = spawnSync(file, all, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: !npm && process.platform === 'win32',
  })
  if (error) return `npm could not be run: ${error.message}`
  if (status !== 0) return 'npm ci failed; its message is above. A first install needs a network.'
  if (!existsSync(node))
    return 'npm ci did not install the Node of node_modules; is ignore-scripts set in your npm configuration?'
  return undefined
}

/** True when every required package is installed in the locked version; optional ones may be missing. */
function isInstalled() {
  try {
    if (!existsSync(node)) return false
    const wanted = readPackages(join(root, 'package-lock.json'))
    const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
    return Object.keys(wanted).every((path) => {
      const { version, integrity, optional, link } = wanted[path]
      if (link || !path.startsWith('node_modules/')) return true
      const there = present[path]
      if (there === undefined) return Boolean(optional)
      return there.version === version && there.integrity === integrity
    })
  } catch {
    return false
  }
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages
}

/** True when this process has the lock. A lock of a process that has ended is removed. */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    if (pid > 0) process.kill(pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(lock, { force: true })
  }
  return false
}

function run(script, args) {
  const child = spawn(node, [script, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} could not be run: ${error.message}`))
  child.on('exit', (code, signal) => {
    process.exit(signal === null ? code : 128 + constants.signals[signal])
  })
}
