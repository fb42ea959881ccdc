/**
 * Warnings that only unrolling can find. A cause that recurs is reported once, at
 * its first place, with the number of notes.
 */
import type { DiagnosticCode, Diagnostics } from '../language/diagnostic.ts'
import { LOWEST_PULSE_TIMER } from '../chip/chip-tables.ts'
import { LAST_TIMER, toUnboundedTimer } from '../chip/pitch.ts'
import type { NotePitch, ScoreVoice } from './score.ts'
import { CHANNEL_TYPES } from '../chip/channels.ts'
import type { ChannelName } from '../chip/channels.ts'
import type { Dialect, Profile } from '../language/dialect.ts'

interface Cause {
  readonly code: DiagnosticCode
  readonly at: number
  readonly message: string
  readonly hint: string
  count: number
}

export class TrackWarnings {
  readonly #diagnostics: Diagnostics
  readonly #detunesByUnits: boolean
  readonly #causes = new Map<string, Cause>()

  constructor(diagnostics: Diagnostics, mode: Dialect, profile: Profile) {
    this.#diagnostics = diagnostics
    this.#detunesByUnits = mode === 'ppmck' && profile === 'native'
  }

  /** Reports everything collected; call once for each track. */
  report(trackName: string): void {
    for (const { code, at, message, hint, count } of this.#causes.values()) {
      const times = count === 1 ? 'one note' : `${count} notes`
      this.#diagnostics.warning(code, at, `Track ${trackName}, ${times} from here: ${message}`, hint)
    }
  }

  noiseNote(at: number): void {
    const message = 'noise has no pitch, so only the rhythm is played.'
    this.#add('noise', 'SEMANTIC_CHANNEL_MISMATCH', at, message, 'Any letter will do.')
  }

  /** `written` is before and `note` after clamping to 0..127. */
  note(
    at: number,
    channel: ChannelName,
    written: number,
    note: number,
    voice: ScoreVoice,
    direct: Pick<NotePitch, 'timer'>,
  ): void {
    if (written !== note) {
      const message = `note ${written} is outside 0..127 and sounds as ${note}.`
      this.#add('midi', 'SEMANTIC_NOTE_OUT_OF_RANGE', at, message, 'Change the octave or the transposition.')
    }
    const type = CHANNEL_TYPES[channel]
    if (type === 'noise') return
    const cents = this.#detunesByUnits ? 0 : voice.detune
    const timer = direct.timer ?? toUnboundedTimer(note + cents / 100, type) - (this.#detunesByUnits ? voice.detune : 0)
    if (timer > LAST_TIMER) {
      const lowest = type === 'triangle' ? '27.31' : '54.62'
      const message = `the chip cannot play below ${lowest} Hz, so the pitch is wrong.`
      this.#add('low', 'SEMANTIC_NOTE_OUT_OF_RANGE', at, message, 'Go up an octave.')
    } else if (type === 'pulse' && timer < LOWEST_PULSE_TIMER) {
      const message = 'the chip mutes pulse notes as high as this.'
      this.#add('high', 'SEMANTIC_NOTE_OUT_OF_RANGE', at, message, 'Go down an octave.')
    }
  }

  octave(at: number, octave: number, lowest: number, highest: number): void {
    const message = `Octave ${octave} is outside ${lowest}..${highest}.`
    const hint = 'Set the octave again, with o or O, before going on.'
    this.#diagnostics.error('SEMANTIC_VALUE_OUT_OF_RANGE', at, message, hint)
  }

  register(at: number, address: number): void {
    if (address >= 0x4000 && address <= 0x4013) return
    const message = `Register $${address.toString(16).toUpperCase()} is not one of the sound registers $4000 to $4013.`
    this.#diagnostics.warning('SEMANTIC_UNSUPPORTED_FEATURE', at, message, 'The write is ignored.')
  }

  #add(key: string, code: DiagnosticCode, at: number, message: string, hint: string): void {
    const cause = this.#causes.get(key)
    if (cause) cause.count++
    else this.#causes.set(key, { code, at, message, hint, count: 1 })
  }
}
