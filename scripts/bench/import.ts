/**
 * `npm run bench:import`: documents imported per second into an empty index, and
 * again into the same index without changes. Uses the corpus of bench:scale;
 * `--data FILE` imports a retrieval set (`{docs: [{id, path, sha, text}]}`) as
 * diffs or docs. `--count 5000 --page 100`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeCorpus, type CorpusLine } from './corpus.ts'
import { startBenchWorker } from './runner.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    count: { type: 'string', default: '5000' },
    page: { type: 'string', default: '100' },
  },
})
const page = Number(values.page)
const lines = (values.data === undefined ? makeCorpus(1).lines(0, Number(values.count)) : readSet(values.data)).map(
  (line) => JSON.stringify(line),
)
const state = mkdtempSync(join(tmpdir(), 'kotodama-bench-'))
const worker = await startBenchWorker(state)
try {
  for (const round of ['into an empty index', 'again, unchanged']) {
    const start = performance.now()
    for (let at = 0; at < lines.length; at += page) await worker.post('/import', lines.slice(at, at + page).join('\n'))
    const seconds = (performance.now() - start) / 1_000
    console.log(
      `${round}: ${lines.length} documents in ${seconds.toFixed(1)} s, ${Math.round(lines.length / seconds)} a second`,
    )
  }
} finally {
  await worker.dispose()
  rmSync(state, { recursive: true, force: true })
}

function readSet(file: string): CorpusLine[] {
  const { docs } = JSON.parse(readFileSync(file, 'utf8')) as { docs: Record<'id' | 'path' | 'sha' | 'text', string>[] }
  return docs.map(({ id, path, sha, text }) =>
    sha === undefined
      ? { type: 'doc', repo: 'bench/set', doc_path: id, body: text }
      : { type: 'diff', repo: 'bench/set', commit_sha: sha, file_path: path, body: text },
  )
}
