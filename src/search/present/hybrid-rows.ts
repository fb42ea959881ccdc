/**
 * The rows of a search with a question: one for each group, with scores, a snippet
 * of the passage that matched, and the other rows of its entity. The group of a
 * commit is the row of the commit; the rows of its diffs become its files.
 */
import { toTime } from '../../base/time.ts'
import type { HybridRow } from '../../contracts/tools/search-rows.ts'
import type { PassagePlace } from '../../index/documents/read-bodies.ts'
import type { BriefRow, DocumentRow } from '../../index/documents/read-documents.ts'
import type { ResultRows, ResultsQuery } from '../../index/documents/read-results.ts'
import type { Group } from '../../ranking/documents/aggregate.ts'
import type { Question } from '../../text/question/question.ts'
import { snippetOf } from '../../text/snippet.ts'
import { commitOf, membersOf } from '../group-hits.ts'
import { MIN_SCORE } from '../limits.ts'
import type { DocumentHit } from '../merge-rankings.ts'
import type { HybridPlan } from '../plan/plan.ts'
import { titleOf, toListRow, urlOf } from './answer-rows.ts'
import { toCommitRow } from './commit-row.ts'
import type { ShownFile } from './commit-row.ts'
import { mostFiles, rowDetail, says } from './row-detail.ts'
import type { RowDetail } from './row-detail.ts'
import { otherPassages, toPassages } from './sections.ts'

type DocumentGroup = Group<DocumentHit>

/** The rows to read in order to show these groups. */
export function neededRows(plan: HybridPlan, groups: readonly DocumentGroup[]): Omit<ResultsQuery, 'heads'> {
  const shown: number[] = []
  const lookups: ResultsQuery['commits']['lookups'][number][] = []
  const mentioned: number[] = []
  const shownDiffs: number[] = []
  const passages: PassagePlace[] = []
  for (const [at, group] of groups.entries()) {
    const detail = rowDetail(plan, at)
    const commit = commitOf(plan, group)
    if (commit === undefined) {
      shown.push(group.first.document)
      mentioned.push(...group.others.slice(0, detail.others).map(({ document }) => document))
      passages.push(group.first, ...otherPassages(group.first).slice(0, detail.passages))
      continue
    }
    const { best, diffs } = partsOf(group, detail)
    lookups.push({ ...commit, withFiles: diffs.length < detail.files })
    shownDiffs.push(...diffs.map(({ document }) => document))
    passages.push(...new Set([best, ...diffs.slice(0, 1)]))
  }
  const commits = { lookups, filters: plan.request.filters, files: mostFiles(plan) }
  return { shown, commits, diffs: shownDiffs, mentioned, passages }
}

/** One row for each group, in order. A group whose document was not read has no row. */
export function toHybridRows(
  plan: HybridPlan,
  groups: readonly DocumentGroup[],
  read: ResultRows,
  question: Question,
): HybridRow[] {
  const scores = rowScores(groups)
  return groups.flatMap((group, at) => {
    const { first, others } = group
    const detail = rowDetail(plan, at)
    const commit = commitOf(plan, group)
    const document = read.documents.get(commit?.document ?? first.document)
    if (!document) return []
    const ranked = toScores(first, scores[at] ?? first.score)
    if (commit) return [{ ...toCommitRowOf(group, document, read, question, detail), ...ranked }]
    return [
      {
        ...toListRow(document),
        ...ranked,
        ...toPassages(first, read.passages, question, detail),
        ...toEntity(others, read.mentioned, detail),
      },
    ]
  })
}

interface CommitParts {
  readonly best: DocumentHit
  /** The diffs that the row may show, best first; of copies with one patch the best. */
  readonly diffs: readonly DocumentHit[]
}

function partsOf(group: DocumentGroup, { files }: RowDetail): CommitParts {
  const members = membersOf(group)
  const patches = new Set<number>()
  const diffs = members.filter(({ type, patch }) => {
    if (type !== 'diff' || (patch !== null && patches.has(patch))) return false
    if (patch !== null) patches.add(patch)
    return true
  })
  return { best: members[0] ?? group.first, diffs: diffs.slice(0, files) }
}

