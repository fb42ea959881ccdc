/**
 * Web addresses of exactly the document: the comment, the file of the commit,
 * the page. The address that the source gave comes first; otherwise one is made,
 * but only for a repository that is known to be on GitHub.
 */
import type { RowValues } from '../../documents/document-spec.ts'
import { specOf } from '../../documents/index.ts'
import type { BriefRow } from '../../index/documents/read-documents.ts'

/** The address, or undefined where no web page is known. */
export function urlOf(row: BriefRow): string | undefined {
  if (row.url !== undefined) return row.url
  // A repository that only a local import knows has a negative id: its name need not be GitHub's.
  if (row.repoId <= 0) return undefined
  return `https://github.com/${row.repo}/${specOf(row.type).webPath(row as RowValues)}`
}
