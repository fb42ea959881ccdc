/**
 * The row of a commit: its subject as the title, its message, and the first of its
 * files. Where only diffs of a commit are stored, the row is made from one of them.
 */
import { cutWithEllipsis } from '../../base/text-cut.ts'
import type { SearchRow } from '../../contracts/tools/search-rows.ts'
import type { CommitFile, DocumentRow } from '../../index/documents/read-documents.ts'
import type { FileFilters } from '../../index/filters/commit-conditions.ts'
import { toListRow, toWireFiles } from './answer-rows.ts'

/** A file in the row; with `snippetOffset` the snippet is from its diff. */
export interface ShownFile extends CommitFile {
  readonly snippetOffset?: number
}

/** `document` is the commit or one of its diffs. A path is shown once, at its first place in `files`. */
export function toCommitRow(document: DocumentRow, files: readonly ShownFile[], maxFiles: number): SearchRow {
  const { message = '' } = document
  const byPath = new Map(files.toReversed().map((file) => [file.path, file]))
  const shown = files.filter((file) => byPath.get(file.path) === file).slice(0, maxFiles)
  return {
    ...toListRow(asCommit(document)),
    ...(message !== '' && { message: cutWithEllipsis(message.trim(), FULL_MESSAGE_CHARS) }),
    ...(shown.length > 0 && { files: toWireFiles(shown) }),
  }
}

/** UTF-16 units of a message in a list. */
const FULL_MESSAGE_CHARS = 1_000

/** A diff as its commit: without what belongs to its file. */
function asCommit({ path: _path, fileStatus: _status, url, diffCount, ...row }: DocumentRow): DocumentRow {
  const fileCount = row.fileCount ?? diffCount
  const counted = { ...row, ...(fileCount !== undefined && { fileCount }) }
  if (row.type === 'commit') return { ...counted, ...(url !== undefined && { url }) }
  // The address of a file in a commit is the commit's with a fragment.
  return { ...counted, type: 'commit', ...(url !== undefined && { url: url.replace(/#.*$/, '') }) }
}

/** The row of a list, where the filters show commits whole or by their files. */
export function toRow(document: DocumentRow, { commits }: FileFilters, maxFiles: number): SearchRow {
  const isWhole = commits === 'whole' && (document.type === 'commit' || document.type === 'diff')
  return isWhole ? toCommitRow(document, document.files ?? [], maxFiles) : toListRow(document)
}
