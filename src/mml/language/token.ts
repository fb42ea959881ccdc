/**
 * The pieces a text falls into. A token knows its place by offset; line and
 * column are worked out only for the few that end up in a diagnostic.
 */
import type { Command } from './commands.ts'

export type TokenKind =
  /** A letter c..b; `value` is its semitone above c. */
  | 'note'
  | 'rest'
  /** One of the rows of the command table. */
  | 'command'
  /** Digits; `value` is what they say, saturated. */
  | 'number'
  /** One of the dialect's marks, such as `[`, `:|` or `.`. */
  | 'mark'
  /** `#` at the head of a line, then its key, then its value. */
  | 'header'
  | 'key'
  | 'string'
  | 'value'
  /** The letters of the tracks that a line, or what follows, belongs to. */
  | 'tracks'
  /** A character the dialect has no use for, or a string or comment that never ends. */
  | 'unknown'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly at: number
  readonly value: number
  readonly command: Command | null
}
