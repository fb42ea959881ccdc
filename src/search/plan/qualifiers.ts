/**
 * Qualifiers as GitHub writes them, taken out of a query: `repo:`, `is:`,
 * `label:`, `author:`, `assignee:`, `milestone:`, `type:`, `path:`. What is
 * unknown or malformed stays where it was, as words: `fix(docs): path: x` is a
 * query like any other.
 */
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import type { DocumentType, IssueState } from '../../base/vocabulary.ts'
import { foldName } from '../../index/filters/filter-tokens.ts'
import { parseRepository } from './repository-reference.ts'

/** Filters that a query names, in the words of the parameters. */
export interface Named {
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
  /** What is left of the query: the words to look for. */
  readonly words: string
  readonly named: Named
  /** Parameters that the query names twice with different values; the last one stands. */
  readonly contradicted: readonly (keyof Named)[]
}

/** Labels a query may name, as many as the parameter takes; more are words. */
const MAX_LABELS = 50

// A quoted phrase is one piece, so that what looks like a qualifier inside it
// is none; a qualifier stands alone, and its value is quoted whole or not at all.
const PIECE = /(?<phrase>"[^"]*")|(?<!\S)(?<key>[a-z]+):(?:"(?<quoted>[^"]+)"(?!\S)|(?<plain>[^\s"]+)(?!\S))|\S+/giu

export function parseQualifiers(query: string): QualifiedQuery {
  const named: Record<string, unknown> = {}
  const labels = new Map<string, string>()
  const contradicted = new Set<keyof Named>()
  const words = query.replace(PIECE, (piece: string, ...rest: unknown[]) => {
    const { key, quoted, plain } = rest.at(-1) as Record<string, string | undefined>
    const filters = key === undefined ? undefined : readQualifier(key.toLowerCase(), (quoted ?? plain ?? '').trim())
    if (!filters || filters.labels?.some((label) => labels.size >= MAX_LABELS && !labels.has(foldName(label))))
      return piece
    for (const [name, value] of Object.entries(filters)) {
      const before = named[name]
      if (name === 'labels') {
        for (const label of value as string[]) labels.set(foldName(label), labels.get(foldName(label)) ?? label)
      } else {
        if (before !== undefined && before !== value) contradicted.add(name as keyof Named)
        named[name] = value
      }
    }
    return ' '
  })
  if (labels.size > 0) named['labels'] = [...labels.values()]
  return { words: words.trim(), named: named as Named, contradicted: [...contradicted] }
}

const IS: ReadonlyMap<string, Named> = new Map<string, Named>([
  ['issue', { type: 'issue' }],
  ['pr', { type: 'pull_request' }],
  ['open', { state: 'open' }],
  ['closed', { state: 'closed' }],
  ['merged', { merged: true }],
])

/** The filters that one qualifier means; undefined when it means none. */
function readQualifier(key: string, value: string): Named | undefined {
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

function readType(value: string): Named | undefined {
  if (value === 'pr') return { type: 'pull_request' }
  const type = DOCUMENT_TYPES.find((known) => known === value)
  return type && { type }
}
