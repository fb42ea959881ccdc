/**
 * Plans the documents of a tree: a document that is gone is removed; a document
 * that may differ is removed and put, because the index would refuse a put that
 * is older than its row, as after a reset to an earlier commit.
 */
import type { DocumentChange } from '../../../../src/documents/document.ts'
import { ok, type Result } from '../../../../src/base/result.ts'
import { compareKeys, type TreeFile, type TreeKind } from '../../git/git-tree.ts'
import { MAX_BASES, MAX_KEY_CHARS } from '../limits.ts'
import type { TreeState } from './position.ts'
import type { SourceTree } from './source-tree.ts'

interface TreeStep {
  readonly changes: readonly DocumentChange[]
  /** The state once the changes are stored. */
  readonly state: TreeState
}

export interface TreePlan {
  /** Documents in the tree. */
  readonly total: number
  /** Documents to put or remove. */
  readonly work: number
  steps(): AsyncGenerator<TreeStep>
}

/** Lists the keys of a type in the index. */
export type ListIndexed = (type: TreeKind['type']) => Promise<Result<string[]>>

/**
 * `listIndexed` is called only when no earlier state is known. It is undefined
 * when the index does not have the repository.
 */
export async function planTree(
  tree: SourceTree,
  state: TreeState | undefined,
  listIndexed: ListIndexed | undefined,
): Promise<Result<TreePlan>> {
  const files = await tree.listFiles()
  if (state !== undefined && state.after === undefined && state.at === tree.at) {
    return ok({ total: files.length, work: 0, steps: () => steps(tree, [], [], state, false) })
  }
  const resumed = state?.after !== undefined && state.at === tree.at
  const bases = resumed ? [...(state.from ?? [])] : basesOf(state)
  const touched = await findTouched(tree, bases)
  let candidates = touched
  if (candidates === undefined) {
    const indexed = listIndexed === undefined ? ok([]) : await listIndexed(tree.kind.type)
    if (!indexed.ok) return indexed
    candidates = new Set([...indexed.value, ...files.map(({ key }) => key)])
  }
  const present = new Map(files.map((file) => [file.key, file]))
  const after = resumed ? (state.after ?? '') : ''
  const keys = [...candidates].filter((key) => key > after).sort(compareKeys)
  const gone = keys.filter((key) => !present.has(key))
  const changed = keys.flatMap((key) => present.get(key) ?? [])
  const start = { at: tree.at, after, from: touched === undefined ? [] : bases }
  return ok({
    total: files.length,
    work: gone.length + changed.length,
    steps: () => steps(tree, gone, changed, start, listIndexed !== undefined),
  })
}

/** The earlier states; each key in the index is in one of them. Empty when they are unknown. */
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

/** Removals come first and do not move `after`: a repeated removal changes nothing. */
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
    for await (const { key, document } of tree.read(changed)) {
      if (key.length <= MAX_KEY_CHARS) state = { ...state, after: key }
      const remove = { identity: { type, path: key }, repository }
      // A file may have become binary, so its removal is sent in any case.
      const changes = document === undefined || replace ? [{ remove }] : []
      yield { changes: document === undefined ? changes : [...changes, { put: document }], state }
    }
  }
  yield { changes: [], state: { at: tree.at } }
}
