/**
 * Plans the tags of an import as releases. Tags are put into buckets by name,
 * each bucket with a digest; only the tags of changed buckets are sent again. A
 * tag is removed only when an earlier import of this checkout had it, because a
 * clone may lack tags.
 */
import type { DocumentChange } from '../../../../src/documents/document.ts'
import { sha256, sha256Int48 } from '../../../../src/base/hash.ts'
import { toRelease, type Origin } from '../../git/git-documents.ts'
import type { Tag } from '../../git/tags.ts'
import { packNames, unpackNames, type TagState } from './position.ts'

const BUCKETS = 64
const DIGEST_CHARS = 4

interface TagStep {
  readonly changes: readonly DocumentChange[]
  readonly state: TagState
  /** Tags put or removed by this step. */
  readonly work: number
}

export interface TagPlan {
  /** All tags. */
  readonly total: number
  readonly work: number
  readonly steps: readonly TagStep[]
}

/** `replace`: the index has the repository, so a tag may have moved to an older commit. */
export function planTags(tags: readonly Tag[], state: TagState | undefined, origin: Origin, replace: boolean): TagPlan {
  const buckets = toBuckets(tags)
  const digests = buckets.map(toDigest)
  if (state?.digests === digests.join('')) return { total: tags.length, work: 0, steps: [] }
  const names = new Set(tags.map(({ name }) => name))
  const known = unpackNames(state?.names)
  const gone = known.filter((name) => !names.has(name))
  // Until the last step both the old and the new names may be in the index.
  const meanwhile = nameField(new Set([...known, ...names]))
  const old = splitDigests(state?.digests)
  const done = [...old]
  const { repository } = origin
  const removals: TagStep[] = gone.map((tagName) => ({
    changes: [{ remove: { identity: { type: 'release', tagName }, repository } }],
    state: { digests: old.join(''), ...meanwhile },
    work: 1,
  }))
  const puts = buckets.flatMap((bucket, at) => {
    const digest = digests[at] ?? ''
    if (old[at] === digest) return []
    const before = done.join('')
    done[at] = digest
    const after = done.join('')
    return bucket.map((tag, nth) => ({
      changes: toChanges(tag, origin, replace),
      state: { digests: nth === bucket.length - 1 ? after : before, ...meanwhile },
      work: 1,
    }))
  })
  const last: TagStep = { changes: [], state: { digests: digests.join(''), ...nameField(names) }, work: 0 }
  return { total: tags.length, work: removals.length + puts.length, steps: [...removals, ...puts, last] }
}

/** True when the tag names are too long for a position. */
export function forgetsNames(plan: TagPlan | undefined): boolean {
  const state = plan?.steps.at(-1)?.state
  return state !== undefined && state.names === undefined
}

function toChanges(tag: Tag, origin: Origin, replace: boolean): DocumentChange[] {
  const put = toRelease(tag, origin)
  const { identity, repository } = put
  return replace ? [{ remove: { identity, repository } }, { put }] : [{ put }]
}

function nameField(names: ReadonlySet<string>): { readonly names?: string } {
  const packed = packNames(names)
  return packed === undefined ? {} : { names: packed }
}

function toBuckets(tags: readonly Tag[]): Tag[][] {
  const buckets: Tag[][] = Array.from({ length: BUCKETS }, () => [])
  for (const tag of tags) buckets[sha256Int48(tag.name) % BUCKETS]?.push(tag)
  return buckets
}

function toDigest(bucket: readonly Tag[]): string {
  if (bucket.length === 0) return '.'.repeat(DIGEST_CHARS)
  const lines = bucket.map(({ name, target }) => `${name} ${target}\n`).sort()
  return sha256(lines.join('')).slice(0, DIGEST_CHARS)
}

function splitDigests(digests: string | undefined): string[] {
  const empty = '.'.repeat(DIGEST_CHARS)
  return Array.from(
    { length: BUCKETS },
    (_, at) => digests?.slice(at * DIGEST_CHARS, (at + 1) * DIGEST_CHARS).padEnd(DIGEST_CHARS, '.') ?? empty,
  )
}
