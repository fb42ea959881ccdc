/**
 * MML text to music: parse (text to tree), unroll (tree to score), then from
 * the score both the note sequence, which the tool publishes, and the
 * performance, which the synthesizer plays. No text makes it throw.
 */
import { utf8Bytes } from '../base/utf8.ts'
import { detectProfile } from './language/detect-profile.ts'
import { Diagnostics, toDiagnostic, type Diagnostic } from './language/diagnostic.ts'
import type { Dialect, Profile } from './language/dialect.ts'
import { parsePpmck } from './language/parse-ppmck.ts'
import { parsePyxel } from './language/parse-pyxel.ts'
import { toSource } from './language/source.ts'
import { MAX_INPUT_BYTES } from './limits.ts'
import type { Performance } from './performance/performance.ts'
import { performScore, type PerformOptions } from './performance/perform-score.ts'
import { toChannelSummary, type ChannelSummary } from './score/channel-summary.ts'
import type { Score } from './score/score.ts'
import type { Sequence } from './score/sequence.ts'
import { toSequence } from './score/to-sequence.ts'
import { unrollTree } from './score/unroll-tree.ts'

export interface ComposeOptions extends PerformOptions {
  readonly mode: Dialect
  /** `auto` (the default) detects native texts and reads all others as house. */
  readonly profile?: Profile | 'auto'
}

export interface ComposedMml {
  readonly profile: Profile
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  /** null, like the performance, when there is an error. */
  readonly sequence: Sequence | null
  /** Empty when there is an error. */
  readonly channelSummary: readonly ChannelSummary[]
  readonly performance: Performance | null
}

/** A text above MAX_INPUT_BYTES has one error, VALIDATION_INPUT_TOO_LARGE, and is not read. */
export function composeMml(text: string, options: ComposeOptions): ComposedMml {
  const { mode, profile: requested = 'auto' } = options
  const bytes = utf8Bytes(text)
  if (bytes > MAX_INPUT_BYTES) return tooLarge(bytes, requested === 'auto' ? 'house' : requested)
  const source = toSource(text)
  const profile = requested === 'auto' ? detectProfile(source.text, mode) : requested
  const diagnostics = new Diagnostics(source)
  const score = toScore(source.text, mode, profile, diagnostics)
  const { errors, warnings } = diagnostics
  if (score === null || errors.length > 0) return { ...NO_MUSIC, profile, errors, warnings }
  const sequence = toSequence(score)
  const performance = performScore(score, options)
  return { profile, errors, warnings, sequence, channelSummary: toChannelSummary(sequence), performance }
}

/** Frees the tree on return: the tree, the score and the sequence of a large text do not fit into memory together. */
function toScore(text: string, mode: Dialect, profile: Profile, diagnostics: Diagnostics): Score | null {
  const tree = (mode === 'ppmck' ? parsePpmck : parsePyxel)(text, profile, diagnostics)
  return diagnostics.hasErrors ? null : unrollTree(tree, diagnostics)
}

const NO_MUSIC = { sequence: null, channelSummary: [], performance: null }

function tooLarge(bytes: number, profile: Profile): ComposedMml {
  const message = `mml: ${bytes} bytes were given, accepted are at most ${MAX_INPUT_BYTES}`
  const hint = 'Repeats shorten a text: [c d e f]4 plays four times.'
  return { ...NO_MUSIC, profile, errors: [toDiagnostic('VALIDATION_INPUT_TOO_LARGE', message, hint)], warnings: [] }
}
