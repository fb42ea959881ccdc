/**
 * Finds the exact lanes of a question. A lane is only a guess (`facade` may be a
 * commit, `and/or` a path); one that finds nothing costs nothing.
 */
import { readGithubLink } from './github-links.ts'
import { versionTerm } from '../tokenize/identifiers.ts'
import type { ExactReference } from './exact-reference.ts'

/** More lanes than this are not looked up; the first ones of the question are. */
export const MAX_REFERENCES = 8

/** An address, with whatever of the sentence sticks to its end. */
export const URL_TEXT = /https?:\/\/[^\s<>"'`]+/gi
const REPO = '[\\w-]{1,39}\\/[\\w.-]{1,100}'
/** `#12` and `owner/repo#12`: the repository, the number. */
export const NUMBER = new RegExp(`(?:(?<![\\w./-])(${REPO})|(?<![\\w&]))#(\\d{1,9})(?!\\w)`, 'g')
const SHA = /(?<![\w.-])[0-9a-f]{6,40}(?![\w-])/gi
const NAME_CHARS = '\\p{L}\\p{M}\\p{N}_+$()[\\]{}-'
/** A path or name begins where none goes on, which also keeps these patterns linear. */
const BEGIN = `(?<![.@~:/\\\\${NAME_CHARS}])`
const PATH_TEXT = new RegExp(`${BEGIN}[.@~${NAME_CHARS}]+(?:[/\\\\][.@~${NAME_CHARS}]+)+`, 'gu')
const NAME_TEXT = new RegExp(`${BEGIN}\\.?[${NAME_CHARS}]+(?:\\.[${NAME_CHARS}]+)+(?![@~/\\\\${NAME_CHARS}])`, 'gu')
const DOT_FILE = /(?<![\p{L}\p{N}_@:/\\.-])\.[a-z][\w-]+/giu
const VERSION = /(?<![\w.])v?\d{1,9}(?:\.\d{1,9})+(?:-[a-z0-9]+(?:[.-][a-z0-9]+)*)?(?!\w)/gi

/** What questions are read for; a longer one is searched by its words. */
const MAX_READ_CHARS = 4096

/** The lanes of a question, and the question with its links replaced by the words they hold. */
export function readExactReferences(text: string): { lanes: ExactReference[]; rest: string } {
  const lanes = new Map<string, ExactReference>()
  const add = (lane: ExactReference): void => {
    const key = JSON.stringify(lane).toLowerCase()
    if (lanes.size < MAX_REFERENCES && !lanes.has(key)) lanes.set(key, lane)
  }
  const rest = text.replace(URL_TEXT, (url) => {
    const link = readGithubLink(url)
    for (const lane of link?.references ?? []) add(lane)
    return link === undefined ? url : ` ${link.words} `
  })
  const plain = text.slice(0, MAX_READ_CHARS).replace(URL_TEXT, ' ').replaceAll('](', '] (')
  for (const lane of lanesOf(plain)) add(lane)
  return { lanes: [...lanes.values()], rest }
}

function* lanesOf(text: string): Generator<ExactReference> {
  for (const [, repo, digits] of text.matchAll(NUMBER)) {
    yield { kind: 'number', number: Number(digits), ...(repo === undefined ? {} : { repo }) }
  }
  for (const [sha] of text.matchAll(SHA)) yield { kind: 'commit', sha: sha.toLowerCase() }
  const whole = text.trim()
  if (/^[^\n"]{1,512}\.[a-z]\w{0,7}$/i.test(whole) && /[/\s]/.test(whole)) yield { kind: 'path', path: tidyPath(whole) }
  for (const [path] of text.matchAll(PATH_TEXT)) {
    if (tidyPath(path).includes('/')) yield { kind: 'path', path: tidyPath(path) }
  }
  for (const [version] of text.matchAll(VERSION)) {
    const term = versionTerm(version)
    if (term !== undefined) yield { kind: 'version', version: term }
  }
  for (const pattern of [NAME_TEXT, DOT_FILE]) {
    for (const [name] of text.matchAll(pattern)) {
      if (versionTerm(name) === undefined) yield { kind: 'name', name: trimName(name) }
    }
  }
  if (/^[\p{L}\p{N}_.@-]{2,100}$/u.test(whole)) yield { kind: 'name', name: whole }
}

/** Forward slashes, no leading `./`, no line numbers, none of the sentence's punctuation. */
function tidyPath(path: string): string {
  return trimName(path.replaceAll('\\', '/').replace(/^\.{0,2}\/+/, ''))
}

function trimName(name: string): string {
  const bare = name.replace(/(?::\d+)+$/, '').replace(/[.,;:!?]+$/, '')
  const wrapped = /^[([{]([^()[\]{}]*)[)\]}]$/.exec(bare)
  if (wrapped?.[1] !== undefined) return wrapped[1]
  if (bare.endsWith(')') && !bare.includes('(')) return bare.slice(0, -1)
  return bare.startsWith('(') && !bare.includes(')') ? bare.slice(1) : bare
}
