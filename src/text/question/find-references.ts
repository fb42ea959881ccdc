/**
 * Finds the exact references of a question. Each is a guess (`facade` may be a
 * commit, `and/or` a path); one that finds nothing has no effect.
 */
import { readGithubLink } from './github-links.ts'
import { listItems } from './item-references.ts'
import { normalise } from '../tokenize/normalise.ts'
import { tokenize } from '../tokenize/tokenizer.ts'
import { versionTerm } from '../tokenize/identifiers.ts'
import type { ExactReference } from './exact-reference.ts'
import { MAX_REFERENCES, MAX_REFERENCE_TEXT_CHARS } from '../limits.ts'

/** An address, perhaps with punctuation of its sentence at the end. */
export const URL_TEXT = /https?:\/\/[^\s<>"'`]+/gi
const REPO = '[\\w-]{1,39}\\/[\\w.-]{1,100}'
/** `#12` and `owner/repo#12`: the repository, the number. */
export const NUMBER = new RegExp(`(?:(?<![\\w./-])(${REPO})|(?<![\\w&]))#(\\d{1,9})(?!\\w)`, 'g')
const SHA = /(?<![\w.-])[0-9a-f]{6,40}(?![\w-])/gi
const NAME_CHARS = '\\p{L}\\p{M}\\p{N}_+$()[\\]{}-'
/** A path or name starts only where no other continues, which also keeps these patterns linear. */
const BEGIN = `(?<![.@~:/\\\\${NAME_CHARS}])`
const PATH_TEXT = new RegExp(`${BEGIN}[.@~${NAME_CHARS}]+(?:[/\\\\][.@~${NAME_CHARS}]+)+`, 'gu')
const NAME_TEXT = new RegExp(`${BEGIN}\\.?[${NAME_CHARS}]+(?:\\.[${NAME_CHARS}]+)+(?![@~/\\\\${NAME_CHARS}])`, 'gu')
const DOT_FILE = /(?<![\p{L}\p{N}_@:/\\.-])\.[a-z][\w-]+/giu
const VERSION = /(?<![\w.])v?\d{1,9}(?:\.\d{1,9})+(?:-[a-z0-9]+(?:[.-][a-z0-9]+)*)?(?!\w)/gi

/** A GitHub link without its scheme. */
const BARE_LINK = /(?<![\w.@/-])(?:www\.)?github\.com\//gi

/** The end of a file's name before kana, which continue the sentence: `config.tsの`. */
const EXTENSION_IN_JAPANESE = /(\.[a-z]\w{0,7})(?=[\u3041-\u30FF])/gi

/** True for a reference to one item. A number alone also asks for what mentions it. */
function namesItem(reference: ExactReference): boolean {
  return (
    reference.kind === 'commit' || reference.kind === 'comment' || (reference.kind === 'number' && 'repo' in reference)
  )
}

/** A file's name in a question of at least this many words is a mention. */
const SENTENCE_WORDS = 4

interface ReadReferences {
  readonly references: ExactReference[]
  /** The question with its GitHub links replaced by the words in them. */
  readonly rest: string
  /** The question has nothing but SHAs, numbers of items with their repository, and links to such. */
  readonly isReferenceOnly: boolean
}

export function readExactReferences(text: string): ReadReferences {
  const references = new Map<string, ExactReference>()
  const add = (reference: ExactReference): void => {
    const key = JSON.stringify(reference).toLowerCase()
    if (references.size < MAX_REFERENCES && !references.has(key)) references.set(key, reference)
  }
  const linked = text.replace(BARE_LINK, 'https://github.com/')
  const rest = linked.replace(URL_TEXT, (url) => {
    const link = readGithubLink(url)
    for (const reference of link?.references ?? []) add(reference)
    return link === undefined ? url : ` ${link.words} `
  })
  const plain = linked
    .slice(0, MAX_REFERENCE_TEXT_CHARS)
    .replace(URL_TEXT, ' ')
    .replaceAll('](', '] (')
    .replace(EXTENSION_IN_JAPANESE, '$1 ')
  for (const reference of listReferences(plain)) add(reference)
  for (const reference of listNames(plain)) add(reference)
  const found = [...references.values()]
  // `owner/repo` in `owner/repo#12` also looks like a path.
  const isReferenceOnly =
    /^[\s,;()]*$/.test(plain.replace(NUMBER, '').replace(SHA, '')) &&
    found.some(namesItem) &&
    found.every((one) => namesItem(one) || one.kind === 'name' || one.kind === 'path')
  return { references: found, rest, isReferenceOnly }
}

function* listReferences(text: string): Generator<ExactReference> {
  for (const [, repo, digits] of normalise(text).matchAll(NUMBER)) {
    yield { kind: 'number', number: Number(digits), ...(repo === undefined ? {} : { repo }) }
  }
  yield* listItems(text)
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
}

function* listNames(text: string): Generator<ExactReference> {
  const whole = text.trim()
  const kind = countWords(text) < SENTENCE_WORDS ? 'name' : 'mention'
  for (const pattern of [NAME_TEXT, DOT_FILE]) {
    for (const [name] of text.matchAll(pattern)) {
      if (versionTerm(name) === undefined) yield { kind, name: trimName(name) }
    }
  }
  if (/^[\p{L}\p{N}_.@-]{2,100}$/u.test(whole)) yield { kind: 'name', name: whole }
}

/** Words of a question; a path or a file's name is one, and so is each word of a script without spaces. */
function countWords(text: string): number {
  let count = 0
  const skip = (): void => {}
  const apart = [PATH_TEXT, NAME_TEXT, DOT_FILE].reduce((rest, pattern) => rest.replace(pattern, ' x '), text)
  for (const part of apart.split(/\s+/)) {
    let words = 0
    tokenize(normalise(part), { word: () => (words += 1), compound: skip, relative: skip, bigram: skip })
    count += /^[\0-\x7f]*$/.test(part) ? Math.min(1, words) : words
  }
  return count
}

/** Forward slashes, without leading `./`, line numbers and punctuation of the sentence. */
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
