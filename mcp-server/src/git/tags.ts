/**
 * Parses `git for-each-ref refs/tags`: annotated tags with their message and the
 * tagger's time, lightweight tags with their commit's time.
 */
import { toMs } from './patches.ts'

/** A tag of any object. */
export interface TagRef {
  readonly name: string
  /** Id of the tag object or, for a lightweight tag, of the tagged object. */
  readonly target: string
  /** Empty for a lightweight tag. */
  readonly message: string
  readonly author?: string
  /** Milliseconds UTC. */
  readonly at?: number
}

/** A tag of a commit, also through other tags. */
export interface Tag extends TagRef {
  readonly commitSha: string
}

const FIELDS = [
  '%(refname)',
  '%(objectname)',
  '%(objecttype)',
  '%(creatordate:unix)',
  '%(*committerdate:unix)',
  '%(taggername)',
  '%(contents:subject)',
  '%(contents:body)',
]
export const TAG_FORMAT = FIELDS.map((field) => `${field}%00`).join('')

/** In git's order. */
export function parseTags(output: string): TagRef[] {
  const fields = output.split('\0')
  const tags: TagRef[] = []
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    tags.push(toTagRef(fields.slice(at, at + FIELDS.length)))
  }
  return tags
}

function toTagRef(record: readonly string[]): TagRef {
  const [ref = '', target = '', type, created = '', committed = '', tagger = '', subject, body] = record
  const annotated = type === 'tag'
  const at = toMs(created) ?? toMs(committed)
  return {
    name: ref.trimStart().replace(/^refs\/tags\//, ''),
    target,
    message: annotated ? [subject, body].join('\n\n').trim() : '',
    ...(annotated && tagger !== '' ? { author: tagger } : {}),
    ...(at === undefined ? {} : { at }),
  }
}

const VERSION_FORM = /(?:^|[^a-z0-9])(?:v?\d+(?:\.\d+)+|v\d+)(.*)$/i
const FINAL = /^[-.]?(final|ga|release|stable|lts|post\.?\d*|r\d+|\d+)$/i
const EARLY = /^[-._]?(a|b|c|rc|alpha|beta|pre|preview|dev|snapshot|nightly|canary|next)[._-]?\d*$/i

/**
 * True for the name of a pre-release: a version followed by `-something`
 * (Semantic Versioning, item 9) or by a word such as rc or beta.
 */
export function isPrerelease(name: string): boolean {
  const suffix = VERSION_FORM.exec(name)?.[1]?.replace(/\+.*$/, '')
  if (suffix === undefined || suffix === '' || FINAL.test(suffix)) return false
  return /^-[0-9a-z]/i.test(suffix) || EARLY.test(suffix)
}
