/**
 * Every command of both dialects, one row each: spelling, arguments, accepted
 * ranges, allowed channels and effect. Lexer, parser and checks read this table. A
 * command whose house and native rules differ has two rows.
 */
import type { Definitions } from './curves.ts'
import type { Dialect, Profile } from './dialect.ts'

export interface Argument {
  readonly min: number
  readonly max: number
  /** One accepted value outside the range. */
  readonly also?: number
  /** One refused value inside the range. */
  readonly except?: number
  /** The value of a missing argument; without it the argument is required. */
  readonly fallback?: number
}

/** How arguments are written: numbers with commas; a length; a number, then a length; a slot; a slot with parameters. */
type Form = 'values' | 'length' | 'pitch' | 'slot' | 'parameters'

/** The effect on a track: one function or case of this name in effects.ts or unroll-track.ts. */
export type Effect =
  | 'octave'
  | 'octaveUp'
  | 'octaveDown'
  | 'defaultLength'
  | 'volume'
  | 'volumeStep'
  | 'duty'
  | 'tone'
  | 'gate'
  | 'gateFrames'
  | 'tempo'
  | 'frameTempo'
  | 'detune'
  | 'transpose'
  | 'sweep'
  | 'volumeList'
  | 'dutyList'
  | 'pitchList'
  | 'noteList'
  | 'lfo'
  | 'pitchListOff'
  | 'noteListOff'
  | 'lfoOff'
  | 'releaseVolume'
  | 'releaseDuty'
  | 'envelope'
  | 'vibrato'
  | 'glide'
  | 'noteNumber'
  | 'directPeriod'
  | 'keyOff'
  | 'hold'
  | 'loopPoint'
  | 'endTrack'
  | 'startHere'
  | 'registerWrite'

export interface Command {
  readonly name: string
  readonly mode: Dialect
  readonly profile: Profile | 'any'
  readonly effect: Effect
  readonly form: Form
  readonly args: readonly Argument[]
  readonly channels: 'all' | 'pulse'
  /** Adds an event to the note sequence, which counts toward MAX_TRACK_EVENTS. */
  readonly event: boolean
  /** The table of its slots, whether it selects or defines them, and the accepted values of a definition. */
  readonly table?: keyof Definitions
  readonly role?: 'select' | 'define' | 'both'
  readonly items?: Argument
  readonly description: string
  readonly example: string
}

type Extra = Partial<Pick<Command, 'form' | 'args' | 'channels' | 'event' | 'table' | 'role' | 'items' | 'profile'>>

const ANY: Argument = { min: 0, max: 2 ** 31 }
const SLOT: Argument = { min: 0, max: 255, fallback: 0 }
const NATIVE_SLOT: Argument = { min: 0, max: 127, also: 255, fallback: 0 }
const LEVELS: Argument = { min: 0, max: 15 }
const DUTY: Argument = { min: 0, max: 3 }
const SIGNED: Argument = { min: -127, max: 126 }

function ppmck(name: string, effect: Effect, description: string, example: string, extra: Extra = {}): Command {
  return toCommand('ppmck', name, effect, description, example, extra)
}

function pyxel(name: string, effect: Effect, description: string, example: string, extra: Extra = {}): Command {
  return toCommand('pyxel', name, effect, description, example, extra)
}

function toCommand(
  mode: Dialect,
  name: string,
  effect: Effect,
  description: string,
  example: string,
  extra: Extra,
): Command {
  const plain = { profile: 'any', form: 'values', args: [], channels: 'all', event: false } as const
  return { ...plain, mode, name, effect, description, example, ...extra }
}

function takes(min: number, max: number, rest: Partial<Argument> = {}): readonly Argument[] {
  return [{ min, max, ...rest }]
}

/** A command that selects a numbered list and, with `=` after the number, defines it. */
function slot(
  role: 'select' | 'define' | 'both',
  table: keyof Definitions,
  items: Argument,
  args: readonly Argument[] = [SLOT],
): Extra {
  return { form: 'slot', args, event: true, role, table, items, profile: 'house' }
}

function nativeSlot(
  role: 'select' | 'define' | 'both',
  table: keyof Definitions,
  items: Argument,
  args: readonly Argument[] = [NATIVE_SLOT],
): Extra {
  return { ...slot(role, table, items, args), profile: 'native' }
}

