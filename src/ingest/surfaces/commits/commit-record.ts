/**
 * Commits and their files as GitHub's REST API gives them, in lists and one by
 * one. The fields that a record needs are checked; other fields are ignored.
 */
import { isRecord } from '../../../base/json-value.ts'
import { parseTime } from '../../../base/time.ts'
import { isSha } from '../trees/branch-head.ts'

export interface CommitRecord {
  readonly sha: string
  /** The first parent first. */
  readonly parents: readonly string[]
  readonly message: string
  /** Name of the author in the commit. */
  readonly authorName?: string
  readonly authorEmail?: string
  /** Account of the author. */
  readonly authorLogin?: string
  /** Committer date, Unix milliseconds. */
  readonly committedAt?: number
  readonly url?: string
  readonly isByBot: boolean
}

/** A changed file of a commit. */
export interface FileRecord {
  readonly path: string
  readonly status: string
  /** Of a renamed file. */
  readonly formerPath?: string
  /** Changed lines; 0 also for files whose changes GitHub does not count. */
  readonly changes: number
  readonly patch?: string
  /** Of the file's blob. */
  readonly sha?: string
}

/** Undefined for a value that is no commit. */
export function toCommitRecord(value: unknown): CommitRecord | undefined {
  if (!isRecord(value) || !isSha(value['sha']) || !isRecord(value['commit']) || !Array.isArray(value['parents'])) {
    return undefined
  }
  const { sha, commit, author } = value
  const parents = value['parents'].map((parent: unknown) => (isRecord(parent) ? parent['sha'] : undefined))
  if (!parents.every(isSha) || typeof commit['message'] !== 'string') return undefined
  const signed = isRecord(commit['author']) ? commit['author'] : {}
  const committer = isRecord(commit['committer']) ? commit['committer'] : {}
  const account = isRecord(author) ? author : {}
  const name = toLine(signed['name'])
  const login = toLine(account['login'])
  const date = committer['date']
  return {
    sha: sha.toLowerCase(),
    parents: parents.map((parent) => parent.toLowerCase()),
    message: commit['message'].trimEnd(),
    ...defined('authorName', name),
    ...defined('authorEmail', toLine(signed['email'])),
    ...defined('authorLogin', login),
    ...defined('committedAt', typeof date === 'string' ? parseTime(date) : undefined),
    ...defined('url', toLine(value['html_url'])),
    isByBot: account['type'] === 'Bot' || [name, login].some((one) => one?.endsWith('[bot]') === true),
  }
}

/** Undefined for a value that is no file of a commit. */
export function toFileRecord(value: unknown): FileRecord | undefined {
  if (!isRecord(value) || typeof value['filename'] !== 'string' || value['filename'] === '') return undefined
  const { filename, status, patch, changes, sha, previous_filename: former } = value
  return {
    path: filename,
    status: typeof status === 'string' ? status.toLowerCase() : 'modified',
    changes: typeof changes === 'number' ? changes : 0,
    ...defined('formerPath', toLine(former)),
    ...defined('patch', typeof patch === 'string' ? patch : undefined),
    ...defined('sha', isSha(sha) ? sha.toLowerCase() : undefined),
  }
}

function toLine(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

function defined<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>)
}
