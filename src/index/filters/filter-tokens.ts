/**
 * Filter tokens: what a chunk row says about its document in FTS column `f`, so
 * that filters are part of MATCH and never thin out a list already cut. Each is
 * a kind (letters) and a hash of the folded value; repositories use their own
 * number, so a hash collision can never show a row to the wrong viewer.
 */
import { pathOf, typeOf, type Document } from '../../documents/document.ts'
import { hashWord } from '../../base/hash.ts'
import { timeTokens } from './time-tokens.ts'

/** What a filter token can speak of; times are in time-tokens.ts. */
export type FilterKind =
  | 'type'
  | 'state'
  | 'merged'
  | 'label'
  | 'milestone'
  | 'assignee'
  | 'author'
  | 'directory'
  | 'path'
  | 'name'

const LETTERS: Record<FilterKind, string> = {
  type: 'y',
  state: 's',
  merged: 'g',
  label: 'l',
  milestone: 'e',
  assignee: 'a',
  author: 'u',
  directory: 'd',
  path: 'o',
  name: 'q',
}

/** Lower case as GitHub folds logins and labels: the key of every filter on a name. */
export function foldName(value: string): string {
  return value.normalize('NFC').toLowerCase()
}

/** A token for one value: the kind's letter and 60 bits of the value's hash. */
export function filterToken(kind: FilterKind, value: string): string {
  return hashToken(kind, foldName(value))
}

function hashToken(kind: FilterKind, value: string): string {
  return LETTERS[kind] + hashWord(value)
}

/** All tokens of a document but its repository's, each once. */
export function documentTokens(document: Document, createdAt: number, updatedAt: number): string[] {
  const tokens = [
    filterToken('type', typeOf(document)),
    ...(document.state === undefined ? [] : [filterToken('state', document.state)]),
    ...(document.merged === true ? [filterToken('merged', 'true')] : []),
    ...(document.labels ?? []).map((label) => filterToken('label', label)),
    ...(document.milestone === undefined ? [] : [filterToken('milestone', document.milestone)]),
    ...(document.assignees ?? []).map((login) => filterToken('assignee', login)),
    ...(document.author === undefined ? [] : [filterToken('author', document.author)]),
    ...directoriesOf(pathOf(document) ?? '').map(directoryToken),
    ...timeTokens('created', createdAt),
    ...timeTokens('updated', updatedAt),
  ]
  return [...new Set(tokens)]
}

/** The path itself and every directory above it, as `path_prefix` may name them. */
function directoriesOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** The token of a `path_prefix`; paths are compared by letter case, slashes at the ends do not count. */
export function directoryToken(prefix: string): string {
  return hashToken(
    'directory',
    prefix
      .split('/')
      .filter((part) => part !== '')
      .join('/'),
  )
}
