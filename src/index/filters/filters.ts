/**
 * Filters of search and scan in two forms: as the tail of a MATCH expression and
 * as conditions on rows of documents. Both select the same rows, so a filter is
 * always part of the statement and never removes rows from a list that is
 * already cut.
 */
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import { changedFile, chunkListsFile, isChunkNotShownByFiles, isNotShownByFiles } from './commit-conditions.ts'
import type { FileFilters } from './commit-conditions.ts'
import { filterToken } from './filter-tokens.ts'
import { constant, itemsOf, joinSql, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import { isChunkFirstReleasedIn } from './first-release.ts'
import { foldExact } from './fold-name.ts'
import { isBelow, pathIn } from './path-conditions.ts'
import { FILTER_FORMS } from './filter-forms.ts'
import type { Selection } from './filter-forms.ts'
import { windowTerms } from './time-tokens.ts'
import type { TimeWindow } from './time-tokens.ts'

export interface Filters extends Selection, Pick<FileFilters, 'commits'> {
  /** A row that passes one of these is excluded. Each has one value. */
  readonly not?: readonly Selection[]
  /** On the clock that orders the rows. */
  readonly window: TimeWindow
  /** On the other clock. */
  readonly otherWindow?: TimeWindow
}

/** Groups of filter tokens; a row must have at least one token of every group. */
export type TokenGroups = readonly (readonly string[])[]

/** True where commits are selected by their files. */
function isOnFiles({ type, pathPrefix, fileStatus }: Filters): boolean {
  return pathPrefix !== undefined || fileStatus !== undefined || type === 'changes'
}

/** True where a commit must not be shown beside its diffs. */
function isByFiles({ type, commits }: Filters): boolean {
  return commits === 'files' && type === undefined
}

const AND = ' AND '

/** A MATCH term that every row has one of. */
const EVERYTHING = anyOf(DOCUMENT_TYPES.map((type) => filterToken('type', type)))

/** A MATCH term that no row has: repositories are numbered from 1. */
const NOTHING = 'f : "r0"'

/**
 * The filters as the tail of a MATCH expression, appended to one in parentheses:
 * ` AND (...)` for each value and window, ` NOT (...)` for the excluded ones.
 */
export function filterTail(filters: Filters): string {
  const { not = [] } = filters
  const wanted = [...filterTokens(filters).map(anyOf), ...windowsOf(filters).map(windowMatch)]
  const excluded = not.map((one) => `(${excludedGroups(one).map(anyOf).join(' AND ')})`)
  return [
    ...wanted.map((one) => `${AND}(${one})`),
    ...(excluded.length === 0 ? [] : [` NOT (${excluded.join(' OR ')})`]),
  ].join('')
}

/** The filters as a whole MATCH expression. */
export function filterMatch(filters: Filters): string {
  const tail = filterTail(filters)
  return tail.startsWith(AND) ? tail.slice(AND.length) : `(${EVERYTHING})${tail}`
}

/** The values without windows and exclusions as filter tokens. */
export function filterTokens(filters: Filters): TokenGroups {
  return groupsOf(filters)
}

/** The same for each exclusion: a row that has a token of every group of one of them is excluded. */
export function excludedTokens({ not = [] }: Filters): readonly TokenGroups[] {
  return not.map(excludedGroups)
}

function excludedGroups(selection: Selection): TokenGroups {
  return formsOf(selection).flatMap(([, form, value]) => (form.excluded ?? form).tokens(value))
}

function groupsOf(selection: Selection): TokenGroups {
  return formsOf(selection).flatMap(([, form, value]) => form.tokens(value))
}

function anyOf(tokens: readonly string[]): string {
  return tokens.length === 1 ? `f : "${tokens[0]}"` : `f : (${tokens.map((token) => `"${token}"`).join(' OR ')})`
}

/** The windows that have an end. */
export function windowsOf({ window, otherWindow }: Filters): readonly TimeWindow[] {
  return [window, ...(otherWindow ? [otherWindow] : [])].filter(
    ({ since, until }) => since !== undefined || until !== undefined,
  )
}

function windowMatch(window: TimeWindow): string {
  const terms = windowTerms(window)
  return terms.length === 0 ? NOTHING : `f : (${terms.join(' OR ')})`
}

/**
 * The filters that tokens express only roughly or not at all, as a condition on
 * `chunks AS c`: the edges of windows, the files of a commit, and releases.
 */
export function exactConditions(filters: Filters): Sql {
  const { release } = filters
  return allOf([
    ...windowConditions(filters, 'c'),
    ...(isOnFiles(filters) ? [chunkListsFile(filters)] : []),
    ...(isByFiles(filters) ? [isChunkNotShownByFiles(filters)] : []),
    ...(release === undefined ? [] : [isChunkFirstReleasedIn(release)]),
  ])
}

/**
 * The filters as a condition on `documents AS d`. A statement may contain it
 * several times, so it has few parameters, however many values there are.
 */
export function documentCondition(filters: Filters): Sql {
  const wanted = formsOf(filters).map(([, form, value]) => hasAll(form.keys(value), form.condition))
  return allOf([
    ...windowConditions(filters, 'd'),
    ...wanted,
    ...(isOnFiles(filters) ? [sql`(d.type <> 'commit' OR ${changedFile(filters)})`] : []),
    ...(isByFiles(filters) ? [isNotShownByFiles(filters)] : []),
    ...exclusionsOf(filters),
  ])
}

/** True where the condition is true for each of the keys. */
function hasAll(keys: readonly string[], condition: (key: Sql) => Sql): Sql {
  const [key = ''] = keys
  const direct = condition(sql`${key}`)
  if (keys.length === 1 && direct.values.length === 1) return direct
  const items = keys.length === 1 ? sql`(SELECT ${key} AS value)` : itemsOf(keys)
  return sql`NOT EXISTS (SELECT 1 FROM ${items} wanted WHERE (${condition(constant('wanted.value'))}) IS NOT TRUE)`
}

/** True where no exclusion selects the row. */
function exclusionsOf({ not = [] }: Filters): Sql[] {
  const excluded = not.flatMap((one) =>
    formsOf(one).flatMap(([name, form, value]) => form.keys(value).map((key) => ({ name, form, key }))),
  )
  if (excluded.length === 0) return []
  const forms = new Map(excluded.map(({ name, form }) => [name, form]))
  const arms = [...forms].map(
    ([name, form]) =>
      sql`WHEN ${constant(`'${name}'`)} THEN ${(form.excluded ?? form).condition(constant("(x.value ->> 'key')"))}`,
  )
  const items = itemsOf(excluded.map(({ name, key }) => JSON.stringify({ name, key })))
  return [sql`NOT EXISTS (SELECT 1 FROM ${items} x WHERE CASE x.value ->> 'name' ${joinSql(arms, ' ')} END)`]
}

type Form = (typeof FILTER_FORMS)['author']

/** The forms of the values that are given, in the order of the table. */
function formsOf(selection: Selection): (readonly [name: string, form: Form, value: string])[] {
  return (Object.keys(FILTER_FORMS) as (keyof Selection)[]).flatMap((name) => {
    const value = selection[name]
    // Each form gets the value of its own name.
    return value === undefined ? [] : [[name, FILTER_FORMS[name] as Form, value as string] as const]
  })
}

/** The column of the window's clock. */
export function timeColumn({ clock }: TimeWindow): Sql {
  return constant(clock === 'created' ? 'created_at' : 'updated_at')
}

/** The windows and the excluded paths as a condition on the diffs `x` of a commit. */
export function conditionsOfDiffs(filters: Filters): Sql {
  const prefixes = (filters.not ?? []).flatMap(({ pathPrefix }) => (pathPrefix === undefined ? [] : [pathPrefix]))
  const excluded = sql`SELECT 1 FROM ${itemsOf(prefixes.map(foldExact))} p
    WHERE ${isBelow(constant('p.value'), pathIn('x'))}`
  return allOf([...windowConditions(filters, 'x'), ...(prefixes.length === 0 ? [] : [sql`NOT EXISTS (${excluded})`])])
}

function windowConditions(filters: Filters, table: 'c' | 'd' | 'x'): Sql[] {
  return windowsOf(filters).flatMap((window) => {
    const column = sql`${constant(table)}.${timeColumn(window)}`
    return [
      ...(window.since === undefined ? [] : [sql`${column} >= ${window.since}`]),
      ...(window.until === undefined ? [] : [sql`${column} < ${window.until}`]),
    ]
  })
}

function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1` : joinSql(conditions, ' AND ')
}
