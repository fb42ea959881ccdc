/**
 * Keys of exact lookup: the terms in the column `k` of `words` that find a
 * document by its number, commit, path, name, version or comment. Documents are
 * indexed and looked up by the same terms.
 */
import type { ExactKey } from '../../documents/document-spec.ts'
import { filterToken } from '../filters/filter-tokens.ts'

/** The terms of a path: the whole path and the file's name. */
export function pathKeys(path: string): string[] {
  return [filterToken('path', path), nameKey(path.slice(path.lastIndexOf('/') + 1))]
}

function nameKey(name: string): string {
  return filterToken('name', name)
}

export function keyTerm(key: ExactKey): string {
  switch (key.kind) {
    case 'number':
      return `n${key.number}`
    case 'comment':
      return `m${key.id}`
    case 'commit':
      return key.sha
    case 'name':
      return nameKey(key.name)
    case 'version':
      return `v${key.version}`
    default:
      return key satisfies never
  }
}
