/** Reads a git tree, whole or one folder of it, and says whether GitHub has cut the list. */
import { isRecord } from '../../../base/json-value.ts'
import type { Surface } from '../../../base/vocabulary.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { faultOf, repositoryPath, unexpectedAnswer } from './step-results.ts'
import type { SurfaceContext } from '../surface.ts'

interface TreeEntry {
  /** Relative to the tree. */
  readonly path: string
  readonly sha: string
  /** `symlink` and `submodule` are listed by GitHub as a blob and a commit. */
  readonly kind: 'file' | 'folder' | 'symlink' | 'submodule'
  /** Bytes of a file. */
  readonly size: number
}

export interface TreeListing {
  readonly entries: readonly TreeEntry[]
  /** Entries are missing, so nothing is known of paths that are not listed. */
  readonly truncated: boolean
}

/** `sha` names a tree; undefined when the repository no longer has it. `deep`: with everything in its folders. */
export async function readTree(
  context: SurfaceContext,
  surface: Surface,
  sha: string,
  deep: boolean,
): Promise<GitHubResult<TreeListing | undefined>> {
  const path = `${repositoryPath(context)}/git/trees/${sha}${deep ? '?recursive=1' : ''}`
  const result = await context.github.get(path, { surface, expects: 'object' })
  if (!result.ok) return result
  const answer = result.value
  if (answer.kind === 'absent' || answer.kind === 'empty') return { ok: true, value: undefined }
  if (answer.kind !== 'ok') return unexpectedAnswer(answer, `the tree ${sha}`)
  const { tree, truncated } = answer.body as Record<string, unknown>
  if (!Array.isArray(tree)) return faultOf(`the tree ${sha} has no list of files`)
  const entries: TreeEntry[] = []
  for (const value of tree) {
    const entry = toEntry(value)
    if (entry === undefined) return faultOf(`the tree ${sha} has an entry without path, kind or SHA`)
    entries.push(entry)
  }
  return { ok: true, value: { entries, truncated: truncated === true } }
}

function toEntry(value: unknown): TreeEntry | undefined {
  if (!isRecord(value)) return undefined
  const { path, sha, type, mode, size } = value
  if (typeof path !== 'string' || path === '' || typeof sha !== 'string') return undefined
  const kind = KINDS.get(String(type))
  if (kind === undefined) return undefined
  return {
    path,
    sha,
    kind: kind === 'file' && mode === '120000' ? 'symlink' : kind,
    size: typeof size === 'number' ? size : 0,
  }
}

const KINDS: ReadonlyMap<string, TreeEntry['kind']> = new Map([
  ['blob', 'file'],
  ['tree', 'folder'],
  ['commit', 'submodule'],
])
