/**
 * `npm run bench:music`: composes a 60 s four-channel song in Node and in workerd
 * and prints speed relative to real time and additional memory, beside the raw
 * cost of filling and encoding the same number of samples. Then measures
 * `/health` while the longest song is composed. `--runs 5`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { composeMml } from '../../src/mml/compose.ts'
import { synthesize } from '../../src/mml/synth/synthesize.ts'
import { toBase64Parts } from '../../src/base/base64.ts'
import { ensureBundle } from '../../mcp-server/src/local/bundle.ts'
import { startEmbeddedWorker } from '../../mcp-server/src/local/embedded-worker.ts'
import { median, table } from './figures.ts'
import { fillAndEncode } from './music/raw.ts'
import { LONGEST, LONGEST_SECONDS, USUAL, USUAL_SECONDS } from './music/songs.ts'
import { forgetPeak, readMemory, readProcessorMs } from './resource-usage.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const RATE = 44_100
const SAMPLES = USUAL_SECONDS * RATE

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
const runs = Number(values.runs)
const rows: (string | number)[][] = []

await measure('Node, compose', process.pid, USUAL_SECONDS, composeHere)
await measure('Node, raw', process.pid, USUAL_SECONDS, async () => void fillAndEncode(SAMPLES, RATE))

const state = mkdtempSync(join(tmpdir(), 'kotodama-bench-'))
const { origin, pid, dispose } = await startWorker(state)
try {
  const usual = { mode: 'ppmck', mml: USUAL, include_sequence: false }
  await measure('workerd, compose_mml', pid(), USUAL_SECONDS, () => composeThere(usual))
  await measure('workerd, raw', pid(), USUAL_SECONDS, () => ask(`${origin}/fill?samples=${SAMPLES}`))
  const longest = { mode: 'pyxel', mml: LONGEST, include_sequence: false }
  await measure('workerd, longest', pid(), LONGEST_SECONDS, () => composeThere(longest))
  const header = ['runtime and work', 'ms', 'x real time', 'ms of CPU', 'MiB before', 'MiB above at peak']
  console.log(table(header, rows))
  console.log(
    `\n/health while the longest song is composed: ${await worstHealth(() => composeThere(longest))} ms at worst`,
  )
  console.log('Aims: 150 times real time in workerd, less than 64 MiB above, /health within 250 ms.')
} finally {
  await dispose()
  rmSync(state, { recursive: true, force: true })
}

/** One run to warm up, then the median time of the others; the peak is that of all runs. */
async function measure(name: string, process: number, seconds: number, work: () => Promise<unknown>): Promise<void> {
  await work()
  await sleep(500)
  forgetPeak(process)
  const before = readMemory(process).nowMib
  const cpuBefore = readProcessorMs(process)
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  const ms = median(times)
  const cpu = (readProcessorMs(process) - cpuBefore) / runs
  const above = readMemory(process).peakMib - before
  rows.push([
    name,
    ms.toFixed(0),
    ((seconds * 1_000) / ms).toFixed(0),
    cpu.toFixed(0),
    before.toFixed(0),
    above.toFixed(0),
  ])
}

async function composeHere(): Promise<void> {
  const { performance: music } = composeMml(USUAL, { mode: 'ppmck' })
  if (music === null) throw new Error('the song of the bench has errors')
  const options = { sampleRate: RATE, normalize: true, consoleFilters: false }
  const sound = await synthesize(music, options, async () => true)
  if (sound.kind !== 'sound' || sound.seconds !== USUAL_SECONDS) throw new Error('the song is not 60 s long')
  let chars = 0
  for (const part of toBase64Parts(sound.file)) chars += part.length
  if (chars < sound.file.byteLength) throw new Error('the base64 is too short')
}

async function composeThere(args: object): Promise<void> {
  const call = { name: 'compose_mml', arguments: { action: 'compose', ...args } }
  const answer = await ask(`${origin}/mcp/music`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  if (!answer.includes('"success":true')) throw new Error(answer.slice(0, 500))
}

async function ask(url: string, message?: object): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const response = await fetch(url, message && { method: 'POST', headers, body: JSON.stringify(message) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.text()
}

async function worstHealth(work: () => Promise<unknown>): Promise<string> {
  const state = { working: true }
  const worked = work().finally(() => (state.working = false))
  let worst = 0
  while (state.working) {
    const start = performance.now()
    await ask(`${origin}/health`)
    worst = Math.max(worst, performance.now() - start)
    await sleep(5)
  }
  await worked
  return worst.toFixed(0)
}

async function startWorker(folder: string) {
  const bundle = await ensureBundle(ROOT, { entry: 'scripts/bench/music/worker.ts', folder: 'dist/bench-music' })
  if (!bundle.ok) throw new Error(bundle.failure.message)
  let latest = 0
  const started = await startEmbeddedWorker({
    script: bundle.value,
    migrations: join(ROOT, 'migrations'),
    state: folder,
    port: 0,
    bindings: { AUTH_MODE: 'local' },
    onRuntime: (pid) => (latest = pid),
  })
  if (!started.ok) throw new Error(started.failure.message)
  return { ...started.value, pid: () => latest }
}
