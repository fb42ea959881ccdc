/**
 * `npm run conformance [-- --keep]`: builds the Worker of test/conformance,
 * starts it on a free local port, and runs the official suite against it once
 * for each protocol revision. Each run has its file of expected failures; a new
 * failure and a scenario that no longer fails both exit 1. The results are
 * removed unless --keep is given. The last line has the counts.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBundle } from '../../mcp-server/src/local/bundle.ts'
import { startEmbeddedWorker, type EmbeddedWorker } from '../../mcp-server/src/local/embedded-worker.ts'

const REVISIONS = ['2025-11-25', '2026-07-28']
/** Scenarios that the suite does not count and that this server must pass. */
const REQUIRED_UNCOUNTED = ['json-schema-2020-12', 'http-header-validation', 'http-custom-header-server-validation']
const SUITE_MS = 240_000

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'kotodama-conformance-'))

interface Scenario {
  readonly name: string
  readonly statuses: readonly string[]
}

let worker: EmbeddedWorker | undefined

// The runtime is a process of its own, and only this one ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await worker?.dispose()
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
}

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const built = await ensureBundle(root, { entry: 'test/conformance/worker.ts', folder: 'dist/conformance' })
    if (!built.ok) throw new Error(built.failure.message)
    const started = await startEmbeddedWorker({
      script: built.value,
      migrations: join(root, 'migrations'),
      state: join(folder, 'state'),
      port: 0,
      bindings: { AUTH_MODE: 'local' },
    })
    if (!started.ok) throw new Error(started.failure.message)
    worker = started.value
    try {
      return await runAll(`${started.value.origin}/mcp`)
    } finally {
      await started.value.dispose()
    }
  } catch (error) {
    console.error(`conformance: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  } finally {
    if (process.argv.includes('--keep')) console.log(`results: ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

async function runAll(url: string): Promise<number> {
  const summaries: string[] = []
  let worst = 0
  for (const revision of REVISIONS) {
    const results = join(folder, revision)
    const expected = join(root, 'test', 'conformance', `expected-failures-${revision}.yaml`)
    const suite = ['server', '--url', url, '--requirements', revision, '--expected-failures', expected, '-o', results]
    const { code, output } = await runSuite(suite)
    console.log(output.trimEnd())
    const scenarios = readScenarios(results)
    const bad = scenarios.filter((each) => REQUIRED_UNCOUNTED.includes(each.name) && !isClean(each))
    const good = code === 0 && bad.length === 0 && scenarios.length > 0
    if (!good) worst = 1
    const passed = scenarios.flatMap(({ statuses }) => statuses).filter((status) => status === 'SUCCESS').length
    const clean = `${scenarios.filter(isClean).length} of ${scenarios.length} scenarios without a failure`
    summaries.push(`${revision} ${good ? 'as expected' : 'NOT AS EXPECTED'}, ${clean}, ${passed} checks passed`)
    for (const { name } of bad) console.log(`${name} fails and must not`)
  }
  console.log(`conformance: ${summaries.join('; ')}`)
  return worst
}

function isClean({ statuses }: Scenario): boolean {
  return !statuses.includes('FAILURE')
}

/** Each scenario writes its checks to a folder named server-NAME-TIME. */
function readScenarios(results: string): Scenario[] {
  return readdirSync(results).map((folder) => {
    const checks = JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')) as { status: string }[]
    const name = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    return { name, statuses: checks.map((check) => check.status) }
  })
}

/** Runs the official suite and collects both output streams; kills it after SUITE_MS. */
function runSuite(args: readonly string[]): Promise<{ code: number; output: string }> {
  const script = join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SUITE_MS,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (signal !== null) output += `\nended by ${signal} after ${SUITE_MS / 1000} s`
      resolve({ code: code ?? 1, output })
    })
  })
}
