/**
 * Text in, music out: reads a text in its dialect, judges it, and returns
 * what is wrong with it or what it says, as data (the sequence) and as
 * instructions to the chip (the performance). Never throws for any text.
 */
import type { Track, Tree } from './language/ast.ts'
import { checkTree } from './score/check-names.ts'
import type { Checked } from './score/check-names.ts'
import { checkSize } from './score/count-notes.ts'
import { Diagnostics, toDiagnostic } from './language/diagnostic.ts'
import type { Diagnostic } from './language/diagnostic.ts'
import { compare, longest, ZERO } from './score/fraction.ts'
import { MAX_INPUT_BYTES } from './limits.ts'
import { toPerformance } from './performance/perform.ts'
import type { PerformOptions } from './performance/perform.ts'
import type { Performance } from './synth/performance.ts'
import { parsePpmck } from './language/parse-ppmck.ts'
import { detectProfile } from './score/profile.ts'
import { parsePyxel } from './language/parse-pyxel.ts'
import type { Score, ScoreTrack } from './score/score.ts'
import type { Dialect, Profile, Sequence } from './language/sequence.ts'
import { toSource } from './language/source.ts'
import { toChannelSummary } from './score/summary.ts'
import type { ChannelSummary } from './score/summary.ts'
import { warnOfTempos } from './score/tempos.ts'
import { toSequence } from './score/to-sequence.ts'
import { playTrack } from './score/track.ts'
import { TrackWarnings } from './score/track-warnings.ts'

export interface AnalyseOptions extends PerformOptions {
  readonly mode: Dialect
  /** `auto` (the default) takes native where the text shows that it is meant. */
  readonly profile?: Profile | 'auto'
}

export interface Analysis {
  readonly profile: Profile
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  /** null, like the performance, when there is an error. */
  readonly sequence: Sequence | null
  /** Empty when there is an error. */
  readonly channelSummary: readonly ChannelSummary[]
  readonly performance: Performance | null
}

export function analyseMml(text: string, options: AnalyseOptions): Analysis {
  const { mode, profile: asked = 'auto' } = options
  const isTooLarge = text.length > MAX_INPUT_BYTES || new TextEncoder().encode(text).length > MAX_INPUT_BYTES
  if (isTooLarge) return tooLarge(asked === 'auto' ? 'house' : asked)
  const profile = asked === 'auto' ? detectProfile(text, mode) : asked
  const source = toSource(text)
  const diagnostics = new Diagnostics(source)
  const score = readScore(source.text, mode, profile, diagnostics)
  const { errors, warnings } = diagnostics
  if (score === null || errors.length > 0) return { ...NOTHING, profile, errors, warnings }
  const sequence = toSequence(score)
  const performance = toPerformance(score, options)
  return { profile, errors, warnings, sequence, channelSummary: toChannelSummary(sequence), performance }
}

/** The tree lives no longer than this: a large text's tree, score and sequence would not fit into memory at once. */
function readScore(text: string, mode: Dialect, profile: Profile, diagnostics: Diagnostics): Score | null {
  const tree = (mode === 'ppmck' ? parsePpmck : parsePyxel)(text, profile, diagnostics)
  return diagnostics.hasErrors ? null : toScore(tree, diagnostics)
}

const NOTHING = { sequence: null, channelSummary: [], performance: null }

function tooLarge(profile: Profile): Analysis {
  const message = `mml: the text is longer than ${MAX_INPUT_BYTES / 1024} KiB.`
  const errors = [toDiagnostic('VALIDATION_INPUT_TOO_LARGE', message, 'Write repeated parts as [ ]n.')]
  return { ...NOTHING, profile, errors, warnings: [] }
}

/** Checks the tree and plays every track out; the result only counts when nothing was found wrong. */
function toScore(tree: Tree, diagnostics: Diagnostics): Score {
  const checked = checkTree(tree, diagnostics)
  const sized = tree.tracks.filter((track) => checkSize(track, diagnostics))
  const played = sized.map((track) => play(track, tree, checked, diagnostics))
  const loop = played.find(({ place }) => place === 'loop')
  const tracks = played.filter(({ place }) => place !== 'loop')
  const end = longest(tracks.filter(({ place }) => place !== 'sample').map((track) => track.end))
  const loopStart = loop?.end ?? null
  const at = tree.tracks.find(({ place }) => place === 'loop')?.at ?? 0
  if (loopStart && compare(loopStart, end) >= 0) {
    const message = 'The loop starts where the song already ends.'
    diagnostics.error('SEMANTIC_VALUE_OUT_OF_RANGE', at, message, 'Make track L shorter than the longest track.')
  } else if (compare(end, ZERO) === 0 && !diagnostics.hasErrors) {
    const message = 'There is nothing to play: no note and no rest.'
    diagnostics.warning('SEMANTIC_EMPTY_TRACK', tree.tracks[0]?.at ?? 0, message, EMPTY_HINTS[tree.mode])
  }
  warnOfTempos(tree, tracks, diagnostics)
  const { mode, profile } = tree
  return { mode, profile, definitions: checked.tables.toDefinitions(), tracks, loopStart, end }
}

const EMPTY_HINTS = { ppmck: 'For example: A c d e', pyxel: 'For example: 0: C D E' }

function play(track: Track, tree: Tree, { tables, failed }: Checked, diagnostics: Diagnostics): ScoreTrack {
  const { mode, profile } = tree
  const warnings = new TrackWarnings(diagnostics, mode, profile)
  const header = (key: string) =>
    profile === 'native' ? tree.headers.find((candidate) => candidate.key === key) : undefined
  const octaveSign = Number(header('OCTAVE-REV')?.value ?? 0) === 1 ? -1 : 1
  const eighths = Math.min(255, Math.max(1, Math.floor(Number(header('GATE-DENOM')?.value ?? 8)) || 8))
  const gateDenominator = mode === 'pyxel' ? 100 : eighths
  const played = playTrack(track, { mode, profile, tables, failed, octaveSign, gateDenominator }, warnings)
  warnings.report(track.name)
  if (track.place === 'sample') {
    const message = 'Track E plays samples, which are not here; it is read and stays silent.'
    diagnostics.warning('SEMANTIC_UNSUPPORTED_FEATURE', track.at, message)
  }
  return played
}
