/**
 * Repositories as people write them: `owner/name` in any letter case, a
 * github.com address of the repository or of anything in it, or a bare name.
 */
import { REPOSITORY_NAME } from '../../base/repository-name.ts'
import type { RepositoryReference } from '../../index/filters/visibility.ts'

const ADDRESS = /^(?:git@github\.com:|(?:https?:\/\/|git:\/\/|ssh:\/\/git@)?(?:www\.)?github\.com\/)/i
const BARE_NAME = /^[\w.-]+$/

/** The repository meant, folded; undefined for what cannot name one. */
export function parseRepository(text: string): RepositoryReference | undefined {
  const trimmed = text.trim()
  const inside = trimmed.replace(ADDRESS, '')
  if (inside !== trimmed) {
    const [owner = '', name = ''] = (inside.split(/[?#]/)[0] ?? '').split('/')
    return fullName(`${owner}/${name.replace(/\.git$/i, '')}`)
  }
  if (BARE_NAME.test(trimmed)) return { shortKey: trimmed.toLowerCase() }
  return fullName(trimmed)
}

function fullName(name: string): RepositoryReference | undefined {
  return REPOSITORY_NAME.test(name) ? { nameKey: name.toLowerCase() } : undefined
}
