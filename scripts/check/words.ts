/**
 * `npm run check:words [-- PATH...]`: refuses words the project does not use,
 * and sentences that open with a relative clause ("What ...", "Whoever ..."),
 * in code, comments, SQL, documents and the titles of tests. Prints file, line,
 * word and the term to write, and exits 1. With paths, only files below them.
 * Generated files, data and the texts inside tests are not read.
 */
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lineOf, listFiles, reportOffences, toSource, visit, type Offence, type SyntaxNode } from './parsed-sources.ts'
import { WORD_LIST, type ForbiddenWord } from './word-list.ts'

const ROOTS = ['src', 'mcp-server', 'scripts', 'test', 'docs', 'migrations', '.github', '.ci']
const ROOT_FILES = ['README.md', 'CHANGELOG.md', 'vitest.config.ts', 'wrangler.toml']

/** Files that have the words on purpose, and files a generator writes from checked text. */
const NOT_READ = [
  'scripts/check/word-list.ts',
  'scripts/check/words.ts',
  'test/scripts/check/words.node.test.ts',
  'test/fixtures/retired-migrations/0001_index.sql',
  'docs/glossary.md',
  'docs/configuration.md',
  'docs/tools.md',
  'docs/page-schema.md',
]

const CODE = /\.(?:ts|mjs|js)$/
const TEXT = /\.(?:md|sql|yml|yaml|toml)$|^\.ci\/run$/

/** A part of a file: prose is read as sentences, a name as its words. */
export interface Fragment {
  readonly kind: 'prose' | 'name'
  readonly text: string
  /** The line of its first character. */
  readonly line: number
}

interface Rule extends ForbiddenWord {
  readonly prosePattern?: RegExp
  readonly namePattern?: RegExp
}

const RULES: readonly Rule[] = WORD_LIST.map((word) => ({
  ...word,
  ...(word.prose !== undefined && {
    prosePattern: new RegExp(`(?<![\\p{L}])(?:${word.prose.replaceAll(' ', '[\\s_-]+')})(?![\\p{L}])`, 'giu'),
  }),
  ...(word.names !== undefined && { namePattern: new RegExp(`^(?:.+ )?(?:${word.names})(?: .+)?$`) }),
}))

/** A sentence that opens with a relative clause as its subject. */
const RELATIVE_OPENING =
  /^(?:What|Whatever|Whoever|Whichever)\s|^That (?:a|an|the|it|they|nobody|no|one|each|every|some|any)\s/

export function checkWords(root: string, paths: readonly string[] = []): Offence[] {
  const files = [...ROOTS.flatMap((folder) => listFiles(root, folder)), ...ROOT_FILES]
  const wanted = files.filter((file) => paths.length === 0 || paths.some((path) => isBelow(file, path)))
  return wanted
    .filter((file) => !NOT_READ.includes(file) && (CODE.test(file) || TEXT.test(file)))
    .flatMap((file) => checkFragments(file, listFragments(file, readText(root, file))))
}

