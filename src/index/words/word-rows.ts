/**
 * A document as the rows it is found by, one a chunk: what goes into the
 * columns of the FTS5 table `words` (the filter tokens apart) and the forward
 * index that ranking reads instead of the body. Pure: the same document gives
 * the same rows until ANALYSIS_VERSION moves.
 */
import { pathOf, typeOf, type Document } from '../../documents/document.ts'
import { packCounts, packSequence } from '../../fts/packed-terms.ts'
import { chunksOf, type Chunk } from '../../text/chunks.ts'
import { versionTerm } from '../../text/tokenize/identifiers.ts'
import { analysePath, analyseText, type AnalysedText } from '../../text/tokenize/analyse-text.ts'
import { filterToken } from '../filters/filter-tokens.ts'
import { readPatch, withoutPlace, type PatchText } from './patch-text.ts'

/** Moves whenever the same document would give other rows; rows of an older version owe a rebuild. */
export const ANALYSIS_VERSION = 2

/** What one chunk is found by. */
export interface WordRow {
  /** Offset of the chunk in the body, in UTF-16 units. */
  readonly start: number
  readonly chars: number
  /** Sum of the weighted counts, a whole number: the length BM25 compares. */
  readonly length: number
  /** The forward index, as base/packed-terms.ts packs counts. */
  readonly terms: string
  /** The path's words in order, as base/packed-terms.ts packs a sequence. */
  readonly pathTerms: string
  /** Space-separated terms: exact keys, title, path, body or changed lines, context. */
  readonly columns: Readonly<Record<'k' | Field, string>>
}

type Field = 't' | 'p' | 'b' | 'x'

/** How much one occurrence counts in the forward index, by where it stands. */
const FIELD_WEIGHTS: Record<Field, number> = { t: 2, p: 2, b: 1, x: 0.5 }

/** A compound repeats what its words say already. */
const COMPOUND_SHARE = 0.5

/** A term no question contains: a phrase cannot reach over it. */
const GAP = '＿'

/** The rows of a document, in the order of its body. At least one, however empty the document. */
export function toWordRows(document: Document): WordRow[] {
  const keys = exactKeys(document).join(' ')
  const title = analyseText(titleOf(document))
  const path = pathOf(document) ?? ''
  const pathText = analyseText(path)
  const pathTerms = packSequence(analysePath(path))
  const chunks = chunksOf(document.body, typeOf(document) === 'diff' ? 'patch' : 'prose')
  const texts = typeOf(document) === 'diff' ? patchTexts(document, chunks) : proseTexts(document, chunks)
  return chunks.map((chunk, at) => {
    const { changed, context } = texts[at] ?? NO_TEXT
    const fields = { t: title, p: pathText, b: analyseText(changed), x: analyseText(context) }
    const counts = countTerms(fields)
    let length = 0
    for (const count of counts.values()) length += count
    const columns = { k: keys, t: column(fields.t), p: column(fields.p), b: column(fields.b), x: column(fields.x) }
    return { ...chunk, length: Math.round(length), terms: packCounts(counts), pathTerms, columns }
  })
}

/**
 * What names a document in words: a diff the first line of its commit's message
 * (its own title is only sha and path), a release its tag beside its name, a
 * review its verdict, which is all that many have.
 */
function titleOf({ identity, title = '', message = '', reviewState = '' }: Document): string {
  switch (identity.type) {
    case 'diff':
      return firstLine(message)
    case 'release':
      return `${title} ${identity.tagName}`
    case 'pr_review':
      return `${title} ${reviewState}`
    default:
      return title
  }
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}

const NO_TEXT: PatchText = { changed: '', context: '' }

/** Pages and comments have no context, but for the hunk a review comment stands at. */
function proseTexts({ body, diffHunk }: Document, chunks: readonly Chunk[]): PatchText[] {
  const hunk = diffHunk === undefined ? '' : withoutPlace(diffHunk)
  return chunks.map(({ start, chars }, at) => ({
    changed: body.slice(start, start + chars),
    context: at === 0 ? hunk : '',
  }))
}

/** The rest of a commit's message counts as changed, once a diff. */
function patchTexts({ body, message = '' }: Document, chunks: readonly Chunk[]): PatchText[] {
  const rest = message.slice(firstLine(message).length)
  return readPatch(body, chunks).map(({ changed, context }, at) => ({
    changed: at === 0 && rest !== '' ? `${changed}\n${rest}` : changed,
    context,
  }))
}

function countTerms(fields: Readonly<Record<Field, AnalysedText>>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const field of ['t', 'p', 'b', 'x'] as const) {
    const weight = FIELD_WEIGHTS[field]
    const { words, compounds, bigrams: pairs } = fields[field]
    for (const term of words) add(counts, term, weight)
    for (const term of compounds) add(counts, term, weight * COMPOUND_SHARE)
    for (const term of pairs) if (isInformative(term)) add(counts, term, weight)
  }
  return counts
}

function add(counts: Map<string, number>, term: string, weight: number): void {
  counts.set(term, (counts.get(term) ?? 0) + weight)
}

/** Pairs with hiragana are mostly endings: they are found, but not worth a place in the forward index. */
function isInformative(pair: string): boolean {
  return !/[\u3041-\u309F]/.test(pair)
}

function column({ words, compounds, bigrams: pairs }: AnalysedText): string {
  let text = words.join(' ')
  for (const terms of [compounds, pairs]) if (terms.length > 0) text += ` ${GAP} ${terms.join(' ')}`
  return text
}

/** What a document is found by exactly: number, commit, path and file name, version and tag, comment. */
function exactKeys(document: Document): string[] {
  const { identity } = document
  const path = pathOf(document)
  const keys = path === undefined ? [] : [filterToken('path', path), filterToken('name', nameOf(path))]
  switch (identity.type) {
    case 'issue':
    case 'pull_request':
      return [...keys, `n${identity.number}`]
    case 'diff':
      return [...keys, identity.commitSha.toLowerCase()]
    case 'release': {
      const version = versionOfTag(identity.tagName)
      const named = filterToken('name', identity.tagName)
      return version === undefined ? [...keys, named] : [...keys, named, `v${version}`]
    }
    case 'issue_comment':
    case 'pr_review_comment':
      return [...keys, `m${identity.commentId}`]
    case 'pr_review':
      return [...keys, `m${identity.reviewId}`]
    case 'doc':
    case 'wiki_doc':
      return keys
    default:
      return identity satisfies never
  }
}

/** The version in `v1.2.3`, `core@1.2.3`, `core/v1.2.3`, `core-v1.2.3`. */
function versionOfTag(tag: string): string | undefined {
  return versionTerm(tag.replace(/^.*[@/]/, '').replace(/^[a-z][a-z_-]*-(?=v?\d)/i, ''))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
