/**
 * The layers, checked: which folder may import which, which packages it may
 * use, and that no file imports itself in a circle. The tables below are the
 * one place where a layer is declared, and they list every arrow: a folder
 * without a row and an arrow that no file uses are offences too.
 */
import { lineOf, listImports, listTargets, type Offence, type ParsedSource } from './parsed-sources.ts'
import { posix } from 'node:path'

const ALL = 'all'
const TABLE_FILE = 'scripts/check/layers.ts'

/** Folder or file directly below src/ -> what it may import, beside itself. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[] | typeof ALL>> = {
  base: [],
  fts: ['base'],
  vectors: ['fts'],
  documents: ['base', 'text'],
  contracts: ['base', 'documents', 'mml'],
  text: ['base', 'fts'],
  mml: ['base'],
  ranking: ['base', 'fts'],
  access: [],
  index: ['base', 'documents', 'text', 'fts', 'vectors', 'ranking', 'access'],
  models: ['base'],
  github: ['base', 'contracts'],
  search: ['base', 'contracts', 'documents', 'text', 'fts', 'ranking', 'access', 'index', 'models'],
  ingest: ['base', 'contracts', 'documents', 'text', 'fts', 'index', 'models', 'github'],
  memory: ['base', 'contracts', 'text', 'fts', 'vectors', 'ranking', 'models'],
  mcp: ['base', 'contracts', 'access', 'mml', 'memory'],
  http: ['base', 'contracts', 'access', 'index', 'ingest', 'memory', 'mcp'],
  'app.ts': ALL,
  'worker.ts': ALL,
}

/** Code that runs on Node may use the pure folders of src/ and nothing else of the Worker. */
export const MAY_IMPORT_ON_NODE: Readonly<Record<string, readonly string[]>> = {
  'mcp-server': ['base', 'contracts', 'documents', 'mml'],
  // A bench measures the product against the servers that tests script.
  scripts: ['base', 'contracts', 'mml', 'models', 'mcp-server', 'test'],
}

/** Entry files of Workers: they have a default export and may import anything. */
export const WORKER_ENTRIES: readonly string[] = [
  'src/worker.ts',
  'scripts/bench/worker.ts',
  'scripts/bench/memory/worker.ts',
  'scripts/bench/music/worker.ts',
]

/** Folder -> packages it may import; `node:` modules are free except in PURE folders. */
const PACKAGES: Readonly<Record<string, readonly string[] | typeof ALL>> = {
  contracts: ['zod'],
  ingest: ['zod'],
  memory: ['ulid', 'cloudflare:workers'],
  text: ['stemmer'],
  github: ['@octokit/graphql', '@octokit/request', '@octokit/request-error', 'universal-github-app-jwt'],
  mcp: ['@modelcontextprotocol/server', 'agents', 'zod'],
  http: ['@modelcontextprotocol/server'],
  'app.ts': ALL,
  'worker.ts': ALL,
  'mcp-server': ALL,
  scripts: ALL,
}

/** Folders without I/O: of Node they use only the modules that compute. */
const PURE = ['base', 'contracts', 'documents', 'text', 'fts', 'vectors', 'mml', 'ranking', 'access']
const COMPUTING_MODULES = ['node:crypto', 'node:buffer']

/** Files that only their own folder of src/ imports: statements are built and run where the tables are. */
const PRIVATE_FILES = ['src/index/sql/sql.ts']

export function checkLayers(sources: readonly ParsedSource[]): Offence[] {
  return [...sources.flatMap(checkFile), ...findCircles(sources)]
}

