/**
 * A token of a text. It stores its offset; line and column are computed only for
 * tokens in a diagnostic.
 */
import type { Command } from './commands.ts'

export type TokenKind =
  /** A letter c..b; `value` is its semitone above c. */
  | 'note'
  | 'rest'
  /** The name of a command. */
  | 'command'
  /** Digits; `value` is the number, at most MAX_NUMBER. */
  | 'number'
  /** One of the dialect's marks, such as `[`, `:|` or `.`. */
  | 'mark'
  /** `#` at the start of a line, then its key, then its value. */
  | 'header'
  | 'key'
  | 'string'
  | 'value'
  /** The letters or the number of the tracks that follow. */
  | 'tracks'
  /** A character that the dialect does not use, or an unclosed string or comment. */
  | 'unknown'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly at: number
  readonly value: number
  readonly command: Command | null
}
