/**
 * The architecture, checked: who may import whom. Reads every import below
 * src/, mcp-server/ and scripts/ and prints file, import and broken rule for each offence;
 * exits 1 when there is one. `node scripts/check/rules.ts [FOLDER]`.
 *
 * The table is the one place where a layer is declared. A folder that is not
 * in it is an offence, so a new room is a decision and not an accident.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ALL = 'all'

/** Room of src/ -> rooms it may import, beside itself. */
const MAY_SEE: Readonly<Record<string, readonly string[] | typeof ALL>> = {
  base: [],
  fts: ['base'],
  vectors: ['base', 'fts'],
  documents: ['base'],
  contracts: ['base', 'documents'],
  text: ['base', 'fts'],
  mml: ['base'],
  ranking: ['base', 'fts', 'text', 'vectors'],
  access: ['base'],
  index: ['base', 'documents', 'text', 'fts', 'vectors', 'ranking', 'access'],
  models: ['base'],
  search: ['base', 'contracts', 'documents', 'text', 'fts', 'ranking', 'access', 'index', 'models'],
  ingest: ['base', 'contracts', 'documents', 'fts', 'index', 'models'],
  memory: ['base', 'contracts', 'text', 'fts', 'vectors', 'ranking', 'models'],
  mcp: ['base', 'contracts', 'access', 'mml', 'search', 'memory'],
  http: ['base', 'contracts', 'access', 'index', 'ingest', 'memory', 'mcp'],
  'app.ts': ALL,
  'worker.ts': ALL,
}

/** What runs on Node may take from src/: pure folders, never the Worker's insides. */
const MACHINE_MAY_SEE: Readonly<Record<string, readonly string[]>> = {
  'mcp-server': ['base', 'contracts', 'documents', 'text', 'mml'],
  scripts: ['base', 'contracts', 'documents', 'text', 'mml', 'ranking', 'mcp-server'],
}

/** Entries of Workers: a default export, the classes of objects, and free to wire anything. The benches' are the product's index and search on a counting database, the product with its objects' statements told, and beside a raw cost. */
const WORKERS = [
  'src/worker.ts',
  'scripts/bench/worker.ts',
  'scripts/bench/memory/worker.ts',
  'scripts/bench/music/worker.ts',
]

/** Rooms that may import packages, and which; `node:` modules are free but where PURE says otherwise. */
const PACKAGES: Readonly<Record<string, readonly string[] | typeof ALL>> = {
  contracts: ['zod'],
  memory: ['ulid', 'cloudflare:workers'],
  text: ['stemmer'],
  mcp: ['@modelcontextprotocol/server', 'agents', 'zod'],
  http: ['@modelcontextprotocol/server'],
  'app.ts': ALL,
  'worker.ts': ALL,
  'mcp-server': ALL,
  scripts: ALL,
}

/** Rooms without I/O: of Node only what computes. */
const PURE = ['base', 'contracts', 'documents', 'text', 'fts', 'vectors', 'mml', 'ranking', 'access']
const COMPUTING_MODULES = ['node:crypto', 'node:buffer']

/** index.ts files that are registries, which may gather a folder; any other re-export is a barrel. */
const REGISTRIES = ['src/contracts/index.ts', 'src/mml/templates/index.ts']

/** The one file that starts git: every other way would leave out the arguments that keep a repository from running code. */
const GIT_RUNNER = 'mcp-server/src/git/run-git.ts'

/** Files that may start other processes. */
const PROCESS_STARTERS = [
  'scripts/bootstrap.mjs',
  'scripts/check/conformance.ts',
  'mcp-server/src/local/bundle.ts',
  'mcp-server/src/local/runtime-process.ts',
  'scripts/soak.ts',
  'scripts/test.ts',
]

interface Source {
  /** From the root, with forward slashes: `src/base/result.ts`. */
  readonly file: string
  readonly text: string
}

export interface Offence {
  readonly file: string
  readonly subject: string
  readonly rule: string
}

/** Every offence in the tree below `root`, in order of file name. */
export function checkRules(root: string): Offence[] {
  const sources = ['src', 'mcp-server', 'scripts'].flatMap((folder) => listSources(root, folder))
  const offences = sources.flatMap((source) => [
    ...checkShape(source),
    ...checkImports(source),
    ...checkProcesses(source),
  ])
  return [...offences, ...findCircles(sources)].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
}

/** The specifiers a file imports, exports from or imports lazily, types included. */
export function readImports(text: string): string[] {
  const code = withoutComments(text)
  const forms = [
    /^[ \t]*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]/gm,
    /\bimport\s*\(\s*['"]([^'"\n]+)['"]/g,
  ]
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''))
}

