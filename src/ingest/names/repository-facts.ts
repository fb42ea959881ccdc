/** The facts that GitHub gives of a repository itself, in answers and deliveries alike. */
import { isRecord } from '../../base/json-value.ts'
import { REPOSITORY_NAME } from '../../base/repository-name.ts'

export interface RepositoryFacts {
  readonly id: number
  readonly name: string
  readonly private: boolean
  /** Undefined for a repository without one. */
  readonly defaultBranch: string | undefined
  readonly archived: boolean
}

/** Undefined for a value that is not a whole description of a repository. */
export function parseRepositoryFacts(value: unknown): RepositoryFacts | undefined {
  if (!isRecord(value)) return undefined
  const { id, full_name: name, private: hidden, default_branch: branch, archived } = value
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) return undefined
  if (typeof name !== 'string' || !REPOSITORY_NAME.test(name) || typeof hidden !== 'boolean') return undefined
  const defaultBranch = typeof branch === 'string' && branch !== '' ? branch : undefined
  return { id, name, private: hidden, archived: archived === true, defaultBranch }
}
