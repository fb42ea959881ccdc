/**
 * The attributes that `.gitattributes` files give to paths, by git's rules: the
 * file nearest to the path and its last line first, macros of the top file
 * expanded. Reads texts, so no git is needed that can read attributes of a tree,
 * and nothing but the tree has a say.
 */
import { parsePathPattern, type PathPattern } from './path-pattern.ts'
import { MAX_ATTRIBUTE_LINE_CHARS, MAX_ATTRIBUTE_RULES } from '../limits.ts'

/** Set, unset (`-name`), or a text (`name=text`). */
type AttributeValue = boolean | string

/** The attributes that are specified for a path. */
export type PathAttributes = ReadonlyMap<string, AttributeValue>

export interface AttributeFile {
  readonly path: string
  readonly text: string
}

interface Setting {
  readonly name: string
  /** Undefined for `!name`, which hides what other lines say. */
  readonly value: AttributeValue | undefined
}

interface Rule {
  readonly matches: PathPattern
  readonly settings: readonly Setting[]
}

type Macros = ReadonlyMap<string, readonly Setting[]>

/** The only macro that git brings along. */
const BINARY_MACRO: readonly [string, readonly Setting[]] = [
  'binary',
  [
    { name: 'diff', value: false },
    { name: 'merge', value: false },
    { name: 'text', value: false },
  ],
]

const ATTRIBUTE_NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/
const MACRO_LINE = /^\[attr\]/

/** `files` are named `.gitattributes`; `wanted` are the attributes that the caller asks for. */
export function parseAttributes(
  files: readonly AttributeFile[],
  wanted: ReadonlySet<string>,
): (path: string) => PathAttributes {
  const top = files.find(({ path }) => path === '.gitattributes')
  const macros: Macros = new Map([BINARY_MACRO, ...listMacros(top?.text ?? '')])
  const isRelevant = ({ name }: Setting): boolean => wanted.has(name) || macros.has(name)
  const rulesByFolder = new Map<string, readonly Rule[]>()
  let left = MAX_ATTRIBUTE_RULES
  for (const { path, text } of files) {
    const rules = parseRules(text, isRelevant).slice(0, left)
    left -= rules.length
    if (rules.length > 0) rulesByFolder.set(path.slice(0, -'.gitattributes'.length), rules.toReversed())
  }
  return (path) => {
    const decided = new Map<string, AttributeValue | undefined>()
    for (const folder of foldersOf(path)) {
      const within = path.slice(folder.length)
      for (const { matches, settings } of rulesByFolder.get(folder) ?? []) {
        if (matches(within)) decide(settings, macros, decided)
      }
    }
    return new Map([...decided].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  }
}

/** `a/b/`, `a/` and the empty text for `a/b/c`. */
function foldersOf(path: string): string[] {
  const folders: string[] = []
  for (let at = path.lastIndexOf('/'); at !== -1; at = path.lastIndexOf('/', at - 1)) {
    folders.push(path.slice(0, at + 1))
    if (at === 0) break
  }
  return [...folders, '']
}

/** Of two settings of an attribute the first decided one stays: the last of the line. A macro counts when it is decided itself. */
function decide(settings: readonly Setting[], macros: Macros, decided: Map<string, AttributeValue | undefined>): void {
  for (const { name, value } of settings.toReversed()) {
    if (decided.has(name)) continue
    decided.set(name, value)
    if (value === true) decide(macros.get(name) ?? [], macros, decided)
  }
}

function parseRules(text: string, isRelevant: (setting: Setting) => boolean): Rule[] {
  return listLines(text).flatMap((line) => {
    const [pattern, rest] = splitLine(line)
    const settings = parseSettings(rest).filter(isRelevant)
    const matches = settings.length === 0 || MACRO_LINE.test(pattern) ? undefined : parsePathPattern(pattern)
    return matches === undefined ? [] : [{ matches, settings }]
  })
}

function listMacros(text: string): [string, readonly Setting[]][] {
  return listLines(text).flatMap((line) => {
    const [name = '', ...settings] = line.split(/[ \t]+/)
    const macro = MACRO_LINE.test(name) ? name.replace(MACRO_LINE, '') : ''
    return ATTRIBUTE_NAME.test(macro) ? [[macro, parseSettings(settings.join(' '))]] : []
  })
}

function listLines(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => line.length <= MAX_ATTRIBUTE_LINE_CHARS)
    .map((line) => line.replace(/^[ \t\r]+/, '').replace(/[ \t\r]+$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
}

const ESCAPED: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** The pattern, which may be in double quotes with escapes as in C, and the rest of the line. */
function splitLine(line: string): [string, string] {
  const quoted = /^"((?:[^"\\]|\\.)*)"(.*)$/s.exec(line)
  if (quoted === null) {
    const [pattern = ''] = /^[^ \t\r]*/.exec(line) ?? []
    return [pattern, line.slice(pattern.length)]
  }
  // An escape may be a part of a character, so the text is put together from bytes.
  const parts = (quoted[1] ?? '').match(/\\[0-3][0-7]{2}|\\.|[^\\]+/gs) ?? []
  const bytes = parts.map((part) => {
    if (!part.startsWith('\\')) return Buffer.from(part)
    const escaped = part.slice(1)
    return escaped.length === 3 ? Buffer.of(Number.parseInt(escaped, 8)) : Buffer.from(ESCAPED[escaped] ?? escaped)
  })
  return [Buffer.concat(bytes).toString('utf8'), quoted[2] ?? '']
}

function parseSettings(text: string): Setting[] {
  return text.split(/[ \t\r]+/).flatMap((part): Setting[] => {
    const [, sign = '', name = '', value] = /^([-!]?)([^=]*)(?:=(.*))?$/s.exec(part) ?? []
    if (!ATTRIBUTE_NAME.test(name)) return []
    if (sign === '!') return [{ name, value: undefined }]
    return [{ name, value: sign === '-' ? false : (value ?? true) }]
  })
}
