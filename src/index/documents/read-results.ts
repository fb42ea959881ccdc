/**
 * Reads what the rows of one answer show: documents, short rows that they
 * mention, passages, and texts in full. Numbers of rows that are gone by now,
 * or that the viewer may not see, are absent; passages and heads are read
 * without that test, so show them only beside their document.
 */
import type { Viewer } from '../../access/viewer.ts'
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import type { FileFilters } from '../filters/commit-conditions.ts'
import type { IndexReader } from '../reader.ts'
import { knownValue, runQueries } from '../sql/sql.ts'
import { headsOf, passagesOf } from './read-bodies.ts'
import type { PassagePlace } from './read-bodies.ts'
import { briefDocuments, commitsByPart, documentsByNumber, filesOfDiffs } from './read-documents.ts'
import type { BriefRow, CommitFile, CommitLookup, DocumentRow } from './read-documents.ts'

export interface ResultsQuery {
  /** The documents that are shown. */
  readonly shown: readonly number[]
  /** The commits that are shown, each with up to `files` files that pass the filters. */
  readonly commits: {
    readonly lookups: readonly CommitLookup[]
    readonly filters: FileFilters
    readonly files: number
  }
  /** Diffs whose files the rows of commits name. */
  readonly diffs: readonly number[]
  /** The passages that matched. */
  readonly passages: readonly PassagePlace[]
  /** Documents that the rows mention. */
  readonly mentioned: readonly number[]
  /** Documents whose text is shown, and the UTF-16 units of it that are needed. */
  readonly heads: { readonly documents: readonly number[]; readonly chars: number }
}

/** All by number of the document, but passages by number of the chunk. */
export interface ResultRows {
  /** Commits are by the number of the document in their lookup. */
  readonly documents: ReadonlyMap<number, DocumentRow>
  readonly mentioned: ReadonlyMap<number, BriefRow>
  readonly files: ReadonlyMap<number, CommitFile>
  readonly passages: ReadonlyMap<number, string>
  readonly heads: ReadonlyMap<number, string>
}

/** One round trip, or none for an empty query; UNAVAILABLE where it fails. */
export async function readResults(
  reader: IndexReader,
  viewer: Viewer,
  { shown, commits, diffs, mentioned, passages, heads }: ResultsQuery,
): Promise<Result<ResultRows>> {
  const read = await runQueries(reader, {
    documents: shown.length === 0 ? knownValue<readonly DocumentRow[]>([]) : documentsByNumber(viewer, shown),
    commits: commitsByPart(viewer, commits.lookups, commits.filters, commits.files),
    mentioned: mentioned.length === 0 ? knownValue<readonly BriefRow[]>([]) : briefDocuments(viewer, mentioned),
    files: filesOfDiffs(diffs),
    passages: passagesOf(passages),
    heads: headsOf(heads.documents, heads.chars),
  })
  if (!read.ok) return read
  const { documents, commits: found, mentioned: brief, ...texts } = read.value
  return ok({
    ...texts,
    documents: new Map([...byNumber(documents), ...found]),
    mentioned: byNumber(brief),
  })
}

function byNumber<Row extends BriefRow>(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [row.document, row]))
}
