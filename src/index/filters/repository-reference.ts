/**
 * References to repositories as people write them: `owner/name` in any letter
 * case, a github.com address of the repository or of anything in it, or a bare
 * name, each with or without `.git` and slashes at its end. Whether such a repository exists, and who may see it, is decided by the
 * statements in visibility.ts.
 */
import { REPOSITORY_NAME, toNameKey } from '../../base/repository-name.ts'

/** A full name or a bare one, in lower case, so that letter case does not matter. */
export type RepositoryReference = { readonly nameKey: string } | { readonly shortKey: string }

const ADDRESS = /^(?:git@github\.com:|(?:https?:\/\/|git:\/\/|ssh:\/\/git@)?(?:www\.)?github\.com\/)/i
const BARE_NAME = /^[\w.-]+$/

/** The repository that the text refers to; undefined for text that cannot name one. */
export function parseRepository(text: string): RepositoryReference | undefined {
  const trimmed = text.trim()
  const path = trimmed.replace(ADDRESS, '')
  if (path !== trimmed) {
    const [owner = '', name = ''] = (path.split(/[?#]/)[0] ?? '').split('/')
    return toReference(`${owner}/${withoutEnding(name)}`)
  }
  const name = withoutEnding(trimmed)
  return BARE_NAME.test(name) ? { shortKey: toNameKey(name) } : toReference(name)
}

/**
 * The name under which a scope excludes repositories: a full name, a bare name, or
 * an owner with a slash, in lower case. Undefined for text that cannot name one.
 */
export function excludedName(repository: string | undefined, owner: string | undefined): string | undefined {
  if (owner !== undefined) return `${owner.toLowerCase()}/`
  const reference = repository === undefined ? undefined : parseRepository(repository)
  return reference && ('nameKey' in reference ? reference.nameKey : reference.shortKey)
}

/** Without slashes at the end and the ending of a clone's address, which no name at GitHub has. */
function withoutEnding(name: string): string {
  return name.replace(/\/+$/, '').replace(/(?<=[\w.-])\.git$/i, '')
}

function toReference(name: string): RepositoryReference | undefined {
  return REPOSITORY_NAME.test(name) ? { nameKey: toNameKey(name) } : undefined
}
