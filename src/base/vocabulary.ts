/**
 * The closed lists of values that every layer shares. A table typed as a Record
 * over one of them does not compile without a row for each value.
 */

export const DOCUMENT_TYPES = [
  'issue',
  'pull_request',
  'release',
  'doc',
  'wiki_doc',
  'commit',
  'diff',
  'issue_comment',
  'pr_review',
  'pr_review_comment',
] as const

export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The document types that are read from GitHub, each with a cursor of its own. Commits are read with diffs. */
export const SURFACES = [
  'issue',
  'pull_request',
  'issue_comment',
  'pr_review',
  'pr_review_comment',
  'release',
  'doc',
  'wiki_doc',
  'diff',
] as const satisfies readonly DocumentType[]

export type Surface = (typeof SURFACES)[number]

/** How far a surface is read: `current` only after a read to the end; `waiting` for a limit or a retry; of `off` and `unreadable` the rows stay. */
export const SURFACE_STATES = ['reading', 'current', 'waiting', 'off', 'unreadable'] as const

export type SurfaceState = (typeof SURFACE_STATES)[number]

/** Kinds of things of GitHub that are read again one by one, apart from the surfaces' walks. */
export type ReadKind =
  | 'thread'
  | 'issue_comment'
  | 'pr_review'
  | 'pr_review_comment'
  | 'release'
  | 'docs'
  | 'wiki'
  | 'commits'
  | 'threads'
  | 'repository'

export const ISSUE_STATES = ['open', 'closed'] as const

export type IssueState = (typeof ISSUE_STATES)[number]

/** Authors of messages in the conversation store. */
export const ROLES = ['user', 'assistant', 'system'] as const

export type Role = (typeof ROLES)[number]

/** The fields of a message that are searched; an answer names those that matched. */
export const SEARCHED_FIELDS = ['content', 'summary', 'tags'] as const

export type SearchedField = (typeof SEARCHED_FIELDS)[number]

/** How long a message is expected to matter. The store keeps messages of every tier alike. */
export const MEMORY_TIERS = ['short', 'mid', 'long', 'discard'] as const

export type MemoryTier = (typeof MEMORY_TIERS)[number]

export const MEMORY_KINDS = ['conversation', 'episode', 'semantic', 'procedure', 'preference', 'summary'] as const

export type MemoryKind = (typeof MEMORY_KINDS)[number]

/** Relations that one message declares to another. */
export const RELATION_TYPES = ['depends_on', 'derived_from', 'supersedes', 'related_to'] as const

export type RelationType = (typeof RELATION_TYPES)[number]
