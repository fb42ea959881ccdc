/**
 * The built Worker: dist/worker.js, made from src/ by the same bundler that a
 * deployment uses, and made again when anything it is made from is newer. Needs
 * no network and no account, and says nothing unless it fails.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ok, refuse, type Result } from '../../../src/base/result.ts'

const BUILD_MS = 120_000
const SOURCES = ['src', 'wrangler.toml', 'package-lock.json']

/** Keeps wrangler off the network, off the terminal, and from asking anything. */
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: '1',
}

/** What is built into which folder below the project's: benches and the conformance run have Workers of their own. */
export interface BundleOptions {
  readonly entry: string
  readonly folder: string
}

const PRODUCT: BundleOptions = { entry: 'src/worker.ts', folder: 'dist' }

/** Path of a fresh worker.js below `root`, the project's folder. */
export async function ensureBundle(root: string, options: BundleOptions = PRODUCT): Promise<Result<string>> {
  const bundle = join(root, options.folder, 'worker.js')
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const changed = Math.max(...[...SOURCES, dirname(options.entry)].map((source) => newestChange(join(root, source))))
  return built > changed ? ok(bundle) : build(root, options.entry, bundle)
}

/** Built aside and moved into place, so that a start beside this one never reads half a bundle. */
async function build(root: string, entry: string, bundle: string): Promise<Result<string>> {
  const dist = dirname(bundle)
  const aside = join(dist, `.building-${process.pid}`)
  const built = join(aside, 'out')
  try {
    mkdirSync(aside, { recursive: true })
    const problem = await runWrangler(root, entry, built, join(aside, 'logs'))
    if (problem !== undefined) return refuse({ code: 'IO_ERROR', message: `The Worker could not be built: ${problem}` })
    // The Worker itself last: it names the others.
    const names = readdirSync(built).filter((name) => name !== basename(bundle))
    for (const name of [...names, basename(bundle)]) {
      if (statSync(join(built, name)).isDirectory()) rmSync(join(dist, name), { recursive: true, force: true })
      renameSync(join(built, name), join(dist, name))
    }
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

/** Newest change below a path in ms, folders included: a file removed changes only its folder. */
function newestChange(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))))
}
