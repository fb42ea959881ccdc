/**
 * The contract of `compose_mml`: MML text in, the sound of the NES out. One tool with
 * three actions, whose answers are one flat object in the schema. The descriptions
 * cover both dialects far enough to write a song.
 */
import * as z from 'zod'
import type { Result } from '../../base/result.ts'
import { MAX_INPUT_BYTES, MAX_SAMPLE_RATE, MAX_SAMPLES, MIN_SAMPLE_RATE } from '../../mml/limits.ts'
import { TICKS_PER_QUARTER } from '../../mml/score/timing.ts'
import { parseArguments } from '../arguments.ts'
import { FADE_SECONDS, MAX_COMPOSE_ANSWER_CHARS, MAX_SEQUENCE_CHARS, SONG_LOOPS } from '../limits.ts'
import {
  choiceParameter,
  decimalParameter,
  described,
  presetTextParameter,
  shown,
  switchParameter,
  wholeParameter,
  yes,
} from '../schema-parts.ts'
import { defineTool } from '../tool-contract.ts'

/** `90 s at 44,100 Hz` */
const secondsAt = (rate: number): string => `${Math.floor(MAX_SAMPLES / rate)} s at ${shown(rate)} Hz`

const ACTIONS = ['compose', 'validate', 'template'] as const
const PROFILES = ['auto', 'house', 'native'] as const

const DESCRIPTION = `Turn Music Macro Language (MML) text into the sound of the NES (2A03 chip: two pulses, triangle, noise), returned as audio. Actions:
- template: an example text in either dialect, to start from.
- validate: check a text. An invalid text is a successful answer with valid: false and line, column and a hint for each error. Fast: use it first.
- compose: validate and synthesize. Returns the structured result, and the WAV file as audio content. With errors in the text success is false and validation.errors lists them.

mode ppmck. A line "A ..." is pulse 1, B pulse 2, T triangle, N noise; lower-case commands; ; starts a comment.
c d e f g a b notes, + or - sharp/flat, r rest, then a length (c4 = quarter, c8. = dotted eighth, default l4); o4 octave, > < up/down; t120 tempo; v0-15 volume; @0-3 duty 12.5/25/50/75 %; q1-8 gate; ^8 lengthens, & ties; [c d|e]3 repeats, the last time only up to |; D detune in cents; s sweep. Envelopes, defined before the tracks: @v0={15 12 9|6} volume (use @v0), @0={0 1} duty (@@0), @EP0={..} pitch (EP0, EPOF), @EN0={..} notes (EN0, ENOF), @MP0={delay,speed,depth,0} vibrato (MP0, MPOF). Track L marks where the song loops: its length is the time before the loop.
Example: A t140 v12 @1 l8 o5 [c e g e]4

mode pyxel. Tracks 0: 1: 2: 3: (pulse 1, pulse 2, triangle, noise); upper case; no comments. C D E F G A B, R, L4, O4, > <, T120, V0-127, Q0-100 gate, @1 square @2 pulse, K transpose, Y detune, & tie, [C D]3. @ENV1 volume ticks volume ticks ..., @VIB1 delay period cents, @GLI1 cents ticks; @ENV0 @VIB0 @GLI0 switch off.
Example: 0: T140 V100 @1 L8 O5 [C E G E]4

Texts for the original ppmck (tracks A B C D E) or Pyxel are read too (profile native).

A tempo applies to all tracks. Make all tracks equally long. At most ${shown(MAX_SAMPLES)} samples: ${secondsAt(44_100)}, ${secondsAt(22_050)}; a lower sample_rate makes a smaller answer. Pass include_sequence: false when only the sound is needed. Nothing is stored.`

