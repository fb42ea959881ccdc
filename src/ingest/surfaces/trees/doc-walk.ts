/**
 * The walk through the documentation files of one pinned commit. Each step makes
 * at least one request and can end after it: it lists a tree, reads the dates of
 * listed files, or reads their texts and puts their documents.
 */
import type { DocumentChange } from '../../../documents/document.ts'
import { specOf } from '../../../documents/index.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { MAX_FILE_BYTES, MAX_GRAPHQL_FILE_BYTES, MAX_SKIPPED_BLOBS, MAX_STEP_BYTES } from '../../limits.ts'
import { toRepositoryName, webPage } from './step-results.ts'
import type { ComparedRow } from '../../../index/ingestion/compared-rows.ts'
import type { Step, SurfaceContext } from '../surface.ts'
import { queryDates, readDate } from './doc-dates.ts'
import { listFirstTree } from './doc-listing.ts'
import { skipKeyOf, type DocPosition, type DocWalk, type ListedFile } from './doc-position.ts'
import { queryTexts, readText, type BlobAnswer } from './doc-texts.ts'

/** Files in one query. */
const FILES_AT_ONCE = 50
/** Files that are read one by one in a step. */
const SINGLE_FILES_AT_ONCE = 10

type Walking = DocPosition & { readonly walk: DocWalk }

export async function walkDocs(context: SurfaceContext, position: Walking): Promise<GitHubResult<Step>> {
  const { walk } = position
  const undated = walk.todo.filter(({ at }) => at === undefined)
  if (undated.length > 0) return dateFiles(context, position, undated)
  if (walk.todo.length > 0) return readFiles(context, position)
  const listed = await listFirstTree(context, walk, position.skipped ?? [])
  if (!listed.ok) return listed
  if (listed.value === undefined) return { ok: true, value: restart(position) }
  const { changes, walk: next, checked } = listed.value
  return { ok: true, value: toStep(position, next, changes, checked) }
}

/** The walk goes on, or has come to its end. */
function toStep(position: DocPosition, walk: DocWalk, changes: readonly DocumentChange[], checked = 0): Step {
  const { walk: _walk, ...rest } = position
  const ended = walk.todo.length === 0 && walk.trees.length === 0
  return {
    changes,
    position: ended ? { ...rest, head: walk.head } : { ...rest, walk },
    ended,
    done: walk.done,
    checked,
  }
}

/** After a force push GitHub may have lost the pinned commit: the next step pins the one of now. */
function restart({ walk: _walk, head: _head, ...rest }: Walking): Step {
  return { changes: [], position: rest, ended: false }
}

async function dateFiles(
  context: SurfaceContext,
  position: Walking,
  undated: readonly ListedFile[],
): Promise<GitHubResult<Step>> {
  const { walk } = position
  const commit = walk.head.commit ?? ''
  const dates = new Map<string, number | null>()
  let { batch = FILES_AT_ONCE } = walk
  if (context.github.hasGraphql) {
    const paths = undated.slice(0, batch).map(({ path }) => path)
    const result = await queryDates(context, commit, paths)
    if (!result.ok) return withSmallerBatch(position, batch, result)
    if (result.value === undefined) return { ok: true, value: restart(position) }
    for (const [path, at] of result.value) dates.set(path, at)
    batch = Math.min(FILES_AT_ONCE, batch * 2)
  } else {
    for (const { path } of undated.slice(0, SINGLE_FILES_AT_ONCE)) {
      const result = await readDate(context, commit, path)
      if (!result.ok && dates.size === 0) return result
      if (!result.ok) break
      if (result.value === undefined) return { ok: true, value: restart(position) }
      dates.set(path, result.value)
    }
  }
  const todo = walk.todo.flatMap((file) => {
    const at = file.at === undefined ? dates.get(file.path) : file.at
    if (at === undefined) return [file]
    return file.was !== undefined && (at === null || at === file.was) ? [] : [{ ...file, at }]
  })
  return { ok: true, value: toStep(position, { ...walk, todo, batch }, []) }
}

/** A query of many files may be more than GitHub can answer: half of them are tried next. */
function withSmallerBatch(position: Walking, batch: number, result: GitHubResult<never>): GitHubResult<Step> {
  if (result.ok || result.fault.kind !== 'fault' || batch <= 1) return result
  const walk = { ...position.walk, batch: Math.floor(batch / 2) }
  return { ok: true, value: toStep(position, walk, []) }
}

