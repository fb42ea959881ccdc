/**
 * The rules of paths that the tree of a pinned commit holds, kept in the position
 * of the commits: which of their files tools wrote.
 */
import { packageFolderOf } from '../../../documents/paths/excluded-paths.ts'
import {
  isAttributeFile,
  listPackageFolders,
  toPathRules,
  type PathRules,
} from '../../../documents/paths/path-rules.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { MAX_ATTRIBUTE_CHARS, MAX_ATTRIBUTE_FILES } from '../../limits.ts'
import type { SurfaceContext } from '../surface.ts'
import { readText } from '../trees/doc-texts.ts'
import { readTree } from '../trees/tree-listing.ts'

interface AttributeBlob {
  readonly path: string
  readonly sha: string
  /** Absent before it is read. */
  readonly text?: string
}

/** Plain JSON. */
export interface StoredRules {
  /** SHA of the tree. */
  readonly tree: string
  readonly files: readonly AttributeBlob[]
  readonly packageFolders: readonly string[]
}

/** True when nothing is left to read. */
export function areRulesRead(rules: StoredRules | undefined, tree: string): rules is StoredRules {
  return rules?.tree === tree && rules.files.every(({ text }) => text !== undefined)
}

/** Makes one request: lists the tree, or reads one of its attribute files. Texts of equal blobs are taken from `known`. */
export async function readRules(
  context: SurfaceContext,
  tree: string,
  known: StoredRules | undefined,
): Promise<GitHubResult<StoredRules>> {
  if (known?.tree === tree) return readAttributes(context, known)
  const listing = await readTree(context, 'diff', tree, true)
  if (!listing.ok) return listing
  const entries = listing.value?.entries.filter(({ kind }) => kind === 'file') ?? []
  const texts = new Map(known?.files.map(({ sha, text }) => [sha, text]))
  const files = entries
    .filter(({ path }) => isAttributeFile(path))
    .slice(0, MAX_ATTRIBUTE_FILES)
    .map(({ path, sha }): AttributeBlob => {
      const text = texts.get(sha)
      return { path, sha, ...(text !== undefined && { text }) }
    })
  const packageFiles = entries.map(({ path }) => path).filter((path) => packageFolderOf(path) !== undefined)
  return { ok: true, value: { tree, files, packageFolders: [...listPackageFolders(packageFiles)] } }
}

async function readAttributes(context: SurfaceContext, rules: StoredRules): Promise<GitHubResult<StoredRules>> {
  const next = rules.files.find(({ text }) => text === undefined)
  if (next === undefined) return { ok: true, value: rules }
  const read = await readText(context, 'diff', next.sha)
  if (!read.ok) return read
  const used = rules.files.reduce((chars, { text = '' }) => chars + text.length, 0)
  const whole = read.value === undefined || read.value === 'none' ? '' : read.value.text
  const text = used + whole.length > MAX_ATTRIBUTE_CHARS ? '' : whole
  return { ok: true, value: { ...rules, files: rules.files.map((file) => (file === next ? { ...next, text } : file)) } }
}

export function toRules({ files, packageFolders }: StoredRules): PathRules {
  return toPathRules(
    files.map(({ path, text = '' }) => ({ path, text })),
    new Set(packageFolders),
  )
}
