/**
 * The columns of the tables that hold the lists of documents, besides the
 * document and the position: one row of LISTS for each kind of list.
 */
import type { ChangedFile, LIST_FIELDS } from '../../documents/fields.ts'
import { foldExact, foldName } from '../filters/fold-name.ts'

type ListField = (typeof LIST_FIELDS)[number]

interface List {
  /** Columns after the first one, whose name is the field's. */
  readonly others: (column: string) => readonly string[]
  readonly toCells: (item: never) => readonly (string | null)[]
  readonly toItem: (cells: readonly string[]) => unknown
}

const LISTS: Record<ListField['kind'], List> = {
  names: {
    others: (column) => [`${column}_key`],
    toCells: (name: string) => [name, foldName(name)],
    toItem: ([name]) => name,
  },
  shas: { others: () => [], toCells: (sha: string) => [sha], toItem: ([sha]) => sha },
  files: {
    others: () => ['status', 'path_key'],
    toCells: ({ path, status }: ChangedFile) => [path, status, toPathKey(path) ?? null],
    toItem: ([path, status]) => ({ path, status }),
  },
}

/** The path in NFC, where that differs. */
export function toPathKey(path: string): string | undefined {
  const key = foldExact(path)
  return key === path ? undefined : key
}

export function listColumns({ column, kind }: ListField): readonly string[] {
  return [column, ...LISTS[kind].others(column)]
}

/** The cells of one item, in the order of its columns. */
export function toListCells(kind: ListField['kind'], item: unknown): readonly (string | null)[] {
  return LISTS[kind].toCells(item as never)
}

/** The inverse of `toListCells`. */
export function toListItem(kind: ListField['kind'], cells: readonly string[]): unknown {
  return LISTS[kind].toItem(cells)
}
