/**
 * Lines of the page schema to changes. A page is taken whole or refused whole,
 * naming the line (1-based) and the field.
 */
import type { z } from 'zod'
import type { DocumentChange, Document, Identity, Removal, RepositoryName } from '../../documents/document.ts'
import { invalid, type Failure } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { parseTime } from '../../base/time.ts'
import { DOCUMENT_TYPES, type DocumentType } from '../../base/vocabulary.ts'
import { putSchema, removalSchema } from './page-schema.ts'
import { parseLines, type NdjsonLine } from '../ndjson.ts'

const PUT = new Map(DOCUMENT_TYPES.map((type) => [type, putSchema(type)]))
const REMOVAL = new Map(DOCUMENT_TYPES.map((type) => [type, removalSchema(type)]))

/** Longest piece of a caller's own field name that an error repeats. */
const SHOWN_NAME_CHARS = 64

/** Reads NDJSON; blank lines are skipped. Refuses at the first bad line. */
export function parseImportPage(text: string): Result<DocumentChange[]> {
  const said = new Map<string, RepositoryName>()
  return parseLines(text, (line) => {
    const change = parseChange(line)
    if (!change.ok) return change
    const { repository } = 'put' in change.value ? change.value.put : change.value.remove
    const contradicted = contradiction(said, repository)
    if (contradicted === undefined) return change
    return refuse(faultOf(contradicted, `lines of this page disagree about ${repository.name}`))
  })
}

/** The field in which this line and one before it say different things of one repository. */
function contradiction(said: Map<string, RepositoryName>, now: RepositoryName): 'repo_id' | 'repo_private' | undefined {
  const key = now.name.toLowerCase()
  const before = said.get(key)
  said.set(key, { ...before, ...now })
  const differs = (field: 'id' | 'private'): boolean =>
    before?.[field] !== undefined && now[field] !== undefined && before[field] !== now[field]
  if (differs('id')) return 'repo_id'
  return differs('private') ? 'repo_private' : undefined
}

function faultOf(field: string, problem: string): Failure {
  return { ...invalid(field, problem), field }
}

function parseChange(given: NdjsonLine): Result<DocumentChange> {
  const { type: givenType, deleted } = given
  const type = DOCUMENT_TYPES.find((known) => known === givenType)
  if (type === undefined) return refuse(faultOf('type', `must be one of ${DOCUMENT_TYPES.join(', ')}`))
  const parsed = (deleted === true ? REMOVAL : PUT).get(type)!.safeParse(given)
  if (!parsed.success) return refuse(toFailure(parsed.error.issues[0]!))
  const line: NdjsonLine = parsed.data
  return ok(deleted === true ? { remove: toRemoval(type, line) } : { put: toDocument(type, line) })
}

function toFailure(issue: z.core.$ZodIssue): Failure {
  if (issue.code === 'unrecognized_keys') {
    const field = issue.keys[0]!.slice(0, SHOWN_NAME_CHARS).toWellFormed()
    return faultOf(field, 'not a field of such a line')
  }
  return faultOf(String(issue.path[0] ?? 'line'), issue.message.replace(/^Invalid input: /, ''))
}

function toRepository(line: NdjsonLine): RepositoryName {
  return {
    name: line['repo'] as string,
    ...numberAt(line, 'repo_id', 'id'),
    ...flagAt(line, 'repo_private', 'private'),
  }
}

function toIdentity(type: DocumentType, line: NdjsonLine): Identity {
  switch (type) {
    case 'issue':
    case 'pull_request':
      return { type, number: line['number'] as number }
    case 'release':
      return { type, tagName: line['tag_name'] as string }
    case 'doc':
      return { type, path: line['doc_path'] as string }
    case 'wiki_doc':
      return { type, path: line['wiki_path'] as string }
    case 'diff':
      return { type, commitSha: (line['commit_sha'] as string).toLowerCase(), path: line['file_path'] as string }
    case 'issue_comment':
    case 'pr_review_comment':
      return { type, commentId: line['comment_id'] as number }
    case 'pr_review':
      return { type, reviewId: line['review_id'] as number }
  }
}

function toRemoval(type: DocumentType, line: NdjsonLine): Removal {
  return { identity: toIdentity(type, line), repository: toRepository(line) }
}

function toDocument(type: DocumentType, line: NdjsonLine): Document {
  const identity = toIdentity(type, line)
  return {
    identity,
    repository: toRepository(line),
    body: line['body'] as string,
    ...textAt(line, 'title', 'title'),
    ...textAt(line, 'url', 'url'),
    ...textAt(line, 'author', 'author'),
    ...textAt(line, 'author_association', 'authorAssociation'),
    ...timeAt(line, 'created_at', 'createdAt'),
    ...timeAt(line, 'updated_at', 'updatedAt'),
    ...(line['source_truncated'] === true && { sourceTruncated: true }),
    ...(line['state'] ? { state: line['state'] as NonNullable<Document['state']> } : {}),
    ...listAt(line, 'labels', 'labels'),
    ...textAt(line, 'milestone', 'milestone'),
    ...listAt(line, 'assignees', 'assignees'),
    ...flagAt(line, 'merged', 'merged'),
    ...flagAt(line, 'draft', 'draft'),
    ...flagAt(line, 'prerelease', 'prerelease'),
    ...textAt(line, 'review_state', 'reviewState', true),
    ...textAt(line, 'file_status', 'fileStatus'),
    ...textAt(line, 'message', 'message'),
    ...timeAt(line, 'commit_date', 'commitDate'),
    ...textAt(line, 'commit_author', 'commitAuthor'),
    ...numberAt(line, 'line', 'line'),
    ...textAt(line, 'diff_hunk', 'diffHunk'),
    // What the identity holds is not said twice.
    ...(!('number' in identity) && numberAt(line, 'number', 'number')),
    ...(type !== 'diff' && {
      ...textAt(line, 'file_path', 'filePath'),
      ...textAt(line, 'commit_sha', 'commitSha', true),
    }),
  }
}

/** The field under its name in the code; absent, null and empty text are not there at all. */
function textAt<K extends string>(line: NdjsonLine, field: string, key: K, folded = false): { [P in K]?: string } {
  const value = line[field] as string | null | undefined
  return value ? at(key, folded ? value.toLowerCase() : value) : {}
}

function numberAt<K extends string>(line: NdjsonLine, field: string, key: K): { [P in K]?: number } {
  const value = line[field]
  return typeof value === 'number' ? at(key, value) : {}
}

function flagAt<K extends string>(line: NdjsonLine, field: string, key: K): { [P in K]?: boolean } {
  const value = line[field]
  return typeof value === 'boolean' ? at(key, value) : {}
}

function timeAt<K extends string>(line: NdjsonLine, field: string, key: K): { [P in K]?: number } {
  const value = line[field]
  const ms = typeof value === 'string' ? parseTime(value) : undefined
  return ms === undefined ? {} : at(key, ms)
}

function listAt<K extends string>(line: NdjsonLine, field: string, key: K): { [P in K]?: readonly string[] } {
  const value = line[field] as readonly string[] | null | undefined
  return value?.length ? at(key, value) : {}
}

function at<K extends string, V>(key: K, value: V): { [P in K]?: V } {
  return { [key]: value } as { [P in K]?: V }
}
