/**
 * Plans the tags of an import as releases. Releases are put into buckets by name,
 * each bucket with a digest; only the releases of changed buckets are sent again:
 * a new tag may change the values of others. The history is read only when a tag
 * came, moved or went. A release is removed only when an earlier import of this
 * checkout had its tag, because a clone may lack tags.
 */
import type { DocumentChange } from '../../../../src/documents/document.ts'
import { sha256, sha256Int48 } from '../../../../src/base/hash.ts'
import { toRelease, type Origin } from '../../git/git-documents.ts'
import type { Tag } from '../../git/tags.ts'
import { placeReleases, type Placement } from '../releases/place-releases.ts'
import { readNotes } from '../releases/release-notes.ts'
import type { GitCheckout } from './checkout.ts'
import { packNames, unpackNames, type TagState } from './position.ts'

const BUCKETS = 128
const DIGEST_CHARS = 3
const EMPTY_DIGEST = '.'.repeat(DIGEST_CHARS)
const REFS_CHARS = 16
/** Releases whose notes are read in one call of git. */
const RELEASES_AT_ONCE = 50

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
  /** The names of all tags fit into a position. */
  readonly remembersNames: boolean
  steps(): AsyncGenerator<TagStep>
}

/** True when the releases of exactly these tags are stored. */
export function areTagsStored(checkout: GitCheckout, tags: readonly Tag[], state: TagState | undefined): boolean {
  return state?.refs === toRefs(checkout, tags)
}

/** `replace`: the index has the repository, so a tag may have moved to an older commit. */
export async function planTags(
  checkout: GitCheckout,
  tags: readonly Tag[],
  state: TagState | undefined,
  origin: Origin,
  replace: boolean,
): Promise<TagPlan> {
  const names = new Set(tags.map(({ name }) => name))
  const last: TagState = { refs: toRefs(checkout, tags), digests: state?.digests ?? '', ...nameField(names) }
  const remembersNames = last.names !== undefined
  if (areTagsStored(checkout, tags, state)) {
    return { total: tags.length, work: 0, remembersNames, steps: () => steps(checkout, [], [], last, origin, replace) }
  }
  const known = unpackNames(state?.names)
  // Until the last step both the old and the new names may be in the index.
  const meanwhile = nameField(new Set([...known, ...names]))
  const done = splitDigests(state?.digests)
  const removals = known
    .filter((name) => !names.has(name))
    .map((name) => ({ name, state: { digests: done.join(''), ...meanwhile } }))
  const puts = toBuckets(await placeReleases(checkout.run, tags, checkout.boundary)).flatMap((bucket, at) => {
    const digest = toDigest(bucket)
    if (done[at] === digest) return []
    const before = done.join('')
    done[at] = digest
    const after = done.join('')
    return bucket.map((placement, nth) => ({
      placement,
      state: { digests: nth === bucket.length - 1 ? after : before, ...meanwhile },
    }))
  })
  const end = { ...last, digests: done.join('') }
  return {
    total: tags.length,
    work: removals.length + puts.length,
    remembersNames,
    steps: () => steps(checkout, removals, puts, end, origin, replace),
  }
}

interface PlannedRemoval {
  readonly name: string
  readonly state: TagState
}

interface PlannedRelease {
  readonly placement: Placement
  readonly state: TagState
}

async function* steps(
  { run }: GitCheckout,
  removals: readonly PlannedRemoval[],
  puts: readonly PlannedRelease[],
  end: TagState,
  origin: Origin,
  replace: boolean,
): AsyncGenerator<TagStep> {
  const { repository } = origin
  for (const { name: tagName, state } of removals) {
    yield { changes: [{ remove: { identity: { type: 'release', tagName }, repository } }], state, work: 1 }
  }
  for (let at = 0; at < puts.length; at += RELEASES_AT_ONCE) {
    const batch = puts.slice(at, at + RELEASES_AT_ONCE)
    const placements = batch.map(({ placement }) => placement)
    const notes = await readNotes(run, placements)
    for (const { placement, state } of batch) {
      const subjects = notes.get(placement.tag.name)
      const history = subjects === undefined ? placement : { ...placement, subjects }
      const put = toRelease(placement.tag, history, origin)
      const { identity } = put
      yield { changes: replace ? [{ remove: { identity, repository } }, { put }] : [{ put }], state, work: 1 }
    }
  }
  yield { changes: [], state: end, work: 0 }
}

function nameField(names: ReadonlySet<string>): { readonly names?: string } {
  const packed = packNames(names)
  return packed === undefined ? {} : { names: packed }
}

/** All that the values of releases depend on: the tags, and where the history is cut. */
function toRefs({ shallow = '' }: GitCheckout, tags: readonly Tag[]): string {
  const lines = tags.map(({ name, target }) => `${name} ${target}\n`).sort()
  return sha256([shallow, ...lines].join('')).slice(0, REFS_CHARS)
}

function toBuckets(placements: readonly Placement[]): Placement[][] {
  const buckets: Placement[][] = Array.from({ length: BUCKETS }, () => [])
  for (const placement of placements) buckets[sha256Int48(placement.tag.name) % BUCKETS]?.push(placement)
  return buckets
}

function toDigest(bucket: readonly Placement[]): string {
  if (bucket.length === 0) return EMPTY_DIGEST
  return sha256(bucket.map(toDigestLine).sort().join('\n')).slice(0, DIGEST_CHARS)
}

/** Changes with every value of the release. The commits between two releases depend on the commits of both alone. */
function toDigestLine({ tag, previousTag, previousSha, commitCount, released }: Placement): string {
  return JSON.stringify([tag.name, tag.target, previousTag, previousSha, commitCount, sha256(released.join())])
}

function splitDigests(digests = ''): string[] {
  return Array.from({ length: BUCKETS }, (_, at) =>
    digests.slice(at * DIGEST_CHARS, (at + 1) * DIGEST_CHARS).padEnd(DIGEST_CHARS, '.'),
  )
}
