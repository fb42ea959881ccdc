/**
 * The parts of a stored release that GitHub's release does not have: the commit of
 * its tag, and its place among the other releases, which is found over the parents
 * of the commits. Reading a release again keeps them; after each change of one, the
 * reader of commits is asked to place the releases again.
 */
import type { Document, DocumentChange } from '../../documents/document.ts'
import type { StoredRelease } from '../../index/ingestion/compared-rows.ts'
import type { PendingRead } from './surface.ts'

/** Lets the reader of commits place the releases again. */
export const PLACE_RELEASES: PendingRead = { kind: 'commits', key: '' }

/** GitHub's document with the stored place. Notes made of commits stay while the release has none of its own. */
export function keepPlace(document: Document, stored: StoredRelease | undefined): Document {
  if (stored === undefined) return document
  const { commitSha, previousTag, commitCount, released, generated, body } = stored.document
  return {
    ...document,
    ...(commitSha !== undefined && { commitSha }),
    ...(previousTag !== undefined && { previousTag }),
    ...(commitCount !== undefined && { commitCount }),
    ...(released !== undefined && { released }),
    ...(generated === true && document.body === '' && { generated, body }),
  }
}

/** The stored release at this commit; undefined if it is there already. */
export function moveToCommit(stored: StoredRelease, commitSha: string): DocumentChange | undefined {
  const { document, sourceVersion } = stored
  if (document.commitSha === commitSha) return undefined
  return { put: { ...document, commitSha }, ...(sourceVersion !== undefined && { sourceVersion }) }
}