const REQUIRED_SLOT = takes(0, 255)
const REQUIRED_NATIVE_SLOT = takes(0, 127)
const EVENT = { event: true } as const
const NATIVE = { profile: 'native' } as const

export const COMMANDS: readonly Command[] = [
  ppmck('o', 'octave', 'Octave of the notes after it, 4 at first.', 'o5 c', { args: takes(0, 7) }),
  ppmck('>', 'octaveUp', 'One octave up.', 'c > c'),
  ppmck('<', 'octaveDown', 'One octave down.', 'c < c'),
  ppmck('l', 'defaultLength', 'Length of notes written without one, 4 at first.', 'l8 c d', { form: 'length' }),
  ppmck('v', 'volume', 'Volume, 15 at first; ends a volume list.', 'v12 c', { args: takes(0, 15), ...EVENT }),
  ppmck('v+', 'volumeStep', 'Louder by this many steps, 1 without a number.', 'v8 v+2 c', {
    args: takes(1, 15, { fallback: 1 }),
    ...EVENT,
  }),
  ppmck('v-', 'volumeStep', 'Softer by this many steps, 1 without a number.', 'v8 v-2 c', {
    args: takes(1, 15, { fallback: 1 }),
    ...EVENT,
  }),
  ppmck('@', 'duty', 'Pulse waveform 12.5, 25, 50, 75 %, 2 at first; @1={...} defines a list of them.', '@1 c', {
    form: 'slot',
    args: [DUTY],
    channels: 'pulse',
    role: 'both',
    table: 'duty_envelopes',
    items: DUTY,
    ...EVENT,
  }),
  ppmck('q', 'gate', 'Sounding part of a note in eighths, 8 at first.', 'q6 c', {
    args: takes(1, 8),
    profile: 'house',
    ...EVENT,
  }),
  ppmck('q', 'gate', 'Sounding part of a note in eighths, and frames more or less.', 'q6,-1 c', {
    args: [
      { min: 1, max: 255 },
      { min: -127, max: 127, fallback: 0 },
    ],
    ...NATIVE,
    ...EVENT,
  }),
  ppmck('t', 'tempo', 'Quarter notes a minute, 120 at first.', 't150 c', { args: [{ ...ANY, min: 1 }], ...EVENT }),
  ppmck('D', 'detune', 'Detune in cents, upward when positive.', 'D20 c', {
    args: [SIGNED],
    profile: 'house',
    ...EVENT,
  }),
  ppmck('D', 'detune', 'Units subtracted from the period, so upward when positive; 255 ends it.', 'D2 c', {
    args: [{ ...SIGNED, also: 255 }],
    ...NATIVE,
    ...EVENT,
  }),
  ppmck('s', 'sweep', 'Pitch sweep: speed (0 off) and depth, upward when positive.', 's4,2 c', {
    args: [
      { min: 0, max: 7 },
      { min: -7, max: 7, except: 0 },
    ],
    channels: 'pulse',
    profile: 'house',
    ...EVENT,
  }),
  ppmck('s', 'sweep', 'Pitch sweep, as the two halves of its register.', 's10,9 c', {
    args: [LEVELS, LEVELS],
    channels: 'pulse',
    ...NATIVE,
    ...EVENT,
  }),
  ppmck(
    '@v',
    'volumeList',
    'Volume list; @v1={15,12|9} defines one.',
    '@v1 c',
    slot('both', 'volume_envelopes', LEVELS, REQUIRED_SLOT),
  ),
  ppmck('@@', 'dutyList', 'Duty list, defined with @1={...}.', '@@1 c', {
    ...slot('select', 'duty_envelopes', DUTY, REQUIRED_SLOT),
    channels: 'pulse',
  }),
  ppmck(
    '@EP',
    'pitchList',
    'Defines a pitch list: @EP1={0,5|-5}.',
    '@EP1={0,5}',
    slot('define', 'pitch_envelopes', SIGNED),
  ),
  ppmck('EP', 'pitchList', 'Pitch list.', 'EP1 c', slot('select', 'pitch_envelopes', SIGNED)),
  ppmck(
    '@EN',
    'noteList',
    'Defines a note list: @EN1={0,4,7}.',
    '@EN1={0,4,7}',
    slot('define', 'note_envelopes', SIGNED),
  ),
  ppmck('EN', 'noteList', 'Note list, an arpeggio in semitones.', 'EN1 c', slot('select', 'note_envelopes', SIGNED)),
  ppmck(
    '@MP',
    'lfo',
    'Defines a vibrato: delay, speed, depth, 0.',
    '@MP1={12,16,18,0}',
    slot('define', 'lfos', { min: 0, max: 255 }),
  ),
  ppmck('MP', 'lfo', 'Vibrato.', 'MP1 c', slot('select', 'lfos', { min: 0, max: 255 })),
  ppmck('@v', 'volumeList', 'Volume list, one value a frame.', '@v1 c', {
    ...nativeSlot('both', 'volume_envelopes', LEVELS),
    args: REQUIRED_NATIVE_SLOT,
  }),
  ppmck('@@', 'dutyList', 'Duty list, one value a frame.', '@@1 c', {
    ...nativeSlot('select', 'duty_envelopes', DUTY),
    args: REQUIRED_NATIVE_SLOT,
  }),
  ppmck('@EP', 'pitchList', 'Defines a pitch list.', '@EP1={0 5}', nativeSlot('define', 'pitch_envelopes', SIGNED)),
  ppmck(
    'EP',
    'pitchList',
    'Pitch list: each frame changes the period further.',
    'EP1 c',
    nativeSlot('select', 'pitch_envelopes', SIGNED),
  ),
  ppmck('@EN', 'noteList', 'Defines a note list.', '@EN1={0 4 3}', nativeSlot('define', 'note_envelopes', SIGNED)),
  ppmck(
    'EN',
    'noteList',
    'Note list: each frame adds semitones.',
    'EN1 c',
    nativeSlot('select', 'note_envelopes', SIGNED),
  ),
  ppmck(
    '@MP',
    'lfo',
    'Defines a vibrato: delay, quarter period, depth.',
    '@MP1={9 4 3}',
    nativeSlot('define', 'lfos', { min: 0, max: 255 }),
  ),
  ppmck(
    'MP',
    'lfo',
    'Vibrato in frames and units of the period.',
    'MP1 c',
    nativeSlot('select', 'lfos', { min: 0, max: 255 }),
  ),
  ppmck('EPOF', 'pitchListOff', 'Ends the pitch list.', 'EPOF c', EVENT),
  ppmck('ENOF', 'noteListOff', 'Ends the note list.', 'ENOF c', EVENT),
  ppmck('MPOF', 'lfoOff', 'Ends the vibrato.', 'MPOF c', EVENT),
  ppmck('@vr', 'releaseVolume', 'Volume list played after the end of a note; 255 ends it.', '@vr1 c', {
    ...nativeSlot('select', 'volume_envelopes', LEVELS),
    args: takes(0, 127, { also: 255 }),
    event: false,
  }),
  ppmck('@@r', 'releaseDuty', 'Duty list played after the end of a note; 255 ends it.', '@@r1 c', {
    ...nativeSlot('select', 'duty_envelopes', DUTY),
    args: takes(0, 127, { also: 255 }),
    event: false,
  }),
  ppmck('K', 'transpose', 'Semitones added to every note.', 'K2 c', { args: [SIGNED], ...NATIVE }),
  ppmck('n', 'noteNumber', 'Note by number, (octave - 2) * 16 + semitone; on D the noise period.', 'n36,8', {
    form: 'pitch',
    args: takes(0, 127),
    ...NATIVE,
    ...EVENT,
  }),
  ppmck('@n', 'directPeriod', 'Note by the value of its period register.', '@n253,4', {
    form: 'pitch',
    args: takes(0, 4095),
    ...NATIVE,
    ...EVENT,
  }),
  ppmck('k', 'keyOff', 'Ends the note: a rest in which a release list plays.', 'c k4', {
    form: 'length',
    ...NATIVE,
    ...EVENT,
  }),
  ppmck('w', 'hold', 'Lengthens the note or rest before it.', 'c w4', { form: 'length', ...NATIVE }),
  ppmck('@q', 'gateFrames', 'Cuts this many frames off the end of each note.', '@q2 c', {
    args: takes(0, 255),
    ...NATIVE,
    ...EVENT,
  }),
  ppmck('@t', 'frameTempo', 'Tempo as a length and its frames of 1/60 s.', '@t4,30 c', {
    args: [
      { min: 1, max: 255 },
      { min: 1, max: 65535 },
    ],
    ...NATIVE,
    ...EVENT,
  }),
  ppmck('L', 'loopPoint', 'The track returns here when it ends.', 'c L d', { ...NATIVE, ...EVENT }),
  ppmck('!', 'endTrack', 'Ends the track.', 'c ! d', NATIVE),
  ppmck('!!', 'startHere', 'Begins to play here.', 'c !! d', NATIVE),
  ppmck('y', 'registerWrite', 'Register write, accepted from $4000 to $4013.', 'y$4000,191 c', {
    args: [
      { min: 0, max: 65535 },
      { min: 0, max: 255 },
    ],
    ...NATIVE,
  }),
  pyxel('O', 'octave', 'Octave of the notes after it, 4 at first.', 'O5 C', { args: takes(0, 7), profile: 'house' }),
  pyxel('O', 'octave', 'Octave of the notes after it, 4 at first.', 'O5 C', { args: takes(-1, 9), ...NATIVE }),
  pyxel('>', 'octaveUp', 'One octave up.', 'C > C'),
  pyxel('<', 'octaveDown', 'One octave down.', 'C < C'),
  pyxel('L', 'defaultLength', 'Length of notes written without one, 4 at first.', 'L8 C D', { form: 'length' }),
  pyxel('V', 'volume', 'Volume, 100 at first.', 'V80 C', { args: takes(0, 127), ...EVENT }),
  pyxel('Q', 'gate', 'Sounding part of a note in percent, 80 at first.', 'Q90 C', { args: takes(0, 100) }),
  pyxel('@', 'tone', 'Waveform: 0 triangle, 1 square, 2 pulse, 3 noise.', '@2 C', {
    args: takes(0, 3),
    profile: 'house',
    ...EVENT,
  }),
  pyxel('@', 'tone', 'Waveform: 0 triangle, 1 square, 2 pulse, 3 noise.', '@2 C', { args: [ANY], ...NATIVE, ...EVENT }),
  pyxel('T', 'tempo', 'Quarter notes a minute, 120 at first.', 'T150 C', { args: [{ ...ANY, min: 1 }], ...EVENT }),
  pyxel('K', 'transpose', 'Semitones added to every note but noise.', 'K-12 C', { args: takes(-127, 127) }),
  pyxel('Y', 'detune', 'Detune in cents.', 'Y10 C', { args: takes(-127, 127) }),
  pyxel('@ENV', 'envelope', 'Volume curve: pairs of target and ticks; 0 ends it.', '@ENV1 127 1 40 96 C', {
    form: 'parameters',
    args: takes(0, 255),
    table: 'envelopes',
    ...EVENT,
  }),
  pyxel('@VIB', 'vibrato', 'Vibrato: delay and period in ticks, depth in cents; 0 ends it.', '@VIB1 96 24 20 C', {
    form: 'parameters',
    args: takes(0, 255),
    table: 'vibratos',
    ...EVENT,
  }),
  pyxel('@GLI', 'glide', 'Slide into each note: cents away, ticks to get there; 0 ends it.', '@GLI1 100 48 C', {
    form: 'parameters',
    args: takes(0, 255),
    table: 'glides',
    ...EVENT,
  }),
]

/** The commands of a dialect in a profile. */
export function listCommands(mode: Dialect, profile: Profile): readonly Command[] {
  return COMMANDS.filter((row) => row.mode === mode && (row.profile === 'any' || row.profile === profile))
}

/** The lowest and highest octave of a dialect in a profile: the range of its octave command. */
export function octaveRange(mode: Dialect, profile: Profile): Argument {
  const [range] = listCommands(mode, profile).flatMap(({ effect, args }) => (effect === 'octave' ? args : []))
  if (range === undefined) throw new Error(`${mode} has no octave command`)
  return range
}

/** The accepted values in words: `0..7`, `-127..126 or 255`. */
export function describeRange({ min, max, also, except }: Argument): string {
  const range = max >= 2 ** 31 ? `${min} or more` : `${min}..${max}`
  return range + (also === undefined ? '' : ` or ${also}`) + (except === undefined ? '' : ` but ${except}`)
}

export function accepts({ min, max, also, except }: Argument, value: number): boolean {
  return (value >= min && value <= max && value !== except) || value === also
}
