/**
 * The page schema: one JSON object a line, each a document or the removal of
 * one. Import, export and the files people bring all speak it. This file is the
 * schema; parse-import-page.ts turns lines into documents.
 */
import { z } from 'zod'
import { REPOSITORY_NAME } from '../../base/repository-name.ts'
import { ACCEPTED_TIMES, parseTime } from '../../base/time.ts'
import { ISSUE_STATES, type DocumentType } from '../../base/vocabulary.ts'

/** Longest one-line string (titles, names, paths) in UTF-16 units; D1 rows must stay under 2,000,000 bytes. */
const MAX_NAME_CHARS = 4_096

const name = z.string().min(1).max(MAX_NAME_CHARS)
const freeText = z.string().max(MAX_NAME_CHARS)
const positive = z.int().positive()
const time = z
  .string()
  .refine((text) => parseTime(text) !== undefined, { error: `not a time; accepted: ${ACCEPTED_TIMES}` })
const sha = z.string().regex(/^[0-9a-fA-F]{7,64}$/, { error: 'a commit SHA is 7 to 64 hexadecimal digits' })
const url = freeText.regex(/^https?:\/\//i, { error: 'a url begins with http:// or https://' })

/** A field that may be left out; `null` counts as left out, since exports often write it. */
function optional<T extends z.ZodType>(schema: T, description: string) {
  return schema.nullish().describe(description)
}

const repository = {
  repo: z
    .string()
    .max(140)
    .regex(REPOSITORY_NAME, { error: 'a repository is named owner/name' })
    .describe('The repository, owner/name.'),
  repo_id: optional(positive, "GitHub's numeric id of the repository, when known."),
}

const common = {
  ...repository,
  body: z.string().describe('The text: the body of an issue, a page, a patch. May be empty.'),
  repo_private: optional(
    z.boolean(),
    'Whether the repository is private. A repository first seen by import is private unless a line says false; only an explicit value changes it later.',
  ),
  title: optional(freeText, 'Title, or name of a release.'),
  author: optional(freeText, 'Login or name of the author.'),
  author_association: optional(freeText, "The author's relation to the repository, as GitHub words it."),
  url: optional(url, 'Where the thing is on the web.'),
  created_at: optional(time, 'When it was created, RFC 3339.'),
  updated_at: optional(
    time,
    'When it last changed, RFC 3339. Without it: when the row first came in, or when its text last changed.',
  ),
  source_truncated: optional(z.boolean(), 'The text was already cut when it was exported.'),
}

const thread = {
  state: optional(z.enum(ISSUE_STATES), 'open or closed; a merged pull request is closed.'),
  labels: optional(z.array(name).max(500), 'Label names.'),
  milestone: optional(freeText, 'Title of the milestone.'),
  assignees: optional(z.array(name).max(500), 'Logins.'),
  merged: optional(z.boolean(), 'Pull request: it was merged.'),
  draft: optional(z.boolean(), 'Pull request: it is a draft.'),
}

const number = positive.describe('Number of the issue or pull request.')
const commentId = positive.describe('Numeric id of the comment.')
const reviewId = positive.describe('Numeric id of the review.')
const filePath = name.describe('Path of the file in the repository.')

/** By type: the fields that identify a document, and those it may carry besides the common ones. */
const FIELDS: Record<DocumentType, { identity: z.ZodRawShape; more: z.ZodRawShape }> = {
  issue: { identity: { number }, more: thread },
  pull_request: { identity: { number }, more: thread },
  release: {
    identity: { tag_name: name.describe('The tag.') },
    more: { prerelease: optional(z.boolean(), 'It is a pre-release.') },
  },
  doc: { identity: { doc_path: name.describe('Path of the document in the repository.') }, more: {} },
  wiki_doc: { identity: { wiki_path: name.describe('Slug of the wiki page.') }, more: {} },
  diff: {
    identity: { commit_sha: sha.describe('The commit.'), file_path: filePath },
    more: {
      file_status: optional(freeText, 'added, modified, removed, renamed, copied or changed.'),
      message: optional(z.string(), 'The whole commit message.'),
      commit_date: optional(time, 'When it was committed, RFC 3339.'),
      commit_author: optional(freeText, 'Author of the commit.'),
    },
  },
  issue_comment: { identity: { comment_id: commentId }, more: { number } },
  pr_review: {
    identity: { review_id: reviewId },
    more: { number, review_state: optional(freeText, 'approved, changes_requested, commented or dismissed.') },
  },
  pr_review_comment: {
    identity: { comment_id: commentId },
    more: {
      number,
      file_path: optional(filePath, 'Path of the file it stands on.'),
      line: optional(z.int().nonnegative(), 'Line in the file.'),
      diff_hunk: optional(z.string(), 'The hunk it stands on.'),
      commit_sha: optional(sha, 'The commit it stands on.'),
    },
  },
}

/** The schema of a line that puts a document of this type. */
export function putSchema(type: DocumentType) {
  const { identity, more } = FIELDS[type]
  const deleted = optional(z.literal(false), 'Absent or false in a line that puts a document.')
  return z.strictObject({ type: z.literal(type), ...common, ...identity, ...more, deleted })
}

/** The schema of a line that removes one: `deleted: true` and what identifies it; a thread's number is allowed. */
export function removalSchema(type: DocumentType) {
  const { identity, more } = FIELDS[type]
  const ofThread = 'number' in more ? { number: optional(positive, 'Number of its thread; not needed.') } : {}
  return z.strictObject({ type: z.literal(type), deleted: z.literal(true), ...repository, ...identity, ...ofThread })
}
