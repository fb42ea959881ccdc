/**
 * Builds the Worker into dist/worker.js with the bundler that a deployment uses,
 * and again when one of its sources is newer. Needs no network and no account,
 * and prints nothing.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ok, refuse, type Result } from '../../../src/base/result.ts'

const BUILD_MS = 120_000
const SOURCES = ['src', 'wrangler.toml', 'package-lock.json']

/** Keeps wrangler from using the network and the terminal. */
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: '1',
}

/** An entry and the folder of its bundle, below the project's folder. Benches and the conformance run have their own. */
export interface BundleOptions {
  readonly entry: string
  readonly folder: string
}

const PRODUCT: BundleOptions = { entry: 'src/worker.ts', folder: 'dist' }

/** The path of an up-to-date worker.js. `root` is the project's folder. */
export async function ensureBundle(root: string, options: BundleOptions = PRODUCT): Promise<Result<string>> {
  const bundle = join(root, options.folder, 'worker.js')
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const changed = Math.max(...[...SOURCES, dirname(options.entry)].map((source) => newestChange(join(root, source))))
  return built > changed ? ok(bundle) : build(root, options.entry, bundle)
}

/** Builds in a temporary folder and moves the files into place, so that another start never reads half a bundle. */
async function build(root: string, entry: string, bundle: string): Promise<Result<string>> {
  const dist = dirname(bundle)
  const aside = join(dist, `.building-${process.pid}`)
  const built = join(aside, 'out')
  try {
    mkdirSync(aside, { recursive: true })
    const problem = await runWrangler(root, entry, built, join(aside, 'logs'))
    if (problem !== undefined) return refuse({ code: 'IO_ERROR', message: `The Worker could not be built: ${problem}` })
    // The Worker itself comes last, because it imports the others.
    const names = readdirSync(built).filter((name) => name !== basename(bundle))
    const stale = readdirSync(dist).filter((name) => name.endsWith('.bin') && !names.includes(name))
    for (const name of [...names, basename(bundle)]) {
      if (statSync(join(built, name)).isDirectory()) rmSync(join(dist, name), { recursive: true, force: true })
      renameSync(join(built, name), join(dist, name))
    }
    for (const name of stale) rmSync(join(dist, name))
    return ok(bundle)
  } catch (error) {
    return refuse({ code: 'IO_ERROR', message: `The Worker could not be built: ${(error as Error).message}` })
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

function runWrangler(root: string, entry: string, outdir: string, logs: string): Promise<string | undefined> {
  const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
  const child = spawn(process.execPath, [wrangler, 'deploy', entry, '--dry-run', '--outdir', outdir], {
    cwd: root,
    env: { ...process.env, ...QUIET, WRANGLER_LOG_PATH: logs },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_MS,
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined)
      else
        resolve(
          stderr.trim() || (signal === null ? `wrangler ended with ${code}` : `wrangler took over ${BUILD_MS} ms`),
        )
    })
  })
}

/** The newest change below a path in ms. Folders count too, because removing a file changes only its folder. */
function newestChange(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))))
}
