/**
 * Takes qualifiers in GitHub's notation out of a query: `repo:`, `is:`, `label:`,
 * `author:`, `assignee:`, `milestone:`, `type:`, `path:`. Unknown and malformed
 * ones stay in the query as words: `fix(docs): path: x` has no qualifier.
 */
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import type { DocumentType, IssueState } from '../../base/vocabulary.ts'
import { foldName } from '../../index/filters/fold-name.ts'
import { parseRepository } from '../../index/filters/repository-reference.ts'
import { MAX_QUERY_LABELS } from '../limits.ts'

/** Filters that a query names, by parameter. */
export interface NamedFilters {
  readonly repo?: string
  readonly type?: DocumentType
  readonly state?: IssueState
  readonly merged?: true
  readonly labels?: readonly string[]
  readonly author?: string
  readonly assignee?: string
  readonly milestone?: string
  readonly path_prefix?: string
}

export interface QualifiedQuery {
  /** The rest of the query: the words to search for. */
  readonly words: string
  readonly named: NamedFilters
  /** Parameters that the query names twice with different values; the last value counts. */
  readonly contradicted: readonly (keyof NamedFilters)[]
}

// A quoted phrase is one part, so text inside it is never a qualifier. Spaces
// separate a qualifier from other words, and its value is quoted whole or not at all.
const PART = /(?<phrase>"[^"]*")|(?<!\S)(?<key>[a-z]+):(?:"(?<quoted>[^"]+)"(?!\S)|(?<plain>[^\s"]+)(?!\S))|\S+/giu

export function parseQualifiers(query: string): QualifiedQuery {
  const named: Record<string, unknown> = {}
  const labels = new Map<string, string>()
  const contradicted = new Set<keyof NamedFilters>()
  const words = query.replace(PART, (part: string, ...rest: unknown[]) => {
    const { key, quoted, plain } = rest.at(-1) as Record<string, string | undefined>
    const filters = key === undefined ? undefined : readQualifier(key.toLowerCase(), (quoted ?? plain ?? '').trim())
    if (!filters || filters.labels?.some((label) => labels.size >= MAX_QUERY_LABELS && !labels.has(foldName(label))))
      return part
    for (const [name, value] of Object.entries(filters)) {
      const before = named[name]
      if (name === 'labels') {
        for (const label of value as string[]) labels.set(foldName(label), labels.get(foldName(label)) ?? label)
      } else {
        if (before !== undefined && before !== value) contradicted.add(name as keyof NamedFilters)
        named[name] = value
      }
    }
    return ' '
  })
  if (labels.size > 0) named['labels'] = [...labels.values()]
  return { words: words.trim(), named: named as NamedFilters, contradicted: [...contradicted] }
}

const IS: ReadonlyMap<string, NamedFilters> = new Map<string, NamedFilters>([
  ['issue', { type: 'issue' }],
  ['pr', { type: 'pull_request' }],
  ['open', { state: 'open' }],
  ['closed', { state: 'closed' }],
  ['merged', { merged: true }],
])

/** The filters of one qualifier; undefined for text that is not a qualifier. */
function readQualifier(key: string, value: string): NamedFilters | undefined {
  if (value === '') return undefined
  switch (key) {
    case 'repo':
      return parseRepository(value) && { repo: value }
    case 'is':
      return IS.get(value.toLowerCase())
    case 'type':
      return readType(value.toLowerCase())
    case 'label':
      return { labels: [value] }
    case 'author':
      return { author: value }
    case 'assignee':
      return { assignee: value }
    case 'milestone':
      return { milestone: value }
    case 'path':
      return { path_prefix: value }
    default:
      return undefined
  }
}

function readType(value: string): NamedFilters | undefined {
  if (value === 'pr') return { type: 'pull_request' }
  const type = DOCUMENT_TYPES.find((known) => known === value)
  return type && { type }
}