/** The snippet is that of the best file or of the message, whichever ranks better; the file's where the message's is the title. */
function toCommitRowOf(
  group: DocumentGroup,
  document: DocumentRow,
  read: ResultRows,
  question: Question,
  detail: RowDetail,
) {
  const { best, diffs } = partsOf(group, detail)
  const messageChars = document.message?.trimEnd().length ?? 0
  const ofMessage = best.type === 'commit' ? snippetIn(best, read, question, detail, messageChars) : undefined
  const [firstDiff] = diffs
  const ofFile = firstDiff && snippetIn(firstDiff, read, question, detail)
  const subject = document.message?.trimStart().split('\n', 1)[0] ?? ''
  const isOfFile = ofFile !== undefined && (!ofMessage || says(subject, ofMessage.snippet))
  const chosen = isOfFile ? ofFile : ofMessage
  const hits = diffs.flatMap((hit): ShownFile[] => {
    const file = read.files.get(hit.document)
    if (!file) return []
    const isSource = isOfFile && hit === firstDiff && ofFile.snippet !== ''
    return [isSource ? { ...file, snippetOffset: ofFile.offset } : file]
  })
  return {
    ...toCommitRow(document, [...hits, ...(document.files ?? [])], detail.files),
    ...(chosen && chosen.snippet !== '' && { snippet: chosen.snippet }),
    ...(chosen && chosen.snippet !== '' && !isOfFile && { snippet_offset: chosen.offset }),
  }
}

/** The snippet of a hit's passage, of which only the first units of the body up to `end` count. */
function snippetIn(
  { chunk, start }: DocumentHit,
  { passages }: ResultRows,
  question: Question,
  { snippetChars }: RowDetail,
  end = Infinity,
): { readonly snippet: string; readonly offset: number } {
  const passage = (passages.get(chunk) ?? '').slice(0, Math.max(0, end - start))
  const { text, offset } = snippetOf(passage, start, question, undefined, snippetChars)
  return { snippet: text, offset }
}

/**
 * The score that each row shows: at least that of any row ranked after it. Rows
 * of exact references come first although their words may score less.
 */
function rowScores(groups: readonly DocumentGroup[]): number[] {
  return groups.map(({ first }) =>
    groups.reduce(
      (most, { first: other }) => (other.rank > first.rank ? Math.max(most, other.score) : most),
      Math.max(first.score, MIN_SCORE),
    ),
  )
}

function toScores(hit: DocumentHit, score: number): Pick<HybridRow, 'score'> & Partial<HybridRow> {
  return {
    score: rounded(score),
    ...(hit.byVector && { dense_score: rounded(hit.byVector.score), dense_rank: hit.byVector.rank }),
    ...(hit.byWords && { sparse_score: rounded(hit.byWords.score), sparse_rank: hit.byWords.rank }),
    ...(hit.rerankScore !== undefined && { rerank_score: rounded(hit.rerankScore) }),
  }
}

/** Compact rows name the others by their titles. */
function toEntity(
  others: readonly DocumentHit[],
  mentioned: ReadonlyMap<number, BriefRow>,
  detail: RowDetail,
): Pick<HybridRow, 'same_entity'> {
  if (others.length === 0) return {}
  const rows = others.slice(0, detail.others).flatMap((hit) => {
    const row = mentioned.get(hit.document)
    if (!row) return []
    const { vectorId, type, commitSha } = row
    const title = titleOf(row)
    const named = { vector_id: vectorId, type, ...(title !== undefined && { title }) }
    if (detail.isCompact) return [named]
    const url = urlOf(row)
    return [
      {
        ...named,
        ...(url !== undefined && { url }),
        updated_at: toTime(row.updatedAt),
        score: rounded(Math.max(hit.score, MIN_SCORE)),
        ...(commitSha !== undefined && { commit_sha: commitSha }),
      },
    ]
  })
  return { same_entity: { count: others.length + 1, others: rows } }
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000
}
