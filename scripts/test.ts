/**
 * `npm test`: runs the whole suite, or the tests that the arguments name, and
 * prints the numbers of passed and failed tests as its last line. A file that
 * does not load counts as one failed test, and so does any other failed run.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** The part of vitest's JSON report that is used. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** `N passed, N failed`. A missing report is one failure, and so is an exit code that the report does not explain. */
export function summarise(report: Report | undefined, exitCode: number): string {
  const unloaded = (report?.testResults ?? []).filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length
  const failed = (report?.numFailedTests ?? 0) + unloaded
  const unexplained = failed === 0 && (report === undefined || exitCode !== 0) ? 1 : 0
  return `${report?.numPassedTests ?? 0} passed, ${failed + unexplained} failed`
}

interface Ended {
  /** 128 plus the signal's number when a signal ended the run, as in shells. */
  readonly exitCode: number
  /** The signal that ended the run early. */
  readonly signal?: NodeJS.Signals
}

/** Resolves when vitest has ended. */
function runVitest(args: readonly string[], report: string): Promise<Ended> {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], { cwd: ROOT, stdio: 'inherit' })
  let received: NodeJS.Signals | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      received = signal
      child.kill(signal)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, killedBy) => {
      const signal = received ?? killedBy
      if (signal === null) return resolve({ exitCode: code ?? 1 })
      return resolve({ exitCode: code || 128 + constants.signals[signal], signal })
    })
  })
}

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kotodama-test-'))
  try {
    const { exitCode, signal } = await runVitest(process.argv.slice(2), join(folder, 'report.json'))
    const summary = summarise(readReport(join(folder, 'report.json')), exitCode)
    process.exitCode = exitCode !== 0 ? exitCode : summary.endsWith(' 0 failed') ? 0 : 1
    if (signal !== undefined) console.log(`Ended by ${signal} before all tests had run.`)
    console.log(summary)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
