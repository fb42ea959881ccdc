/**
 * Questions as FTS5 MATCH expressions over the table `words`. They are built
 * from analysed terms, keys and numbers only, each in double quotes, so nothing
 * a caller types can be an operator or a syntax error. Filters and the viewer
 * are added by whoever runs them.
 */
import { filterToken } from '../filters/filter-tokens.ts'
import type { ExactReference } from '../../text/question/exact-reference.ts'
import type { QuestionTerm } from '../../text/question/question-terms.ts'
import type { Question } from '../../text/question/question.ts'

/** `rank` of the pool: keys, title, path, body, context, filters. Chosen on known-item sets. */
export const CANDIDATE_RANK = 'bm25(1.0, 2.0, 2.0, 1.0, 0.5, 0.0)'

/** Rows the pool needs for the second stage to find what there is to find. */
export const MIN_CANDIDATES = 100

/** An exact lookup beside the pool: its kind, what it matches, and the repository it is about, if it names one. */
export interface ReferenceMatch {
  readonly reference: ExactReference['kind'] | 'phrase'
  readonly match: string
  /** As written in the question: `owner/name`. */
  readonly repo?: string
}

/** Any of the terms in any word column; undefined when there is none. */
export function termsMatch(terms: readonly QuestionTerm[]): string | undefined {
  if (terms.length === 0) return undefined
  return `{k t p b x} : (${terms.map(({ term }) => quoted(term)).join(' OR ')})`
}

/** One expression for each lane and phrase of the question. */
export function referenceMatches(question: Question): ReferenceMatch[] {
  const lanes = question.references.map((lane): ReferenceMatch => {
    const found = { reference: lane.kind, match: matchOf(lane) }
    return 'repo' in lane ? { ...found, repo: lane.repo } : found
  })
  const phrases = question.phrases.map((phrase): ReferenceMatch => {
    const runs = phrase.map((run) => quoted(run.join(' ')))
    return { reference: 'phrase', match: `{t p b x} : (${runs.join(' AND ')})` }
  })
  return [...lanes, ...phrases]
}

function matchOf(lane: ExactReference): string {
  switch (lane.kind) {
    case 'number':
      return key(`n${lane.number}`)
    case 'comment':
      return `${key(`m${lane.id}`)} AND f : ${quoted(filterToken('type', lane.type))}`
    case 'commit':
      return lane.sha.length === 40 ? key(lane.sha) : `${key(lane.sha)} *`
    case 'path':
      return key(filterToken('path', lane.path))
    case 'wiki':
      return `k : (${[lane.page, `${lane.page}.md`].map((page) => quoted(filterToken('name', page))).join(' OR ')})`
    case 'tag':
      return key(filterToken('name', lane.tag))
    case 'name':
      return key(filterToken('name', lane.name))
    case 'version':
      return key(`v${lane.version}`)
    default:
      return lane satisfies never
  }
}

function key(token: string): string {
  return `k : ${quoted(token)}`
}

function quoted(terms: string): string {
  return `"${terms}"`
}