/** Arrows of the table that no import uses: the table says what is, not what might be. */
export function findUnusedArrows(sources: readonly ParsedSource[]): Offence[] {
  const used = new Set(
    sources.flatMap((source) => listTargets(source).map(({ target }) => `${boxOf(source.file)} ${boxOf(target)}`)),
  )
  const table = sources.find(({ file }) => file === TABLE_FILE)
  const rows = [...Object.entries(MAY_IMPORT), ...Object.entries(MAY_IMPORT_ON_NODE)]
  return rows.flatMap(([from, allowed]) => {
    const unused = allowed === ALL ? [] : allowed.filter((to) => !used.has(`${from} ${to}`))
    return unused.map((to) => ({
      file: TABLE_FILE,
      line: table === undefined ? 1 : lineOf(table.text, rowOffset(table.text, from)),
      subject: `${from} -> ${to}`,
      rule: 'no file uses this arrow: remove it from the table',
    }))
  })
}

/** Where the row of a folder begins; names with a dot or a hyphen are quoted. */
function rowOffset(text: string, folder: string): number {
  return Math.max(0, text.search(new RegExp(`^  '?${folder.replace('.', '\\.')}'?: \\[`, 'm')))
}

function checkFile(source: ParsedSource): Offence[] {
  const { file } = source
  const offences = listImports(source).flatMap(({ specifier, line }) => {
    const rule = specifier.startsWith('.') ? importRule(file, specifier) : packageRule(file, specifier)
    return rule === undefined ? [] : [{ file, line, subject: specifier, rule }]
  })
  const box = boxOf(file)
  if (file.startsWith('src/') && MAY_IMPORT[box] === undefined) {
    offences.push({
      file,
      line: 1,
      subject: box,
      rule: `this folder has no row in the table of ${TABLE_FILE}`,
    })
  }
  return offences
}

function importRule(file: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(file), specifier)
  const from = boxOf(file)
  const to = boxOf(target)
  if (specifier.endsWith('.js') || !/\.[a-z]+$/.test(specifier)) return 'imports end in .ts'
  const onNode = MAY_IMPORT_ON_NODE[from]
  if (onNode !== undefined) {
    const allowed = WORKER_ENTRIES.includes(file) || from === to || onNode.includes(to)
    return allowed ? undefined : `${from} may import only ${onNode.join(', ')}`
  }
  if (!target.startsWith('src/')) return 'src/ imports nothing outside src/'
  if (from !== to && PRIVATE_FILES.includes(target)) return `only files of src/${to} import this file`
  const allowed = MAY_IMPORT[from]
  if (from === to || allowed === undefined || allowed === ALL || allowed.includes(to)) return undefined
  return `${from} may import ${allowed.length === 0 ? 'nothing' : `only ${allowed.join(', ')}`}`
}

function packageRule(file: string, specifier: string): string | undefined {
  const box = boxOf(file)
  if (specifier.startsWith('node:')) {
    const closed = PURE.includes(box) && !COMPUTING_MODULES.includes(specifier)
    return closed ? `${box} does no I/O: of Node it may import only ${COMPUTING_MODULES.join(', ')}` : undefined
  }
  const allowed = PACKAGES[box] ?? []
  const fits = (name: string): boolean => specifier === name || specifier.startsWith(`${name}/`)
  if (allowed === ALL || allowed.some(fits)) return undefined
  return `${box} may import ${allowed.length === 0 ? 'no package' : `of packages only ${allowed.join(', ')}`}`
}

/** One offence for each circle of files that import each other; types count. */
function findCircles(sources: readonly ParsedSource[]): Offence[] {
  const targets = new Map(sources.map((source) => [source.file, listTargets(source)]))
  const done = new Set<string>()
  const offences: Offence[] = []
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) {
      const line = targets.get(file)?.find(({ target }) => target === (path[at + 1] ?? file))?.line ?? 1
      const subject = [...path.slice(at), file].join(' -> ')
      offences.push({ file, line, subject, rule: 'no circles between files' })
      return
    }
    if (done.has(file)) return
    for (const { target } of targets.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const { file } of sources) walk(file, [])
  return offences
}

/** `src/index/rows.ts` -> index; `src/worker.ts` -> worker.ts; anything in scripts/ or mcp-server/ -> that folder. */
function boxOf(file: string): string {
  const [top = '', box = ''] = file.split('/')
  return top === 'src' ? box : top
}
