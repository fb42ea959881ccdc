/**
 * The schema of import pages: one JSON object a line, each a document or the
 * removal of one. It is built from the fields and types of src/documents.
 * parse-page.ts turns lines into documents.
 */
import { z } from 'zod'
import { REPOSITORY_NAME } from '../../base/repository-name.ts'
import { ACCEPTED_TIMES, parseTime } from '../../base/time.ts'
import { ISSUE_STATES, type DocumentType } from '../../base/vocabulary.ts'
import { COMMON_FIELDS, FIELDS, type FieldKind, type FieldName } from '../../documents/fields.ts'
import { specOf } from '../../documents/index.ts'
import {
  MAX_FILES,
  MAX_NAME_CHARS,
  MAX_NAMES,
  MAX_REPOSITORY_CHARS,
  MAX_SHAS,
  MAX_STATUS_CHARS,
} from '../../documents/limits.ts'

const positive = z.int().positive()
const name = z.string().min(1).max(MAX_NAME_CHARS)
const oneLine = z.string().max(MAX_NAME_CHARS)

const sha = z.string().regex(/^[0-9a-fA-F]{7,64}$/, { error: 'a commit SHA is 7 to 64 hexadecimal digits' })

const SCHEMA_OF_KIND: Record<FieldKind, z.ZodType> = {
  id: positive,
  count: z.int().nonnegative(),
  name,
  text: oneLine,
  keyword: oneLine,
  url: oneLine.regex(/^https?:\/\//i, { error: 'a url begins with http:// or https://' }),
  sha,
  longText: z.string(),
  time: z
    .string()
    .refine((text) => parseTime(text) !== undefined, { error: `not a time; accepted: ${ACCEPTED_TIMES}` }),
  boolean: z.boolean(),
  flag: z.boolean(),
  state: z.enum(ISSUE_STATES),
  names: z.array(name).max(MAX_NAMES),
  shas: z.array(sha).max(MAX_SHAS),
  files: z.array(z.strictObject({ path: name, status: z.string().min(1).max(MAX_STATUS_CHARS) })).max(MAX_FILES),
}

/** A field that may be absent; `null` counts as absent, since exports often write it. */
function optional<T extends z.ZodType>(schema: T, description: string) {
  return schema.nullish().describe(description)
}

const repository = {
  repo: z
    .string()
    .max(MAX_REPOSITORY_CHARS)
    .regex(REPOSITORY_NAME, { error: 'a repository is named owner/name' })
    .describe('The repository, owner/name.'),
  repo_id: optional(positive, "GitHub's numeric id of the repository, when known."),
}

const common = {
  ...repository,
  repo_private: optional(
    z.boolean(),
    'Whether the repository is private. A repository first seen by import is private unless a line says false; only an explicit value changes it later.',
  ),
  ...optionalFields(COMMON_FIELDS),
}

const body = { body: z.string().describe('The text: the body of an issue, a page, a patch. May be empty.') }

function requiredFields(names: readonly FieldName[]): z.ZodRawShape {
  return Object.fromEntries(
    names.map((field) => [field, SCHEMA_OF_KIND[FIELDS[field].kind].describe(FIELDS[field].description)]),
  )
}

function optionalFields(names: readonly FieldName[]): z.ZodRawShape {
  return Object.fromEntries(
    names.map((field) => [field, optional(SCHEMA_OF_KIND[FIELDS[field].kind], FIELDS[field].description)]),
  )
}

/** The schema of a line that puts a document of this type. */
export function putSchema(type: DocumentType) {
  const spec = specOf(type)
  const deleted = optional(z.literal(false), 'Absent or false in a line that puts a document.')
  return z.strictObject({
    type: z.literal(type),
    ...common,
    ...(spec.compose === undefined ? body : {}),
    ...requiredFields(spec.identity),
    ...requiredFields(spec.required),
    ...optionalFields(spec.optional),
    deleted,
  })
}

/** The schema of a line that removes one: `deleted: true` and its identity; the number of a comment's thread is allowed. */
export function removalSchema(type: DocumentType) {
  const { identity, required } = specOf(type)
  const thread = required.includes('number') ? { number: optional(positive, 'Number of its thread; not needed.') } : {}
  return z.strictObject({
    type: z.literal(type),
    deleted: z.literal(true),
    ...repository,
    ...requiredFields(identity),
    ...thread,
  })
}
