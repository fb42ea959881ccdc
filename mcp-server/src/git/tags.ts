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

/** In git's order. `fields` are the parts between the NULs of the output. */
export function parseTags(fields: readonly string[]): TagRef[] {
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
