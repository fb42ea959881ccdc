/**
 * `npm run check:drift [-- MIRROR]`: compares the bridge's copy of the tools, or
 * the given file, with the contracts: names, texts, every keyword of every
 * schema, annotations and order. Then it compares every other generated file.
 * Prints the path and both values of each difference. Exits 0 without a
 * difference, 1 on drift, 2 when it could not compare.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Longest value printed on a line, in characters. */
const SHOWN_CHARS = 300

const root = join(import.meta.dirname, '..')

try {
  const { listGenerated, MIRROR_PATH } = await import('./gen/generated-files.ts')
  const generated = listGenerated(root)
  const mirrorFile = process.argv[2] === undefined ? join(root, MIRROR_PATH) : resolve(process.argv[2])
  const contracts = JSON.parse(generated.find(({ path }) => path === MIRROR_PATH).text)
  const differences = [
    ...compare(contracts, JSON.parse(readFileSync(mirrorFile, 'utf8')), ''),
    ...generated.filter(({ path }) => path !== MIRROR_PATH).flatMap(compareFile),
  ]
  for (const { path, contract, mirror } of differences) {
    console.log(`${path}\n  contract: ${shown(contract)}\n  copy:     ${shown(mirror)}`)
  }
  if (differences.length > 0) {
    console.log(`${differences.length} difference(s); npm run gen rewrites the generated files`)
    process.exitCode = 1
  } else {
    console.log(`no drift: ${contracts.tools.length} tool(s) and ${generated.length - 1} other generated files`)
  }
} catch (error) {
  console.error(`could not compare: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 2
}

/** Every place below `path` where the two differ; objects by key, arrays by index. */
function compare(contract, mirror, path) {
  if (Object.is(contract, mirror)) return []
  const both = [contract, mirror]
  const comparable = both.every(Array.isArray) || both.every(isPlainObject)
  if (!comparable) return [{ path: path === '' ? '(whole)' : path, contract, mirror }]
  const keys = new Set(both.flatMap(Object.keys))
  return [...keys].flatMap((key) => compare(own(contract, key), own(mirror, key), stepTo(path, key, contract)))
}

function compareFile({ path, text }) {
  const file = readFileSync(join(root, path), 'utf8')
  if (file === text) return []
  const [wanted, found] = [text.split('\n'), file.split('\n')]
  const at = wanted.findIndex((line, index) => line !== found[index])
  const line = at === -1 ? wanted.length : at
  return [{ path: `${path}:${line + 1}`, contract: wanted[line], mirror: found[line] }]
}

function stepTo(path, key, parent) {
  if (Array.isArray(parent)) return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}

function own(value, key) {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isPlainObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value) {
  if (value === undefined) return '(absent)'
  const text = JSON.stringify(value)
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}... (${text.length} characters)`
}
