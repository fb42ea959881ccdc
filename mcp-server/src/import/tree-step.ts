/**
 * Bringing the index from whatever it holds of a tree to the tree as it is: what
 * is gone is removed, what may differ is removed and put, so that a document
 * whose history went back in time is not taken for old news.
 */
import type { DocumentChange } from '../../../src/documents/document.ts'
import { ok, type Result } from '../../../src/base/result.ts'
import { compareKeys, type TreeFile } from '../git/git-tree.ts'
import type { TreeState } from './position.ts'
import type { SourceTree } from './source-tree.ts'

export interface TreeStep {
  readonly changes: readonly DocumentChange[]
  /** True once the changes are in. */
  readonly state: TreeState
}

export interface TreePlan {
  /** Documents in the tree. */
  readonly files: number
  /** Documents that are put or removed. */
  readonly work: number
  steps(): AsyncGenerator<TreeStep>
}

/** More old states than this, each left half way, are as good as an unknown one. */
const MAX_BASES = 6
/** A position has no room for longer keys; the reading is resumed before them. */
const MAX_KEY_CHARS = 500

/**
 * `listIndexed` lists keys in the index, and is asked only when no earlier
 * state is known; undefined when the index does not know the repository.
 */
export async function planTree(
  tree: SourceTree,
  state: TreeState | undefined,
  listIndexed: (() => Promise<Result<string[]>>) | undefined,
): Promise<Result<TreePlan>> {
  const files = await tree.listFiles()
  if (state !== undefined && state.after === undefined && state.at === tree.at) {
    return ok({ files: files.length, work: 0, steps: () => steps(tree, [], [], state, false) })
  }
  const resumed = state?.after !== undefined && state.at === tree.at
  const bases = resumed ? [...(state.from ?? [])] : basesOf(state)
  const touched = await findTouched(tree, bases)
  let candidates = touched
  if (candidates === undefined) {
    const indexed = listIndexed === undefined ? ok([]) : await listIndexed()
    if (!indexed.ok) return indexed
    candidates = new Set([...indexed.value, ...files.map(({ key }) => key)])
  }
  const here = new Map(files.map((file) => [file.key, file]))
  const after = resumed ? (state.after ?? '') : ''
  const keys = [...candidates].filter((key) => key > after).sort(compareKeys)
  const gone = keys.filter((key) => !here.has(key))
  const changed = keys.flatMap((key) => here.get(key) ?? [])
  const start = { at: tree.at, after, from: touched === undefined ? [] : bases }
  return ok({
    files: files.length,
    work: gone.length + changed.length,
    steps: () => steps(tree, gone, changed, start, listIndexed !== undefined),
  })
}

/** The states of which every key in the index is one's. */
function basesOf(state: TreeState | undefined): string[] {
  if (state === undefined) return []
  if (state.after === undefined) return [state.at]
  const from = state.from ?? []
  return from.length === 0 || from.length >= MAX_BASES ? [] : [...from, state.at]
}

async function findTouched(tree: SourceTree, bases: readonly string[]): Promise<Set<string> | undefined> {
  if (bases.length === 0) return undefined
  const all = new Set<string>()
  for (const base of bases) {
    const touched = await tree.findTouched(base)
    if (touched === undefined) return undefined
    for (const key of touched) all.add(key)
  }
  return all
}

/** Removals come first and do not move `after`: doing them twice is nothing. */
async function* steps(
  tree: SourceTree,
  gone: readonly string[],
  changed: readonly TreeFile[],
  start: TreeState,
  replace: boolean,
): AsyncGenerator<TreeStep> {
  const { type } = tree.kind
  const { repository } = tree.origin
  let state = start
  for (const path of gone) yield { changes: [{ remove: { identity: { type, path }, repository } }], state }
  if (changed.length > 0) {
    for await (const put of tree.read(changed)) {
      const { identity } = put
      const key = 'path' in identity ? identity.path : ''
      if (key.length <= MAX_KEY_CHARS) state = { ...state, after: key }
      yield { changes: replace ? [{ remove: { identity, repository } }, { put }] : [{ put }], state }
    }
  }
  yield { changes: [], state: { at: tree.at } }
}
