/** The answers of `compose_mml`: one shape for each action, and one for a call whose parameters cannot be read. */
import type { ComposeMmlAnswer } from '../../contracts/tools/compose-mml.ts'
import type { ComposedMml } from '../../mml/compose.ts'
import { toDiagnostic, type Diagnostic } from '../../mml/language/diagnostic.ts'
import type { Sequence } from '../../mml/score/sequence.ts'
import { MAX_SEQUENCE_CHARS } from '../../contracts/limits.ts'

export interface AudioFile {
  readonly bytes: number
  readonly sampleRate: number
  readonly seconds: number
}

export function toValidateAnswer(analysis: ComposedMml, includeSequence: boolean): ComposeMmlAnswer {
  const { errors, warnings } = analysis
  return { valid: errors.length === 0, ...listed({ errors, warnings }), ...musicParts(analysis, includeSequence) }
}

export function toComposedAnswer(analysis: ComposedMml, includeSequence: boolean, file: AudioFile): ComposeMmlAnswer {
  const { errors, warnings } = analysis
  return {
    success: true,
    audio: { mime_type: 'audio/wav', size_bytes: file.bytes, sample_rate: file.sampleRate },
    duration_sec: file.seconds,
    validation: listed({ errors, warnings }),
    ...musicParts(analysis, includeSequence),
  }
}

/** No sound: because of the errors of the text, or of `extra`, a fault after the text was read. */
export function toFailedAnswer({ errors, warnings, profile }: ComposedMml, extra?: Diagnostic): ComposeMmlAnswer {
  return {
    success: false,
    audio: null,
    duration_sec: 0,
    validation: listed({ errors: extra === undefined ? errors : [...errors, extra], warnings }),
    profile,
    channel_summary: [],
    note_sequence: null,
  }
}

/** For unreadable parameters: the fields of both a failed compose and a failed validate. */
export function toApiFailure(error: Diagnostic): ComposeMmlAnswer {
  const found = listed({ errors: [error], warnings: [] })
  return {
    success: false,
    valid: false,
    ...found,
    validation: found,
    note_sequence: null,
    audio: null,
    duration_sec: 0,
    channel_summary: [],
  }
}

/** The fields that compose and validate share; empty but for the profile when the text has errors. */
function musicParts({ profile, sequence, channelSummary }: ComposedMml, includeSequence: boolean) {
  const shown = sequence !== null && includeSequence ? sequence : null
  const omitted = shown !== null && !fits(shown)
  return {
    profile,
    channel_summary: channelSummary.map((row) => ({ ...row, octave_range: [...row.octave_range] })),
    note_sequence: omitted || shown === null ? null : { ...shown, definitions: { ...shown.definitions } },
    ...(omitted && { note_sequence_omitted: true }),
  }
}

/** True when the JSON is within the limit; stops at the first event beyond it. */
function fits({ channels, definitions }: Sequence): boolean {
  let left = MAX_SEQUENCE_CHARS - JSON.stringify(definitions).length
  for (const { events } of Object.values(channels)) {
    for (const event of events) {
      left -= JSON.stringify(event).length + 1
      if (left < 0) return false
    }
  }
  return true
}

function listed(found: { readonly errors: readonly Diagnostic[]; readonly warnings: readonly Diagnostic[] }) {
  return { errors: [...found.errors], warnings: [...found.warnings] }
}

export const SYNTHESIS_FAILED = toDiagnostic(
  'RUNTIME_SYNTHESIS_FAILED',
  'The sound could not be made.',
  'The text is valid; try again, or with a lower sample_rate.',
)
export const CANCELLED = toDiagnostic('RUNTIME_SYNTHESIS_FAILED', 'The call was cancelled before the sound was ready.')
