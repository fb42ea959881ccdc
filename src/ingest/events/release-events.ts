/**
 * `release`: the release as it is now, or its removal. The commit of its tag and its
 * place among other releases are in no delivery and are read again.
 */
import { z } from 'zod'
import type { DocumentChange, RepositoryName } from '../../documents/document.ts'
import { readRelease, releasePayload } from '../surfaces/payload/release-payload.ts'
import { NO_CHANGE, type EventReader } from './event.ts'

/** The release is no longer there for everyone. */
const LEAVING: readonly unknown[] = ['deleted', 'unpublished']

const changedTag = z.object({ tag_name: z.object({ from: z.string().min(1) }) })

export const readReleaseEvent: EventReader = ({ action, release, changes: edits }, repository) => {
  const { data } = releasePayload.safeParse(release)
  if (data === undefined) return NO_CHANGE
  if (LEAVING.includes(action)) return { changes: [toRemoval(data.tag_name, repository)], pending: [] }
  const from = changedTag.safeParse(edits).data?.tag_name.from
  const isMoved = from !== undefined && from !== data.tag_name
  const left = isMoved ? [toRemoval(from, repository)] : []
  const { document } = readRelease(data, repository)
  if (document === undefined) return { changes: left, pending: [] }
  // Without a version: the next read must not take the row for one that it made.
  return { changes: [...left, { put: document }], pending: [{ kind: 'release', key: data.tag_name }] }
}

function toRemoval(tagName: string, repository: RepositoryName): DocumentChange {
  return { remove: { identity: { type: 'release', tagName }, repository } }
}
