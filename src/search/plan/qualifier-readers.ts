/**
 * The qualifiers of a query, one row each: how the value after the colon becomes
 * filters. A reader decides per value: filters, an exclusion, a reason to drop
 * it, or undefined where the text is not a qualifier and stays words.
 */
import { DOCUMENT_TYPES, ISSUE_STATES } from '../../base/vocabulary.ts'
import type { DocumentType, IssueState } from '../../base/vocabulary.ts'
import type { Attribute } from '../../index/filters/filter-forms.ts'
import { parseRepository } from '../../index/filters/repository-reference.ts'
import { ACCEPTED_RANGES, outsideOf, parseTimeRange } from './time-range.ts'
import type { TimeRange } from './time-range.ts'

/** Filters that a query names, by parameter; by qualifier where there is no parameter. */
export interface NamedFilters {
  readonly repo?: string
  /** The owner of the repositories, in lower case. */
  readonly user?: string
  readonly org?: string
  readonly type?: DocumentType
  readonly state?: IssueState
  readonly merged?: true
  readonly draft?: true
  readonly labels?: readonly string[]
  readonly author?: string
  readonly assignee?: string
  readonly milestone?: string
  readonly path_prefix?: string
  /** Attributes that a row must lack, and those that it must have. */
  readonly no?: readonly Attribute[]
  readonly has?: readonly Attribute[]
  readonly created?: TimeRange
  readonly updated?: TimeRange
  readonly sort?: 'relevance' | 'updated_desc' | 'created_desc'
}

type Reading = NamedFilters | { readonly excluded: NamedFilters } | { readonly dropped: string } | undefined

type Reader = (value: string, isNegated: boolean) => Reading

const IS: ReadonlyMap<string, NamedFilters> = new Map<string, NamedFilters>([
  ...DOCUMENT_TYPES.map((type): [string, NamedFilters] => [type, { type }]),
  ['pr', { type: 'pull_request' }],
  ['open', { state: 'open' }],
  ['closed', { state: 'closed' }],
  ['merged', { merged: true }],
  ['draft', { draft: true }],
])

const ATTRIBUTES: ReadonlyMap<string, Attribute> = new Map<string, Attribute>([
  ['label', 'label'],
  ['labels', 'label'],
  ['milestone', 'milestone'],
  ['assignee', 'assignee'],
  ['assignees', 'assignee'],
])

const SORTS: ReadonlyMap<string, NamedFilters['sort']> = new Map([
  ['created', 'created_desc'],
  ['created-desc', 'created_desc'],
  ['updated', 'updated_desc'],
  ['updated-desc', 'updated_desc'],
  ['relevance', 'relevance'],
  ['best-match', 'relevance'],
] as const)

const OWNER = /^@?([a-z\d][\w.-]*)\/*$/i

/** By key, in lower case. */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['repo', filter((repo) => parseRepository(repo) && { repo })],
  ['user', filter((value) => readOwner('user', value))],
  ['org', filter((value) => readOwner('org', value))],
  ['is', filter(readIs)],
  ['type', filter((value) => readType(value.toLowerCase()))],
  ['state', filter((value) => readState(value.toLowerCase()))],
  ['label', filter((label) => ({ labels: [label] }))],
  ['author', filter((author) => ({ author }))],
  ['assignee', filter((assignee) => ({ assignee }))],
  ['milestone', filter((milestone) => ({ milestone }))],
  ['path', filter(readPath)],
  ['no', readNo],
  ['created', (value, isNegated) => readRange('created', value, isNegated)],
  ['updated', (value, isNegated) => readRange('updated', value, isNegated)],
  ['sort', readSort],
  ['in', () => ({ dropped: 'titles and texts are always searched together.' })],
])

/** The reader of a filter that excludes the rows that it selects when it is negated. */
function filter(read: (value: string) => Reading): Reader {
  return (value, isNegated) => {
    const reading = read(value)
    return reading === undefined || 'dropped' in reading || !isNegated ? reading : { excluded: reading as NamedFilters }
  }
}

/** A folder, a file, or everything in a folder; other patterns are no prefixes. */
function readPath(value: string): Reading {
  const path = value.replace(/\/\*{1,2}$/, '')
  return path.includes('*') ? { dropped: 'accepted is a folder or a file, without patterns.' } : { path_prefix: path }
}

function readOwner(name: 'user' | 'org', value: string): Reading {
  const owner = OWNER.exec(value)?.[1]
  return owner === undefined ? { dropped: 'this is no name of an owner.' } : { [name]: owner.toLowerCase() }
}

function readType(value: string): Reading {
  if (value === 'pr') return { type: 'pull_request' }
  const type = DOCUMENT_TYPES.find((known) => known === value)
  return type && { type }
}

function readIs(value: string): Reading {
  return (
    IS.get(value.toLowerCase()) ?? { dropped: `accepted are ${[...IS.keys()].map((one) => `is:${one}`).join(', ')}.` }
  )
}

function readState(value: string): Reading {
  if (value === 'merged') return { merged: true }
  const state = ISSUE_STATES.find((known) => known === value)
  return state ? { state } : { dropped: 'accepted are state:open, state:closed and state:merged.' }
}

function readNo(value: string, isNegated: boolean): Reading {
  const attribute = ATTRIBUTES.get(value.toLowerCase())
  if (attribute === undefined) return { dropped: 'accepted are no:label, no:milestone and no:assignee.' }
  return isNegated ? { has: [attribute] } : { no: [attribute] }
}

function readRange(name: 'created' | 'updated', value: string, isNegated: boolean): Reading {
  const range = parseTimeRange(value)
  if (!range) return { dropped: `accepted is ${ACCEPTED_RANGES}.` }
  if (!isNegated) return { [name]: range }
  const outside = outsideOf(range)
  return outside
    ? { [name]: { ...outside, text: `not ${value}` } }
    : { dropped: 'a range with two ends cannot be excluded.' }
}

function readSort(value: string, isNegated: boolean): Reading {
  const sort = isNegated ? undefined : SORTS.get(value.toLowerCase().replace('_', '-'))
  return sort ? { sort } : { dropped: 'accepted are sort:relevance, sort:created and sort:updated, newest first.' }
}
