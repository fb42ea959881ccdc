/**
 * The closed word lists every layer shares: document types, their states and
 * the id prefixes. A new GitHub surface begins with one word here.
 */

export const DOCUMENT_TYPES = [
  'issue',
  'pull_request',
  'release',
  'doc',
  'wiki_doc',
  'diff',
  'issue_comment',
  'pr_review',
  'pr_review_comment',
] as const

export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const ISSUE_STATES = ['open', 'closed'] as const

export type IssueState = (typeof ISSUE_STATES)[number]

/** First part of a `vector_id`; issues and pull requests share numbers, so they share a prefix. */
export const ID_PREFIXES = {
  issue: 'i',
  pull_request: 'i',
  release: 'r',
  doc: 'd',
  wiki_doc: 'w',
  diff: 'c',
  issue_comment: 'ic',
  pr_review: 'pv',
  pr_review_comment: 'pc',
} as const satisfies Record<DocumentType, string>

/** Who a message in the conversation store is by. */
export const ROLES = ['user', 'assistant', 'system'] as const

export type Role = (typeof ROLES)[number]

/** Where a word of a message may stand; all are searched alike and told apart in the answer. */
export const SEARCHED_FIELDS = ['content', 'summary', 'tags'] as const

export type SearchedField = (typeof SEARCHED_FIELDS)[number]

/** How long a message is meant to matter; only words to the store, which keeps all alike. */
export const MEMORY_TIERS = ['short', 'mid', 'long', 'discard'] as const

export type MemoryTier = (typeof MEMORY_TIERS)[number]

export const MEMORY_KINDS = ['conversation', 'episode', 'semantic', 'procedure', 'preference', 'summary'] as const

export type MemoryKind = (typeof MEMORY_KINDS)[number]

/** How one message says it stands to another. */
export const RELATION_TYPES = ['depends_on', 'derived_from', 'supersedes', 'related_to'] as const

export type RelationType = (typeof RELATION_TYPES)[number]
