/**
 * Compares one tree of the pinned commit with the rows of the index. A list that
 * GitHub did not cut proves what is not in it: those documents are removed. A cut
 * list proves nothing, and its folders are listed one by one.
 */
import type { DocumentChange } from '../../../documents/document.ts'
import { MAX_NAME_CHARS } from '../../../documents/limits.ts'
import { isDocFile } from '../../../documents/paths/document-files.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { MAX_LISTED_FILES } from '../../limits.ts'
import { toRemovals } from './step-results.ts'
import type { ComparedRow } from '../../../index/ingestion/compared-rows.ts'
import type { SurfaceContext } from '../surface.ts'
import { skipKeyOf, type DocWalk, type ListedFile, type ListedTree } from './doc-position.ts'
import { readTree, type TreeListing } from './tree-listing.ts'

interface Listed {
  readonly changes: readonly DocumentChange[]
  readonly walk: DocWalk
  readonly checked: number
}

/** Lists the first tree of the walk; undefined when the pinned commit is gone. */
export async function listFirstTree(
  context: SurfaceContext,
  walk: DocWalk,
  skipped: readonly string[],
): Promise<GitHubResult<Listed | undefined>> {
  const [tree, ...later] = walk.trees
  if (tree === undefined) return { ok: true, value: { changes: [], walk, checked: 0 } }
  const result = await readTree(context, 'doc', tree.sha, tree.shallow !== true)
  if (!result.ok) return result
  const listing = result.value
  if (listing === undefined) return { ok: true, value: undefined }
  if (listing.truncated && tree.shallow !== true) {
    return {
      ok: true,
      value: { changes: [], walk: { ...walk, trees: [{ ...tree, shallow: true }, ...later] }, checked: 0 },
    }
  }
  const rows = new Map((await context.rows.listAll('doc')).map((row) => [pathOfRow(row), row]))
  const files = listing.entries
    .filter(({ kind, path }) => kind === 'file' && isDocFile(path))
    .map(({ path, sha, size }): ListedFile => ({ path: tree.folder + path, sha, size }))
    .filter(({ path }) => path.length <= MAX_NAME_CHARS)
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const isFirst = walk.after === undefined
  const gone = isFirst && !listing.truncated ? listGone([...rows.values()], tree, listing) : []
  const left = files.filter(({ path }) => walk.after === undefined || path > walk.after)
  const changed = left.flatMap((file) => toWork(file, rows.get(file.path), walk, skipped))
  const todo = changed.slice(0, MAX_LISTED_FILES)
  const folders = tree.shallow === true && isFirst ? toFolders(tree, listing) : []
  const isWhole = todo.length === changed.length
  const { after: _after, ...rest } = walk
  return {
    ok: true,
    value: {
      changes: toRemovals(context, gone),
      walk: {
        ...rest,
        trees: [...(isWhole ? [] : [tree]), ...later, ...folders],
        ...(isWhole ? {} : { after: todo.at(-1)?.path ?? '' }),
        todo,
      },
      checked: isFirst ? files.length + gone.length : 0,
    },
  }
}

function pathOfRow({ identity }: ComparedRow): string {
  return identity.type === 'doc' ? identity.path : ''
}

/** The rows in the region of the list that it lacks. */
function listGone(rows: readonly ComparedRow[], tree: ListedTree, { entries }: TreeListing): ComparedRow[] {
  const files = new Set(entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : [])))
  const folders = new Set(entries.flatMap(({ kind, path }) => (kind === 'folder' ? [path] : [])))
  return rows.filter((row) => {
    const path = pathOfRow(row)
    if (!path.startsWith(tree.folder)) return false
    const within = path.slice(tree.folder.length)
    const slash = tree.shallow === true ? within.indexOf('/') : -1
    return slash === -1 ? !files.has(within) : !folders.has(within.slice(0, slash))
  })
}

/** The file, if it is to be read; in a lap one with the same text too, for its date. */
function toWork(
  file: ListedFile,
  row: ComparedRow | undefined,
  { all, lap }: DocWalk,
  skipped: readonly string[],
): readonly ListedFile[] {
  if (row === undefined) return skipped.includes(skipKeyOf(file.sha)) ? [] : [file]
  if (all === true || row.sourceVersion !== file.sha) return [file]
  return lap === true ? [{ ...file, was: row.updatedAt }] : []
}

function toFolders(tree: ListedTree, { entries }: TreeListing): ListedTree[] {
  return entries
    .filter(({ kind }) => kind === 'folder')
    .map(({ path, sha }) => ({ folder: `${tree.folder}${path}/`, sha }))
}
