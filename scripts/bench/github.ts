/**
 * `npm run bench:github`: fills an index of 20,000 documents, 1,500 of them
 * commits, from a scripted GitHub that answers in 20 ms, and one of 2,000 of the
 * same mix. Prints requests for each surface and document, the time of the fill,
 * searches beside it, and a round without changes. Exits 1 when a bound is
 * missed. `--scale N` fills 2,000 documents times N, by default 10.
 */
import { parseArgs } from 'node:util'
import { median, quantile, table } from './figures.ts'
import { measureFill, type Fill } from './github/fill.ts'
import { startScriptedProcess } from './github/scripted-process.ts'

/** Bounds of the fill of 20,000 documents. */
const BOUNDS = { requests: 2_600, seconds: 300, newestAfterS: 15, searchRatio: 3, unchanged: 14, growth: 1.05 }

const { values } = parseArgs({ options: { scale: { type: 'string', default: '10' } } })
const scripted = await startScriptedProcess()
try {
  const small = await measureFill(scripted.address, 1)
  print(small)
  const large = await measureFill(scripted.address, Number(values.scale))
  print(large)
  check(small, large)
} finally {
  scripted.end()
}

function print(fill: Fill): void {
  const { repository, requests, documents, seconds, busyMs, idleMs, newestAfterS, unchanged } = fill
  const { surfaces } = repository
  // Pull requests are items of the list of issues, and status counts its requests for both.
  const own = surfaces.filter(({ surface }) => surface !== 'pull_request')
  const pulls = surfaces.find(({ surface }) => surface === 'pull_request')?.rows ?? 0
  const rows = own.map(({ surface, rows: all, requests: made }) => {
    const isList = surface === 'issue'
    const listed = isList ? all + pulls : all
    return [isList ? 'issue, pull_request' : surface, listed, made, perDocument(made, listed)]
  })
  const counted = own.reduce((sum, one) => sum + one.requests, 0)
  // Those of the round without changes are counted by the product too.
  rows.push(['of the repository', '', requests + unchanged.requests - counted, ''])
  rows.push(['first fill', documents, requests, perDocument(requests, documents)])
  console.log(`\n${table(['surface', 'rows', 'requests', 'per row'], rows)}`)
  console.log(
    `${seconds.toFixed(1)} s, ${Math.round(documents / seconds)} documents a second; newest issue found after ${newestAfterS.toFixed(1)} s`,
  )
  console.log(
    `search meanwhile: median ${median(busyMs).toFixed(0)} ms, 95 % ${quantile(busyMs, 0.95).toFixed(0)} ms of ${busyMs.length}; idle: median ${median(idleMs).toFixed(0)} ms, 95 % ${quantile(idleMs, 0.95).toFixed(0)} ms`,
  )
  console.log(`a round without changes: ${unchanged.requests} requests, ${unchanged.written} documents written`)
  for (const path of unchanged.paths) console.log(`  ${path}`)
}

function perDocument(requests: number, documents: number): string {
  return documents === 0 ? '' : (requests / documents).toFixed(3)
}

/** Prints each bound beside its figure. */
function check(small: Fill, large: Fill): void {
  const perLarge = large.requests / large.documents
  const perSmall = small.requests / small.documents
  const ratio = median(large.busyMs) / median(large.idleMs)
  const figures: readonly (readonly [string, number, number])[] = [
    ['requests in all', large.requests, BOUNDS.requests - 1],
    ['seconds of the fill', large.seconds, BOUNDS.seconds],
    ['seconds until the newest issue is found', large.newestAfterS, BOUNDS.newestAfterS],
    ['search meanwhile, times idle', ratio, BOUNDS.searchRatio],
    ['requests of a round without changes', large.unchanged.requests, BOUNDS.unchanged],
    ['documents written by it', large.unchanged.written, 0],
    ['requests per document, times those of 2,000', perLarge / perSmall, BOUNDS.growth],
    ['documents missing or too many', Math.abs(large.documents - large.expected), 0],
    ['the same of 2,000', Math.abs(small.documents - small.expected), 0],
  ]
  const rows = figures.map(([name, value, bound]) => [
    name,
    Number.isInteger(value) ? value : value.toFixed(2),
    bound,
    value <= bound ? 'kept' : `MISSED (${(value / bound).toFixed(2)} times)`,
  ])
  console.log(`\n${table(['bound', 'measured', 'at most', ''], rows)}`)
  if (figures.some(([, value, bound]) => value > bound)) process.exitCode = 1
}
