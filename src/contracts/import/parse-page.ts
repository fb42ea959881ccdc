/**
 * Parses the lines of an import page into changes. A page is accepted whole or
 * refused whole; the refusal names the line, counted from 1, and the field.
 */
import type { z } from 'zod'
import type { DocumentChange, RepositoryName } from '../../documents/document.ts'
import { readFieldValues, toDocument, toIdentity } from '../../documents/document-values.ts'
import { fieldsOf, specOf } from '../../documents/index.ts'
import { invalid, type Failure } from '../../base/failure.ts'
import { toNameKey } from '../../base/repository-name.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import { putSchema, removalSchema } from './page-schema.ts'
import { parseLines, type NdjsonLine } from '../ndjson.ts'

const PUT_SCHEMAS = new Map(DOCUMENT_TYPES.map((type) => [type, putSchema(type)]))
const REMOVAL_SCHEMAS = new Map(DOCUMENT_TYPES.map((type) => [type, removalSchema(type)]))

/** UTF-16 units of an unknown field's name that an error repeats. */
const SHOWN_NAME_CHARS = 64

/** Parses NDJSON; blank lines are skipped. Refuses at the first bad line. */
export function parseImportPage(text: string): Result<DocumentChange[]> {
  const known = new Map<string, RepositoryName>()
  return parseLines(text, (line) => {
    const change = parseChange(line)
    if (!change.ok) return change
    const { repository } = 'put' in change.value ? change.value.put : change.value.remove
    const contradicted = findContradiction(known, repository)
    if (contradicted === undefined) return change
    return refuse(faultOf(contradicted, `lines of this page disagree about ${repository.name}`))
  })
}

/** The field in which this line contradicts an earlier line about the same repository; adds the line to `known`. */
function findContradiction(
  known: Map<string, RepositoryName>,
  repository: RepositoryName,
): 'repo_id' | 'repo_private' | undefined {
  const key = toNameKey(repository.name)
  const earlier = known.get(key)
  known.set(key, { ...earlier, ...repository })
  const differs = (field: 'id' | 'private'): boolean =>
    earlier?.[field] !== undefined && repository[field] !== undefined && earlier[field] !== repository[field]
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
  const parsed = (deleted === true ? REMOVAL_SCHEMAS : PUT_SCHEMAS).get(type)!.safeParse(given)
  if (!parsed.success) return refuse(toFailure(parsed.error.issues[0]!))
  const line: NdjsonLine = parsed.data
  const repository = toRepository(line)
  if (deleted === true) {
    return ok({ remove: { identity: toIdentity(type, readFieldValues(specOf(type).identity, line)), repository } })
  }
  const body = line['body'] as string | undefined
  return ok({ put: toDocument(type, readFieldValues(fieldsOf(type), line), { repository, body }) })
}

function toFailure(issue: z.core.$ZodIssue): Failure {
  if (issue.code === 'unrecognized_keys') {
    const field = issue.keys[0]!.slice(0, SHOWN_NAME_CHARS).toWellFormed()
    return faultOf(field, 'not a field of such a line')
  }
  return faultOf(String(issue.path[0] ?? 'line'), issue.message.replace(/^Invalid input: /, ''))
}

function toRepository(line: NdjsonLine): RepositoryName {
  const [id, isPrivate] = [line['repo_id'], line['repo_private']]
  return {
    name: line['repo'] as string,
    ...(typeof id === 'number' && { id }),
    ...(typeof isPrivate === 'boolean' && { private: isPrivate }),
  }
}
