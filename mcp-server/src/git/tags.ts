/**
 * Parses `git for-each-ref refs/tags`: annotated tags with their message and the
 * tagger's time, lightweight tags with their commit's time.
 */
import { toText } from './bytes.ts'
import { toMs } from './patches.ts'

export interface Tag {
  readonly name: string
  /** Id of the tag object or, for a lightweight tag, of the commit. */
  readonly target: string
  /** Empty for a lightweight tag. */
  readonly message: string
  readonly author?: string
  /** Milliseconds UTC. */
  readonly at?: number
}

const FIELDS = [
  '%(refname)',
  '%(objectname)',
  '%(objecttype)',
  '%(*objecttype)',
  '%(creatordate:unix)',
  '%(*committerdate:unix)',
  '%(taggername)',
  '%(contents:subject)',
  '%(contents:body)',
]
export const TAG_FORMAT = FIELDS.map((field) => `${field}%00`).join('')

/** The tags of commits, in git's order. A tag of a file or a tree is not a release. */
export function parseTags(output: Uint8Array | string): Tag[] {
  const fields = (typeof output === 'string' ? output : toText(output)).split('\0')
  const tags: Tag[] = []
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    const record = fields.slice(at, at + FIELDS.length)
    const tag = toTag(record)
    if (tag !== undefined) tags.push(tag)
  }
  return tags
}

function toTag(record: readonly string[]): Tag | undefined {
  const [ref = '', target = '', type, peeledType, created = '', committed = '', tagger = '', subject, body] = record
  const annotated = type === 'tag'
  // Git peels a tag of a tag once; it is assumed to be a release.
  if (annotated ? peeledType !== 'commit' && peeledType !== 'tag' : type !== 'commit') return undefined
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