/** The fragments of a file, without what is data: the strings inside tests, fenced examples, addresses. */
export function listFragments(file: string, text: string): Fragment[] {
  if (CODE.test(file)) return readCode(file, text)
  if (file.endsWith('.md')) return readMarkdown(text)
  return text
    .split('\n')
    .map((line, at) => ({ kind: 'prose', text: line.replace(/^\s*(?:#|--)\s?/, ''), line: at + 1 }))
}

export function checkFragments(file: string, fragments: readonly Fragment[]): Offence[] {
  const rules = RULES.filter(({ only, notIn }) => (only?.test(file) ?? true) && !notIn?.test(file))
  const seenNames = new Set<string>()
  return fragments.flatMap((fragment) => {
    if (fragment.kind === 'prose') return [...findWords(file, fragment, rules), ...findRelativeOpenings(file, fragment)]
    if (seenNames.has(fragment.text)) return []
    seenNames.add(fragment.text)
    return findInName(file, fragment, rules)
  })
}

function findWords(file: string, { text, line }: Fragment, rules: readonly Rule[]): Offence[] {
  return rules.flatMap(({ prosePattern, except, use }) => {
    if (prosePattern === undefined) return []
    const read = except === undefined ? text : text.replace(except, (part) => part.replace(/[^\n]/g, ' '))
    return [...read.matchAll(prosePattern)].map((match) => ({
      file,
      line: line + lineOf(text, match.index) - 1,
      subject: match[0].replace(/\s+/g, ' '),
      rule: `write ${use}`,
    }))
  })
}

function findInName(file: string, { text, line }: Fragment, rules: readonly Rule[]): Offence[] {
  const words = splitName(text)
  return rules
    .filter(({ namePattern, exceptNames }) => namePattern?.test(words) && !exceptNames?.includes(text))
    .map(({ use }) => ({ file, line, subject: text, rule: `name it ${use}` }))
}

function findRelativeOpenings(file: string, { text, line }: Fragment): Offence[] {
  return [...text.matchAll(/(?<=^\s*|[.!?]\s+|\n\s*\n\s*|\n\s*-\s+)\p{Lu}[^.!?]*[.!?]?/gu)].flatMap((match) => {
    const [sentence] = match
    if (!RELATIVE_OPENING.test(sentence) || sentence.endsWith('?')) return []
    const subject = sentence.trimEnd().split(/\s+/).slice(0, 5).join(' ')
    return [{ file, line: line + lineOf(text, match.index) - 1, subject, rule: 'open a sentence with its subject' }]
  })
}

/** `findByMeaning` -> find by meaning; `MAX_ROOM` -> max room. */
function splitName(name: string): string {
  return name
    .replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
    .replace(/[_$#]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Comments, names and strings; of the strings in tests and benches only titles. */
function readCode(file: string, text: string): Fragment[] {
  const { parsed } = toSource(file, text)
  const fragments: Fragment[] = parsed.comments.map(({ value, start }) => ({
    kind: 'prose',
    text: value.replace(/^[ \t]*\*/gm, (lead) => ' '.repeat(lead.length)),
    line: lineOf(text, start),
  }))
  const titlesOnly = /^test\/|^scripts\/bench\//.test(file)
  const titles = new Set<number>()
  const add = (kind: Fragment['kind'], value: string, start: number): void => {
    fragments.push({ kind, text: value, line: lineOf(text, start) })
  }
  visit(parsed.program, (node) => {
    if (titlesOnly) addTitle(node, titles)
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') add('name', node.name, node.start)
    if (titlesOnly && !titles.has(node.start)) return
    if (node.type === 'Literal' && typeof node.value === 'string') add('prose', node.value, node.start)
    if (node.type === 'TemplateLiteral') for (const { value, start } of node.quasis) add('prose', value.raw, start)
  })
  return fragments
}

/** Remembers where the title in `test('title', ...)` or `test.each(...)('title', ...)` begins. */
function addTitle(node: SyntaxNode, titles: Set<number>): void {
  if (node.type !== 'CallExpression') return
  let callee: SyntaxNode = node.callee
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') {
    callee = callee.type === 'CallExpression' ? callee.callee : callee.object
  }
  const first = node.arguments[0]
  if (callee.type === 'Identifier' && /^(?:test|it|describe)$/.test(callee.name) && first) titles.add(first.start)
}

/** Paragraphs, items and cells; fenced examples, headings, heads of tables and addresses are left empty. */
function readMarkdown(text: string): Fragment[] {
  const lines = text.split('\n')
  let fenced = false
  const kept = lines.map((line, at) => {
    const fence = /^\s*(?:```|~~~)/.test(line)
    if (fence) fenced = !fenced
    const isHead = /^#+\s/.test(line) || /^\s*\|[\s:|-]+\|\s*$/.test(lines[at + 1] ?? '')
    if (fence || fenced) return ''
    const prose = line.replace(/\]\([^)]*\)/g, ']').replace(/<[^>]*>/g, '')
    return isHead ? prose.replace(/^#+\s*/, '').toLowerCase() : prose
  })
  const fragments: Fragment[] = []
  let start = 0
  kept.forEach((line, at) => {
    const ends = line.trim() === '' || /^\s*\|/.test(line) || at === kept.length - 1
    if (!ends) return
    const paragraph = kept
      .slice(start, at + 1)
      .join('\n')
      .trimEnd()
    const cells = /^\s*\|/.test(line) ? line.split('|') : [paragraph]
    const first = /^\s*\|/.test(line) ? at : start
    if (/^\s*\|/.test(line) && at > start)
      fragments.push({ kind: 'prose', text: kept.slice(start, at).join('\n'), line: start + 1 })
    for (const cell of cells)
      fragments.push({
        kind: 'prose',
        text: cell.replace(/^[\s>*-]+/, (lead) => lead.replace(/[^\n]/g, ' ')).replace(/^ +/, ''),
        line: first + 1,
      })
    start = at + 1
  })
  return fragments
}

function readText(root: string, file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return ''
  }
}

function isBelow(file: string, path: string): boolean {
  return file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function main(): void {
  const root = join(import.meta.dirname, '../..')
  const paths = process.argv.slice(2).map((path) => relative(root, resolve(path)).replaceAll('\\', '/'))
  reportOffences(checkWords(root, paths), 'words: every text uses the terms of docs/glossary.md')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
