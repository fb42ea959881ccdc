/**
 * What ranking reads of a message instead of its text, as two short strings
 * that the store keeps: traits, one a message, and terms, one a chunk, about
 * five characters for each distinct word. The store writes what `pack...`
 * gives and hands it back unread.
 */
import { COUNT_CHARS, countAt, keyAt, packKeys, unpackSequence } from '../../fts/packed-terms.ts'
import { SEARCHED_FIELDS, type Role, type SearchedField } from '../../base/vocabulary.ts'

/** In the order they are packed. */
export const FIELDS = SEARCHED_FIELDS

export type Field = SearchedField

export interface Traits {
  /** Keys (`termKey`) of the names a question may call the speaker by; empty when the text names none. */
  readonly speaker: readonly number[]
  readonly role: Role
  /** The text ends as a question. */
  readonly isQuestion: boolean
  /** It says when something is: a day, a month, `ago`. */
  readonly hasTime: boolean
  /** It says how many: digits, `three`, `twice`. */
  readonly hasNumber: boolean
}

const ROLE_LETTERS: Record<Role, string> = { user: 'u', assistant: 'a', system: 's' }

const ROLES_BY_LETTER: ReadonlyMap<string, Role> = new Map(
  Object.entries(ROLE_LETTERS).map(([role, letter]) => [letter, role as Role]),
)

/** A letter for the role, a digit for the three yes and no, then the speaker. */
export function packTraits(traits: Traits): string {
  const marks = Number(traits.isQuestion) + 2 * Number(traits.hasTime) + 4 * Number(traits.hasNumber)
  return `${ROLE_LETTERS[traits.role]}${marks}${packKeys(traits.speaker)}`
}

/** Text that was not packed here reads as a plain message of a user. */
export function unpackTraits(packed: string): Traits {
  const marks = Number(packed[1] ?? 0)
  return {
    role: ROLES_BY_LETTER.get(packed[0] ?? '') ?? 'user',
    isQuestion: (marks & 1) !== 0,
    hasTime: (marks & 2) !== 0,
    hasNumber: (marks & 4) !== 0,
    speaker: unpackSequence(packed.slice(2)),
  }
}

/** Stands between the fields; no packed count contains it. */
const BETWEEN = '.'

/** Packed counts of each field as one string; fields at the end that say nothing take no room. */
export function packFields(fields: Readonly<Record<Field, string>>): string {
  return FIELDS.map((field) => fields[field])
    .join(BETWEEN)
    .replace(/\.+$/, '')
}

/** Calls `tell` for every packed term with the number of its field in FIELDS. */
export function unpackFields(packed: string, tell: (key: number, count: number, field: number) => void): void {
  let field = 0
  for (let at = 0; at + COUNT_CHARS <= packed.length && field < FIELDS.length;) {
    if (packed[at] === BETWEEN) {
      field += 1
      at += 1
    } else {
      tell(keyAt(packed, at), countAt(packed, at), field)
      at += COUNT_CHARS
    }
  }
}
