/**
 * Reads commits one by one with all pages of their files. A commit's record is
 * put with its last files: a commit in the index is complete.
 */
import type { DocumentChange } from '../../../documents/document.ts'
import type { PathRules } from '../../../documents/paths/path-rules.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { MAX_STEP_BYTES } from '../../limits.ts'
import { faultOf, repositoryPath, unexpectedAnswer } from '../trees/step-results.ts'
import type { SurfaceContext } from '../surface.ts'
import { queryBinary, readText } from '../trees/doc-texts.ts'
import {
  listUnsureBlobs,
  toCollectedFile,
  toCommitDocument,
  toDiffDocuments,
  type CollectedFile,
} from './commit-documents.ts'
import type { CommitWalk } from './commit-position.ts'
import { removeCommit } from './lost-commits.ts'
import { toCommitRecord, toFileRecord, type CommitRecord, type FileRecord } from './commit-record.ts'

/** Commits in one step. */
const COMMITS_AT_ONCE = 10
/** Blobs in one query. */
const BLOBS_AT_ONCE = 20

interface ReadCommits {
  readonly changes: readonly DocumentChange[]
  readonly walk: CommitWalk
}

/** Reads the first commits of `todo`; stops early at a fault, at the budget, and when the step is full. */
export async function readCommits(
  context: SurfaceContext,
  start: CommitWalk,
  rules: PathRules,
): Promise<GitHubResult<ReadCommits>> {
  const changes: DocumentChange[] = []
  let walk = start
  let chars = 0
  for (let count = 0; count < COMMITS_AT_ONCE && walk.todo.length > 0 && chars < MAX_STEP_BYTES; count += 1) {
    const result = await readNext(context, walk, rules)
    if (!result.ok) return walk === start ? setAside(context, walk, result) : { ok: true, value: { changes, walk } }
    walk = result.value.walk
    for (const change of result.value.changes) {
      changes.push(change)
      if ('put' in change) chars += change.put.body.length
    }
  }
  return { ok: true, value: { changes, walk } }
}

/**
 * A fault of one commit alone, such as a diff that is too large for GitHub, does
 * not stop the walk: if GitHub still gives the commit without its files, the
 * fault is not an outage.
 */
async function setAside(
  context: SurfaceContext,
  walk: CommitWalk,
  result: GitHubResult<never>,
): Promise<GitHubResult<ReadCommits>> {
  if (result.ok || result.fault.kind !== 'fault') return result
  const path = `${repositoryPath(context)}/commits?sha=${walk.todo[0]}&per_page=1`
  const probe = await context.github.get(path, { surface: 'diff', expects: 'array' })
  if (!probe.ok || probe.value.kind !== 'ok') return result
  return { ok: true, value: await withoutFirst(context, walk) }
}

/** The walk with its first commit set aside, and removals of what is in of it. */
async function withoutFirst(context: SurfaceContext, walk: CommitWalk): Promise<ReadCommits> {
  const { blobs: _blobs, large, ...rest } = walk
  const [sha = '', ...todo] = walk.todo
  const changes = await removeCommit(context, large?.sha)
  return { changes, walk: { ...rest, todo, aside: [...(walk.aside ?? []), sha] } }
}

interface CommitPage {
  readonly record: CommitRecord
  readonly files: readonly FileRecord[]
  readonly next?: string
}

/** Reads the first commit of `todo`, or a page of its files. */
export async function readNext(
  context: SurfaceContext,
  walk: CommitWalk,
  rules: PathRules,
): Promise<GitHubResult<ReadCommits>> {
  const [sha = '', ...later] = walk.todo
  if (walk.blobs?.some(({ binary }) => binary === undefined)) return readBlobKinds(context, walk)
  const page = await readPage(context, walk.large?.next ?? `${repositoryPath(context)}/commits/${sha}`, sha)
  if (!page.ok) return page
  const { blobs: _blobs, large, ...rest } = walk
  if (page.value === undefined) {
    return { ok: true, value: await withoutFirst(context, walk) }
  }
  const { record, files, next } = page.value
  const isMerge = record.parents.length > 1
  const known = new Map(walk.blobs?.map((blob) => [blob.sha, blob.binary]))
  const unsure = record.isByBot || isMerge ? [] : [...new Set(listUnsureBlobs(files, rules))]
  const unknown = unsure.filter((blob) => !known.has(blob))
  if (unknown.length > 0) {
    // The page is read again once the kinds of its blobs are known, which takes a request of its own.
    return { ok: true, value: { changes: [], walk: { ...walk, blobs: unknown.map((blob) => ({ sha: blob })) } } }
  }
  const collected: CollectedFile[] = isMerge ? [] : [...(large?.files ?? []), ...files.map(toCollectedFile)]
  const diffs = toDiffDocuments(record, files, rules, (blob) => known.get(blob) === true, context)
  const changes = diffs.map((put) => ({ put }))
  if (next !== undefined && !isMerge) {
    return { ok: true, value: { changes, walk: { ...rest, todo: walk.todo, large: { sha, next, files: collected } } } }
  }
  const put = toCommitDocument(record, isMerge ? undefined : collected, context)
  return { ok: true, value: { changes: [...changes, { put }], walk: { ...rest, todo: later, done: walk.done + 1 } } }
}

/** Undefined for a commit that GitHub does not have. */
async function readPage(
  context: SurfaceContext,
  path: string,
  sha: string,
): Promise<GitHubResult<CommitPage | undefined>> {
  const result = await context.github.get(path, { surface: 'diff', expects: 'object' })
  if (!result.ok) {
    const isUnknown = result.fault.kind === 'refused' && result.fault.status === 422
    return isUnknown ? { ok: true, value: undefined } : result
  }
  const answer = result.value
  if (answer.kind === 'absent' || answer.kind === 'empty') return { ok: true, value: undefined }
  if (answer.kind !== 'ok') return unexpectedAnswer(answer, `the commit ${sha}`)
  const record = toCommitRecord(answer.body)
  if (record === undefined || record.sha !== sha) return faultOf(`the commit ${sha} lacks its SHA, message or parents`)
  const values = (answer.body as Record<string, unknown>)['files'] ?? []
  if (!Array.isArray(values)) return faultOf(`the commit ${sha} has no list of files`)
  const files = values.map(toFileRecord)
  if (!files.every((file) => file !== undefined)) return faultOf(`the commit ${sha} has a file without a name`)
  return { ok: true, value: { record, files, ...(answer.next !== undefined && { next: answer.next }) } }
}

/** Finds out which of the unknown blobs are binary: many in a query, or one by its bytes. */
async function readBlobKinds(context: SurfaceContext, walk: CommitWalk): Promise<GitHubResult<ReadCommits>> {
  const blobs = walk.blobs ?? []
  const unknown = blobs.filter(({ binary }) => binary === undefined).map(({ sha }) => sha)
  const found = new Map<string, boolean>()
  if (context.github.hasGraphql) {
    const result = await queryBinary(context, 'diff', unknown.slice(0, BLOBS_AT_ONCE))
    if (!result.ok) return result
    for (const [sha, binary] of result.value) found.set(sha, binary)
  } else {
    const [sha = ''] = unknown
    const result = await readText(context, 'diff', sha)
    if (!result.ok) return result
    found.set(sha, result.value === 'none')
  }
  const next = blobs.map(({ sha, binary }) => {
    const kind = binary ?? found.get(sha)
    return { sha, ...(kind !== undefined && { binary: kind }) }
  })
  return { ok: true, value: { changes: [], walk: { ...walk, blobs: next } } }
}
