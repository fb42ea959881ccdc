/**
 * How much of a row is shown. Full rows show every field. Compact ones are for a
 * reader who pays by the character: they omit what a row says twice, and rows
 * after the first few are short.
 */
import { cutWithEllipsis } from '../../base/text-cut.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import type { HybridRow, SearchRow } from '../../contracts/tools/search-rows.ts'
import { SNIPPET_CHARS } from '../../text/snippet.ts'
import { MAX_ENTITY_ROWS } from '../limits.ts'

export interface RowDetail {
  readonly isCompact: boolean
  /** Only what names the row and says how it matches. */
  readonly isShort: boolean
  /** Files of a commit. */
  readonly files: number
  /** UTF-16 units of a commit's message and of a snippet. */
  readonly messageChars: number
  readonly snippetChars: number
  /** Further passages of a long text, and UTF-16 units of each. */
  readonly passages: number
  readonly passageChars: number
  /** Other rows of the entity. */
  readonly others: number
}

const FULL: RowDetail = {
  isCompact: false,
  isShort: false,
  files: 20,
  messageChars: Infinity,
  snippetChars: SNIPPET_CHARS,
  passages: Infinity,
  passageChars: SNIPPET_CHARS,
  others: MAX_ENTITY_ROWS,
}
const RICH: RowDetail = {
  isCompact: true,
  isShort: false,
  files: 3,
  messageChars: 240,
  snippetChars: SNIPPET_CHARS,
  passages: Infinity,
  passageChars: 120,
  others: 3,
}
const SHORT: RowDetail = {
  isCompact: true,
  isShort: true,
  files: 1,
  messageChars: 0,
  snippetChars: 80,
  passages: 0,
  passageChars: 0,
  others: 1,
}

const RICH_ROWS = 3

/** A short row whose score is below this share of the best one's is only named. */
const NEAR_SHARE = 0.6

/** Fields that a row omits if it is only named. A comment has no name of its own, so it keeps its snippet. */
const EVIDENCE: readonly string[] = [
  'heading',
  'snippet',
  'files',
  'same_entity',
] satisfies readonly (keyof HybridRow)[]
const WITHOUT_NAME: readonly DocumentType[] = ['issue_comment', 'pr_review', 'pr_review_comment']

/** The detail of the row at this place in the answer, from 0. */
export function rowDetail({ isCompact }: { readonly isCompact: boolean }, at: number): RowDetail {
  if (!isCompact) return FULL
  return at < RICH_ROWS ? RICH : SHORT
}

/** The most files that a row of the answer shows. */
export function mostFiles(plan: { readonly isCompact: boolean }): number {
  return rowDetail(plan, 0).files
}

/** Fields of scores other than `score`, which orders the rows. */
const SCORES: readonly string[] = [
  'dense_score',
  'sparse_score',
  'dense_rank',
  'sparse_rank',
  'rerank_score',
] satisfies readonly (keyof HybridRow)[]

/** Flags whose absence says the same as `false`. */
const FLAGS: readonly string[] = ['draft', 'prerelease'] satisfies readonly (keyof SearchRow)[]

/** Fields that a short row of a ranking omits. */
const DETAILS: readonly string[] = [
  'labels',
  'milestone',
  'assignees',
  'author',
  'author_association',
  'commit_author',
  'updated_at',
  'commit_date',
  'file_count',
  'previous_tag',
  'commit_count',
  'snippet_offset',
] satisfies readonly (keyof HybridRow)[]

/** The row of a list with this detail. */
export function withDetail<Row extends SearchRow>(row: Row, detail: RowDetail): Row {
  if (!detail.isCompact) return row
  const omitted = (name: string, value: unknown): boolean =>
    SCORES.includes(name) ||
    (value === false && FLAGS.includes(name)) ||
    (name in REPEATS && value === row[REPEATS[name]!])
  const kept = Object.entries(row).filter(([name, value]) => !omitted(name, value))
  return withoutRepeats(Object.fromEntries(kept) as unknown as Row & Partial<HybridRow>, detail)
}

/**
 * The row of a ranking with this detail; `best` is the score of the first row. In
 * an order by time rows keep their times, and a low score says little.
 */
export function withRankedDetail(row: HybridRow, detail: RowDetail, sort: string, best: number): HybridRow {
  const compact = withDetail(row, detail)
  if (!detail.isCompact) return compact
  const score = Math.round(row.score * 100) / 100 || row.score
  if (!detail.isShort) return { ...compact, score }
  const isByTime = sort !== 'relevance'
  const isNamedOnly = !isByTime && row.score < NEAR_SHARE * best && !WITHOUT_NAME.includes(row.type)
  const omitted = (name: string) =>
    (DETAILS.includes(name) && !(name === 'updated_at' && isByTime)) || (isNamedOnly && EVIDENCE.includes(name))
  const kept = Object.entries({ ...compact, score }).filter(([name]) => !omitted(name))
  return Object.fromEntries(kept) as unknown as HybridRow
}

/** Fields that are omitted where they equal another one. */
const REPEATS: Readonly<Record<string, keyof SearchRow>> = {
  updated_at: 'created_at',
  commit_date: 'created_at',
  commit_author: 'author',
}

/** Without texts that the row says in another field. */
function withoutRepeats<Row extends SearchRow & Partial<HybridRow>>(row: Row, detail: RowDetail): Row {
  const { snippet, snippet_offset: offset, message, files, ...rest } = row
  const { title = '' } = row
  const showsSnippet = snippet !== undefined && !says(title, snippet)
  const shownMessage = row.type === 'commit' ? messageBeside(message, title, snippet, detail) : message
  return {
    ...rest,
    ...(shownMessage !== undefined && { message: shownMessage }),
    ...(files !== undefined && { files: detail.isShort ? files.map(withoutId) : files }),
    ...(showsSnippet && { snippet }),
    ...(showsSnippet && offset !== undefined && offset > 0 && { snippet_offset: offset }),
  } as unknown as Row
}

function withoutId({ vector_id: _id, snippet_offset: _offset, ...file }: NonNullable<SearchRow['files']>[number]) {
  return file
}

/** A commit message, cut, unless title and snippet say all of it. */
function messageBeside(
  message: string | undefined,
  title: string,
  snippet: string | undefined,
  { messageChars }: RowDetail,
): string | undefined {
  if (message === undefined || messageChars === 0 || says(title, message)) return undefined
  const text = message.replace(/^[^\n]*/, '')
  if (snippet !== undefined && says(snippet, text)) return undefined
  return cutWithEllipsis(message.trim(), messageChars)
}

/** True if `text` is part of `other`, apart from white space and the marks of matches. */
export function says(other: string, text: string): boolean {
  return plain(other).includes(plain(text))
}

function plain(text: string): string {
  return text.replaceAll('**', '').replace(/\s+/g, ' ').trim()
}