function checkShape({ file, text }: Source): Offence[] {
  const code = withoutComments(text)
  const offences: Offence[] = []
  if (!WORKERS.includes(file) && /^export\s+(?:default\b|\{[^}]*\bas\s+default\b)/m.test(code)) {
    offences.push({ file, subject: 'export default', rule: 'only a Worker has a default export' })
  }
  const barrel = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'"\n]*\sfrom\s*['"]([^'"\n]+)['"]/m.exec(code)
  if (barrel && !REGISTRIES.includes(file) && !WORKERS.includes(file)) {
    offences.push({ file, subject: barrel[1] ?? '', rule: 'no barrels: import a name from the file that declares it' })
  }
  if (file.startsWith('src/') && MAY_SEE[roomOf(file)] === undefined) {
    offences.push({
      file,
      subject: roomOf(file),
      rule: 'this folder has no row in the table of scripts/check/rules.ts',
    })
  }
  return offences
}

function checkImports(source: Source): Offence[] {
  return readImports(source.text).flatMap((subject) => {
    const rule = subject.startsWith('.') ? neighbourRule(source.file, subject) : packageRule(source.file, subject)
    return rule === undefined ? [] : [{ file: source.file, subject, rule }]
  })
}

/**
 * Only listed files name the module that starts processes, by whatever way they
 * get it, and of those only the runner has the word git. The whole text counts,
 * comments too: no way of writing a string goes unseen.
 */
function checkProcesses({ file, text }: Source): Offence[] {
  const module = /['"`]((?:node:)?child_process)['"`]/.exec(text)?.[1]
  if (module === undefined || file === GIT_RUNNER) return []
  if (!PROCESS_STARTERS.includes(file)) {
    return [{ file, subject: module, rule: 'only the files listed in scripts/check/rules.ts start processes' }]
  }
  const git = /^.*\bgit\b.*$/im.exec(text)?.[0].trim()
  return git === undefined ? [] : [{ file, subject: git, rule: `only ${GIT_RUNNER} starts git` }]
}

function neighbourRule(file: string, subject: string): string | undefined {
  const target = posix.join(posix.dirname(file), subject)
  const from = roomOf(file)
  const to = roomOf(target)
  if (subject.endsWith('.js') || !/\.[a-z]+$/.test(subject)) return 'imports end in .ts'
  const onMachine = MACHINE_MAY_SEE[from]
  if (onMachine !== undefined) {
    const allowed = WORKERS.includes(file) || from === to || onMachine.includes(to)
    return allowed ? undefined : `${from} may see only ${onMachine.join(', ')}`
  }
  if (!target.startsWith('src/')) return 'src/ imports nothing outside src/'
  const allowed = MAY_SEE[from]
  if (from === to || allowed === undefined || allowed === ALL || allowed.includes(to)) return undefined
  return `${from} may see ${allowed.length === 0 ? 'nothing' : `only ${allowed.join(', ')}`}`
}

function packageRule(file: string, subject: string): string | undefined {
  const room = roomOf(file)
  if (subject.startsWith('node:')) {
    const closed = PURE.includes(room) && !COMPUTING_MODULES.includes(subject)
    return closed ? `${room} does no I/O: of Node it may see only ${COMPUTING_MODULES.join(', ')}` : undefined
  }
  const allowed = PACKAGES[room] ?? []
  if (allowed === ALL || allowed.some((name) => subject === name || subject.startsWith(`${name}/`))) return undefined
  return `${room} may see ${allowed.length === 0 ? 'no package' : `of packages only ${allowed.join(', ')}`}`
}

/** One offence for each file from which a walk along imports comes back to a file still being walked. */
function findCircles(sources: readonly Source[]): Offence[] {
  const targets = new Map(
    sources.map(({ file, text }) => [
      file,
      readImports(text).flatMap((subject) =>
        subject.startsWith('.') ? [posix.join(posix.dirname(file), subject)] : [],
      ),
    ]),
  )
  const done = new Set<string>()
  const offences: Offence[] = []
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) {
      offences.push({ file, subject: [...path.slice(at), file].join(' -> '), rule: 'no circles between files' })
      return
    }
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const { file } of sources) walk(file, [])
  return offences
}

/** `src/index/rows.ts` -> index; `src/worker.ts` -> worker.ts; anything in scripts/ or mcp-server/ -> that folder. */
function roomOf(file: string): string {
  const [top = '', room = ''] = file.split('/')
  return top === 'src' ? room : top
}

/** Comments become spaces, so that an import in an example is no import; strings are kept whole. */
function withoutComments(text: string): string {
  return text.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (token) =>
    token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token,
  )
}

function listSources(root: string, folder: string): Source[] {
  let entries
  try {
    entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  } catch {
    return []
  }
  return entries
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs|js)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const file = path.slice(join(root, '/').length).replaceAll('\\', '/')
      return { file, text: readFileSync(path, 'utf8') }
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

function main(): void {
  const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
  const offences = checkRules(root)
  for (const { file, subject, rule } of offences) console.error(`${file}: ${subject}: ${rule}`)
  if (offences.length > 0) process.exitCode = 1
  else console.log('rules: every import keeps to its layer')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
