/**
 * Questions as FTS5 MATCH expressions over the table `words`. They are built
 * only from analysed terms, keys and numbers, each in double quotes, so nothing
 * that a caller types can be an operator or a syntax error. Filters and scope
 * are added by the statements in candidates.ts.
 */
import { filterToken } from '../filters/filter-tokens.ts'
import type { ExactReference } from '../../text/question/exact-reference.ts'
import type { QuestionTerm } from '../../text/question/question-terms.ts'
import type { Question } from '../../text/question/question.ts'

/** An exact reference or a quoted phrase, as an expression of its own. */
export interface ReferenceMatch {
  readonly reference: ExactReference['kind'] | 'phrase'
  readonly match: string
  /** `owner/name` as written in the question, where the reference names a repository. */
  readonly repo?: string
}

/** Words of a question up to which their forms select candidates beside their stems: a longer one has enough words. */
const WORDS_WITH_FORMS = 3

/** Any of the terms in any word column, or in keys, titles and paths; undefined without a term. */
export function termsMatch(terms: readonly QuestionTerm[], inTitles = false): string | undefined {
  if (terms.length === 0) return undefined
  const words = terms.flatMap(({ word }) => word ?? [])
  const forms = words.length <= WORDS_WITH_FORMS ? words : []
  const wanted = new Set([...terms.map(({ term }) => term), ...forms])
  return `{${inTitles ? 'k t p' : 'k t p b x'}} : (${[...wanted].map(quoted).join(' OR ')})`
}

/** One expression for each exact reference and each phrase of the question. */
export function referenceMatches(question: Question): ReferenceMatch[] {
  const references = question.references.map((reference): ReferenceMatch => {
    const one = { reference: reference.kind, match: matchOf(reference) }
    return 'repo' in reference ? { ...one, repo: reference.repo } : one
  })
  const phrases = question.phrases.map((phrase): ReferenceMatch => {
    const runs = phrase.map((run) => quoted(run.join(' ')))
    return { reference: 'phrase', match: `{t p b x} : (${runs.join(' AND ')})` }
  })
  return [...references, ...phrases]
}

function matchOf(reference: ExactReference): string {
  switch (reference.kind) {
    case 'number':
      return key(`n${reference.number}`)
    case 'comment':
      return `${key(`m${reference.id}`)} AND f : ${quoted(filterToken('type', reference.type))}`
    case 'commit':
      return reference.sha.length === 40 ? key(reference.sha) : `${key(reference.sha)} *`
    case 'path':
      return key(filterToken('path', reference.path))
    case 'wiki':
      return `k : (${[reference.page, `${reference.page}.md`].map((page) => quoted(filterToken('name', page))).join(' OR ')})`
    case 'tag':
      return key(filterToken('name', reference.tag))
    case 'name':
    case 'mention':
      return key(filterToken('name', reference.name))
    case 'version':
      return key(`v${reference.version}`)
    default:
      return reference satisfies never
  }
}

function key(token: string): string {
  return `k : ${quoted(token)}`
}

function quoted(terms: string): string {
  return `"${terms}"`
}
