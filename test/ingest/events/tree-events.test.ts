/** Deliveries of pushes and wiki edits: what they leave to be read. */
import { describe, expect, it } from 'vitest'
import { readGollumEvent } from '../../../src/ingest/events/gollum-event.ts'
import { readPushEvent } from '../../../src/ingest/events/push-event.ts'

const push = (ref: unknown, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref,
  repository: { id: 7, default_branch: 'main' },
  ...more,
})
const BOTH = [
  { kind: 'docs', key: '' },
  { kind: 'commits', key: '' },
]

describe('a push', () => {
  it.each([{}, { forced: true }, { created: true }, { deleted: true, head_commit: null }])(
    'to the default branch leaves its files and commits to be read (%o)',
    (more) => {
      expect(readPushEvent(push('refs/heads/main', more))).toEqual({ changes: [], pending: BOTH })
    },
  )

  it.each(['refs/heads/topic', 'refs/heads/main/x', 'refs/heads/refs/heads/main', 'main', '', undefined, 7])(
    'to %s leaves nothing',
    (ref) => {
      expect(readPushEvent(push(ref)).pending ?? []).toEqual([])
    },
  )

  it('of a tag leaves the release of the tag to be read', () => {
    expect(readPushEvent(push('refs/tags/core/v1.0')).pending).toEqual([{ kind: 'release', key: 'core/v1.0' }])
  })

  it('whose payload does not name the default branch is read to be safe', () => {
    expect(readPushEvent({ ref: 'refs/heads/x' }).pending).toEqual(BOTH)
    expect(readPushEvent(null).pending ?? []).toEqual([])
  })
})

describe('an edit of the wiki', () => {
  it('leaves the wiki to be read', () => {
    expect(readGollumEvent()).toEqual({ changes: [], pending: [{ kind: 'wiki', key: '' }] })
  })
})
