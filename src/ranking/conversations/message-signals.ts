/**
 * Packs the signals that ranking reads instead of text into two short strings:
 * traits of a message, and term counts of a chunk, about five characters for each
 * distinct term. The store keeps the strings without reading them.
 */
import { COUNT_CHARS, countAt, keyAt, packKeys, unpackSequence } from '../../fts/packed-terms.ts'
import { SEARCHED_FIELDS, type Role, type SearchedField } from '../../base/vocabulary.ts'

export interface Traits {
  /** Term keys of the speaker's name; empty for a text without one. */
  readonly speaker: readonly number[]
  readonly role: Role
  /** The text ends with a question mark. */
  readonly isQuestion: boolean
  /** The text mentions a time: a day, a month, `ago`. */
  readonly hasTime: boolean
  /** The text mentions a number: digits, `three`, `twice`. */
  readonly hasNumber: boolean
}

const ROLE_LETTERS: Record<Role, string> = { user: 'u', assistant: 'a', system: 's' }

const ROLES_BY_LETTER: ReadonlyMap<string, Role> = new Map(
  Object.entries(ROLE_LETTERS).map(([role, letter]) => [letter, role as Role]),
)

/** A letter for the role, a digit for the three booleans, then the keys of the speaker. */
export function packTraits(traits: Traits): string {
  const flags = Number(traits.isQuestion) + 2 * Number(traits.hasTime) + 4 * Number(traits.hasNumber)
  return `${ROLE_LETTERS[traits.role]}${flags}${packKeys(traits.speaker)}`
}

/** A malformed string gives the traits of a plain user message. */
export function unpackTraits(packed: string): Traits {
  const flags = Number(packed[1] ?? 0)
  return {
    role: ROLES_BY_LETTER.get(packed[0] ?? '') ?? 'user',
    isQuestion: (flags & 1) !== 0,
    hasTime: (flags & 2) !== 0,
    hasNumber: (flags & 4) !== 0,
    speaker: unpackSequence(packed.slice(2)),
  }
}

/** Separates the fields; packed counts do not contain it. */
const SEPARATOR = '.'

/** Joins the packed counts of the fields, in order of SEARCHED_FIELDS; empty fields at the end are omitted. */
export function packFields(fields: Readonly<Record<SearchedField, string>>): string {
  return SEARCHED_FIELDS.map((field) => fields[field])
    .join(SEPARATOR)
    .replace(/\.+$/, '')
}

/** Calls `visit` for every packed term with the number of its field in SEARCHED_FIELDS. */
export function unpackFields(packed: string, visit: (key: number, count: number, field: number) => void): void {
  let field = 0
  for (let at = 0; at + COUNT_CHARS <= packed.length && field < SEARCHED_FIELDS.length;) {
    if (packed[at] === SEPARATOR) {
      field += 1
      at += 1
    } else {
      visit(keyAt(packed, at), countAt(packed, at), field)
      at += COUNT_CHARS
    }
  }
}