async function readFiles(context: SurfaceContext, position: Walking): Promise<GitHubResult<Step>> {
  const { walk } = position
  const { batch = FILES_AT_ONCE } = walk
  const [first] = walk.todo
  const isSingle = (file: ListedFile): boolean =>
    !context.github.hasGraphql || file.alone === true || file.size > MAX_GRAPHQL_FILE_BYTES
  if (first === undefined || isSingle(first)) return readSingleFiles(context, position, isSingle)
  const files = toBatch(walk.todo, batch, (file) => !isSingle(file))
  const result = await queryTexts(context, 'doc', [...new Set(files.map(({ sha }) => sha))])
  if (!result.ok) return withSmallerBatch(position, batch, result)
  const answers = new Map(files.map(({ path, sha }) => [path, result.value.get(sha) ?? 'alone']))
  const grown = { ...position, walk: { ...walk, batch: Math.min(FILES_AT_ONCE, batch * 2) } }
  return { ok: true, value: await putFiles(context, grown, answers) }
}

async function readSingleFiles(
  context: SurfaceContext,
  position: Walking,
  isSingle: (file: ListedFile) => boolean,
): Promise<GitHubResult<Step>> {
  const answers = new Map<string, BlobAnswer>()
  for (const { path, sha, size } of toBatch(position.walk.todo, SINGLE_FILES_AT_ONCE, isSingle)) {
    if (size > MAX_FILE_BYTES) {
      answers.set(path, { text: '', truncated: true })
      continue
    }
    const result = await readText(context, 'doc', sha)
    if (!result.ok && answers.size === 0) return result
    if (!result.ok) break
    if (result.value === undefined) return { ok: true, value: restart(position) }
    answers.set(path, result.value)
  }
  return { ok: true, value: await putFiles(context, position, answers) }
}

/** The first files, as many as fit into a step; at least one. */
function toBatch(files: readonly ListedFile[], limit: number, fits: (file: ListedFile) => boolean): ListedFile[] {
  const batch: ListedFile[] = []
  let left = MAX_STEP_BYTES
  for (const file of files) {
    if (batch.length >= limit || !fits(file) || (batch.length > 0 && file.size > left)) break
    left -= file.size
    batch.push(file)
  }
  return batch
}

/** Puts the documents of the files that were read. */
async function putFiles(
  context: SurfaceContext,
  position: Walking,
  answers: ReadonlyMap<string, BlobAnswer>,
): Promise<Step> {
  const { walk } = position
  const read = walk.todo.filter(({ path }) => answers.has(path))
  const rows = new Map((await context.rows.listAll('doc')).map((row) => [(row.identity as { path: string }).path, row]))
  const skipped = [...(position.skipped ?? [])]
  const changes = read.flatMap((file) => {
    const answer = answers.get(file.path)
    if (answer === undefined || answer === 'alone') return []
    if (answer === 'none') skipped.push(skipKeyOf(file.sha))
    return toChanges(context, file, answer, rows.get(file.path), walk)
  })
  const alone = new Set(read.filter(({ path }) => answers.get(path) === 'alone').map(({ path }) => path))
  const todo = walk.todo.flatMap((file) => {
    if (alone.has(file.path)) return [{ ...file, alone: true }]
    return answers.has(file.path) ? [] : [file]
  })
  const next = { ...walk, todo, done: walk.done + read.length - alone.size }
  const kept = skipped.length === 0 ? {} : { skipped: skipped.slice(-MAX_SKIPPED_BLOBS) }
  return toStep({ ...position, ...kept }, next, changes)
}

function toChanges(
  context: SurfaceContext,
  { path, sha, at }: ListedFile,
  answer: Exclude<BlobAnswer, 'alone'>,
  row: ComparedRow | undefined,
  { head }: DocWalk,
): DocumentChange[] {
  const identity = { type: 'doc', path } as const
  const remove = { remove: { identity, repository: toRepositoryName(context) } }
  if (answer === 'none') return row === undefined ? [] : [remove]
  const branch = head.branch === '' ? {} : { defaultBranch: head.branch }
  const put = {
    identity,
    repository: toRepositoryName(context),
    body: answer.text,
    url: webPage(context, specOf('doc').webPath({ path, ...branch })),
    ...(typeof at === 'number' && { updatedAt: at }),
    ...(answer.truncated && { sourceTruncated: true }),
  }
  // The index refuses a put that is older than its row, as after a reset to an earlier commit.
  const isOlder = row !== undefined && typeof at === 'number' && at < row.updatedAt
  return [...(isOlder ? [remove] : []), { put, sourceVersion: sha }]
}
