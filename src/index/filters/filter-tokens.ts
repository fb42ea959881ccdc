/**
 * Filter tokens: the attributes of a document in FTS column `f` of its chunks,
 * so that filters are part of MATCH and never remove rows from a list that is
 * already cut. A token is the letter of its kind and a hash of the folded value.
 * Repositories use their own number, so a hash collision cannot show a row to a
 * viewer who may not see it.
 */
import { pathOf, typeOf, type Document } from '../../documents/document.ts'
import type { ChangedFile } from '../../documents/fields.ts'
import { fieldsOf } from '../../documents/index.ts'
import { hashWord } from '../../base/hash.ts'
import { authorNames } from './author-names.ts'
import { foldExact, foldName } from './fold-name.ts'
import { MAX_PLACES_PER_COMMIT } from '../limits.ts'
import { timeTokens } from './time-tokens.ts'

/** Kinds of filter token; tokens of times are in time-tokens.ts. */
export type FilterKind =
  | 'type'
  | 'state'
  | 'merged'
  | 'draft'
  | 'label'
  | 'milestone'
  | 'assignee'
  | 'author'
  | 'directory'
  | 'fileStatus'
  | 'path'
  | 'name'
  | 'lacks'
  | 'has'

const LETTERS: Record<FilterKind, string> = {
  type: 'y',
  state: 's',
  merged: 'g',
  draft: 'w',
  label: 'l',
  milestone: 'e',
  assignee: 'a',
  author: 'u',
  directory: 'd',
  fileStatus: 'f',
  path: 'o',
  name: 'q',
  lacks: 'n',
  has: 'h',
}

/** The token of one value: the letter of the kind and 60 bits of the hash of the folded value. */
export function filterToken(kind: FilterKind, value: string): string {
  return LETTERS[kind] + hashWord(foldName(value))
}

/** The token of a value whose letter case counts. */
export function exactToken(kind: FilterKind, value: string): string {
  return LETTERS[kind] + hashWord(foldExact(value))
}

/** All tokens of a document except that of its repository, each once. */
export function documentTokens(document: Document, createdAt: number, updatedAt: number): string[] {
  const tokens = [
    filterToken('type', typeOf(document)),
    ...(document.state === undefined ? [] : [filterToken('state', document.state)]),
    ...(document.merged === true ? [filterToken('merged', 'true')] : []),
    ...(document.draft === true ? [filterToken('draft', 'true')] : []),
    ...attributeTokens(document),
    ...(document.labels ?? []).map((label) => filterToken('label', label)),
    ...(document.milestone === undefined ? [] : [exactToken('milestone', document.milestone)]),
    ...(document.assignees ?? []).map((login) => filterToken('assignee', login)),
    ...authorNames(document).map((name) => filterToken('author', name)),
    ...directoriesOf(pathOf(document) ?? '').map(directoryToken),
    ...statusesOf(document).map((status) => filterToken('fileStatus', status)),
    ...placesOf(document.files ?? []),
    ...timeTokens('created', createdAt),
    ...timeTokens('updated', updatedAt),
  ]
  return [...new Set(tokens)]
}

/** The fields that a row may have or lack, as filters name them. */
export const ATTRIBUTE_FIELDS = { label: 'labels', milestone: 'milestone', assignee: 'assignees' } as const

/** Whether the document has each attribute that its type may have. */
function attributeTokens(document: Document): string[] {
  const fields = fieldsOf(typeOf(document))
  return Object.entries(ATTRIBUTE_FIELDS)
    .filter(([, field]) => fields.includes(field))
    .map(([attribute, field]) => filterToken(document[field]?.length ? 'has' : 'lacks', attribute))
}

/** Of a diff its status, of a commit those of its files. */
function statusesOf({ fileStatus, files = [] }: Document): string[] {
  return [...(fileStatus === undefined ? [] : [fileStatus]), ...files.map(({ status }) => status)]
}

/** Token of a commit whose files are in more places than it has tokens for: it may have a file anywhere. */
export const ANY_DIRECTORY = `${LETTERS.directory}0`

/** The tokens of the places of a commit's files. Statements compare the files of a commit exactly. */
function placesOf(files: readonly ChangedFile[]): string[] {
  const places = new Set<string>()
  for (const { path } of files) {
    for (const directory of directoriesOf(path)) places.add(directory)
    if (places.size > MAX_PLACES_PER_COMMIT) return [ANY_DIRECTORY]
  }
  return [...places].map(directoryToken)
}

/** The path itself and every directory above it, which `path_prefix` may name. */
function directoriesOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** The token of a `path_prefix`. Letter case counts; slashes at the ends do not. */
export function directoryToken(prefix: string): string {
  return exactToken(
    'directory',
    prefix
      .split('/')
      .filter((part) => part !== '')
      .join('/'),
  )
}
