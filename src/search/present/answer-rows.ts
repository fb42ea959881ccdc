/**
 * Turns documents into rows of answers: selects the fields, and cuts texts to
 * their limits. Fields without a value are absent. The type of a document gives
 * its title and its address if the document has none.
 */
import { cutWithEllipsis } from '../../base/text-cut.ts'
import type { FetchRow, SearchRow } from '../../contracts/tools/search-rows.ts'
import type { RowValues } from '../../documents/document-spec.ts'
import { FIELD_NAMES, FIELDS, toWire, type Field, type FieldName } from '../../documents/fields.ts'
import { fieldsOf, specOf } from '../../documents/index.ts'
import { toTime } from '../../base/time.ts'
import type { BriefRow, CommitFile, DocumentRow } from '../../index/documents/read-documents.ts'

/** UTF-16 units of a text field of a list row, of a name in its lists, and of the JSON of an uncut field. */
const FIELD_CHARS = 1_000
const NAME_CHARS = 200
const UNCUT_CHARS = 6_000

/** The same in a short row; and the units that its labels, or its assignees, take together. */
const SHORT_FIELD_CHARS = 120
const SHORT_UNCUT_CHARS = 1_000
const FEW_NAMES_CHARS = 600

/** Fields that mean something else when cut: they are shown whole or not at all. */
const UNCUT_FIELDS: readonly string[] = FIELD_NAMES.filter((name) => ['name', 'url'].includes(FIELDS[name].kind))

/** The texts that name a row and are never cut. Numbers and flags are kept with them. */
const NAMING_FIELDS = ['vector_id', 'type', 'repo', 'state', 'created_at', 'updated_at', 'graph_from', 'graph_kind']

/** Associations with write access to the repository. */
const TRUSTED = ['OWNER', 'MEMBER', 'COLLABORATOR']

/**
 * A row of a list: long texts are cut, addresses and paths that are too long are
 * omitted, a commit message is reduced to its subject line.
 */
export function toListRow(row: DocumentRow): SearchRow {
  const { message, labels, assignees, diff_hunk: _hunk, parents: _parents, ...rest } = toWholeRow(row)
  return {
    ...shortFields(rest, FIELD_CHARS, UNCUT_CHARS),
    ...(labels && { labels: labels.map((name) => cutWithEllipsis(name, NAME_CHARS)) }),
    ...(assignees && { assignees: assignees.map((name) => cutWithEllipsis(name, NAME_CHARS)) }),
    ...(message !== undefined && {
      message: cutWithEllipsis(message.trimStart().split('\n', 1)[0] ?? '', FIELD_CHARS),
    }),
  }
}

/** The row with only the first labels and assignees; undefined where all of them fit. */
export function withFewNames<Row extends SearchRow>(row: Row): Row | undefined {
  const { labels = [], assignees = [] } = row
  const few = { labels: firstNames(labels), assignees: firstNames(assignees) }
  if (few.labels.length === labels.length && few.assignees.length === assignees.length) return undefined
  return withoutAbsent({ ...row, ...few }) as Row
}

/** The row with shorter texts. */
export function withShortFields<Row extends SearchRow>(row: Row): Row {
  return shortFields(row, SHORT_FIELD_CHARS, SHORT_UNCUT_CHARS)
}

/** The row reduced to its naming fields, numbers and flags. */
export function bareRow<Row extends SearchRow>(row: Row): Row {
  const kept = Object.entries(row).filter(
    ([name, value]) => NAMING_FIELDS.includes(name) || typeof value === 'number' || typeof value === 'boolean',
  )
  return Object.fromEntries(kept) as unknown as Row
}

/** The whole row, as a fetch shows it with the body. */
export function toWholeRow(row: DocumentRow): SearchRow & Pick<FetchRow, 'diff_hunk' | 'parents'> {
  const { authorAssociation = '', firstRelease, files } = row
  return withoutAbsent({
    vector_id: row.vectorId,
    type: row.type,
    repo: row.repo,
    ...fieldsOfRow(row),
    title: titleOf(row),
    url: urlOf(row),
    trusted: TRUSTED.includes(authorAssociation.toUpperCase()) || undefined,
    files: row.type === 'commit' && files ? toWireFiles(files) : undefined,
    first_release:
      row.type !== 'diff' && firstRelease ? { tag: firstRelease.tag, at: toTime(firstRelease.at) } : undefined,
  }) as SearchRow
}

/** Files of a commit; `snippetOffset` is where the snippet begins in the file's diff. */
export function toWireFiles(
  files: readonly (CommitFile & { readonly snippetOffset?: number })[],
): NonNullable<SearchRow['files']> {
  return files.map(({ path, status, vectorId, snippetOffset }) => ({
    path,
    ...(status && { status }),
    ...(vectorId && { vector_id: vectorId }),
    ...(snippetOffset !== undefined && { snippet_offset: snippetOffset }),
  }))
}

/** The fields of the row's type that answers show, in the order of FIELDS. */
function fieldsOfRow(row: DocumentRow): Partial<Record<FieldName, unknown>> {
  const own = new Set(fieldsOf(row.type))
  const shown = FIELD_NAMES.filter((name) => own.has(name) && (FIELDS[name] as Field).shown !== 'never')
  return Object.fromEntries(shown.map((name) => [name, toWire(FIELDS[name].kind, row[FIELDS[name].property])]))
}

/** The title that an answer shows; undefined where the type has none of its own. */
export function titleOf(row: BriefRow): string | undefined {
  return specOf(row.type).shownTitle(row as RowValues)
}

/** The web address of exactly the document: its source's, else one on GitHub; undefined where none is known. */
export function urlOf(row: BriefRow): string | undefined {
  if (row.url !== undefined) return row.url
  // A repository that only a local import knows has a negative id; its name need not be GitHub's.
  if (row.repoId <= 0) return undefined
  return `https://github.com/${row.repo}/${specOf(row.type).webPath(row as RowValues)}`
}

function withoutAbsent<Fields extends object>(fields: Fields): { [K in keyof Fields]: Exclude<Fields[K], undefined> } {
  const present = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(present) as { [K in keyof Fields]: Exclude<Fields[K], undefined> }
}

function shortFields<Row extends object>(row: Row, maxChars: number, maxUncutChars: number): Row {
  const fields = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value !== 'string' || NAMING_FIELDS.includes(name)) return [[name, value]]
    if (!UNCUT_FIELDS.includes(name)) return [[name, cutWithEllipsis(value, maxChars)]]
    return JSON.stringify(value).length <= maxUncutChars ? [[name, value]] : []
  })
  return Object.fromEntries(fields) as unknown as Row
}

function firstNames(names: readonly string[]): string[] {
  let budget = FEW_NAMES_CHARS
  const end = names.findIndex((name) => {
    budget -= JSON.stringify(name).length + 1
    return budget < 0
  })
  return end < 0 ? names.slice() : names.slice(0, end)
}