const input = z.strictObject({
  action: z
    .enum(ACTIONS)
    .describe('compose returns the sound, validate checks the text, template returns an example text.'),
  mml: presetTextParameter(`The text to compose or validate, at most ${MAX_INPUT_BYTES / 1024} KiB.`, ''),
  mode: presetTextParameter(
    'The dialect: ppmck or pyxel. Required by compose and validate; the default of template is ppmck.',
    '',
  ),
  template: presetTextParameter(
    'The example: basic, melody, chord, drum, empty, expressive_lead, vibrato_lead or pitch_motion. Any other name gives basic.',
    'basic',
  ),
  sample_rate: wholeParameter(
    'Sample rate of the WAV file, in Hz.',
    { min: MIN_SAMPLE_RATE, max: MAX_SAMPLE_RATE },
    44_100,
  ),
  normalize: switchParameter('Scale the sound so that its loudest sample is just below full scale.', true),
  profile: choiceParameter(
    "The language of the text: house as described here, native as the dialect's own compiler reads it; auto detects native texts.",
    PROFILES,
    'auto',
  ),
  loops: wholeParameter(
    'Number of times the part from the loop point to the end is played. A song without a loop point is played once.',
    SONG_LOOPS,
    1,
  ),
  fade_sec: decimalParameter(
    'Seconds of fading out: over one more pass of the loop, or over the end of a song without a loop point.',
    FADE_SECONDS,
    0,
  ),
  include_sequence: switchParameter('Return note_sequence; false makes it null and the answer shorter.', true),
  console_filters: switchParameter(
    'Apply the output filters of the console (high-pass 90 and 440 Hz, low-pass 14 kHz), for its thinner sound.',
    false,
  ),
})

const errorDetail = z.object({
  code: z.string(),
  phase: z.enum(['syntax', 'semantic', 'runtime', 'api']),
  line: described(z.int(), 'From 1; 0 when the error is not in the text.'),
  column: described(z.int(), 'From 1, in code points; 0 when the error is not in the text.'),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
  hint: z.string(),
  context: described(z.string(), 'The line of the text, or the part of it around the column.'),
})

const errors = z.array(errorDetail)

const channelSummary = z.array(
  z.object({
    channel: z.enum(['Pulse1', 'Pulse2', 'Triangle', 'Noise']),
    note_count: z.int(),
    octave_range: described(z.array(z.int()), 'Lowest and highest octave.'),
    duration_ticks: described(z.int(), `${TICKS_PER_QUARTER} to a quarter note.`),
  }),
)

const noteSequence = z.object({
  version: z.literal('2.0'),
  bpm: z.number(),
  ticks_per_quarter: z.int(),
  mode: z.enum(['ppmck', 'pyxel']),
  definitions: described(z.record(z.string(), z.unknown()), 'Tables of envelopes, vibratos and glides by slot.'),
  channels: described(z.record(z.string(), z.unknown()), 'Each channel with its events, repeats unrolled.'),
})

const output = z.object({
  success: described(yes, 'compose: whether there is sound; also false when the parameters are wrong.'),
  valid: described(yes, 'validate: whether the text can be composed.'),
  audio: described(
    z
      .object({ mime_type: z.literal('audio/wav'), size_bytes: z.int(), sample_rate: z.int() })
      .nullable()
      .exactOptional(),
    'compose: the audio content; size_bytes is the size of the decoded file.',
  ),
  duration_sec: z.number().exactOptional(),
  validation: described(
    z.object({ errors, warnings: errors }).exactOptional(),
    'compose: errors and warnings of the text.',
  ),
  errors: described(errors.exactOptional(), 'validate: reasons why the text cannot be composed.'),
  warnings: described(errors.exactOptional(), 'validate: parts that will not sound as written.'),
  profile: described(z.enum(['house', 'native']).exactOptional(), 'The profile in which the text was read.'),
  channel_summary: described(channelSummary.exactOptional(), 'All four channels; empty when there are errors.'),
  note_sequence: described(noteSequence.nullable().exactOptional(), 'The song as data: every event with its tick.'),
  note_sequence_omitted: described(
    yes,
    `note_sequence was omitted because it is over ${MAX_SEQUENCE_CHARS / 1_000_000} MB.`,
  ),
  mml: described(z.string().exactOptional(), 'template: the text.'),
  description: described(z.string().exactOptional(), 'template: what the text demonstrates.'),
})

export const composeMmlTool = defineTool({
  name: 'compose_mml',
  set: 'music',
  title: 'Compose NES music from MML',
  description: DESCRIPTION,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  maxResultChars: MAX_COMPOSE_ANSWER_CHARS,
})

export type ComposeMmlArguments = z.output<typeof input>
export type ComposeMmlAnswer = z.output<typeof output>

/** The arguments of a call with defaults; `null` counts as absent, an unknown parameter is refused by name. */
export function parseComposeMmlArguments(value: unknown): Result<ComposeMmlArguments> {
  return parseArguments(input, value, 'refuse')
}
