/**
 * Builds the score of one track: notes, rests and events at exact positions, with
 * ties and slurs resolved. It does not know the tree.
 */
import { add, ZERO } from './fraction.ts'
import type { Fraction } from './fraction.ts'
import { PLAIN_PITCH } from './score.ts'
import type { ControlBody, NotePitch, ScoreItem, ScoreNote, ScoreTrack, ScoreVoice } from './score.ts'
import type { ChannelName } from '../chip/channels.ts'
import type { Tempo } from './timing.ts'

interface PartSound {
  readonly channel: ChannelName
  readonly note: number
  readonly ticks: Fraction
  readonly voice: ScoreVoice
  readonly pitch: Omit<NotePitch, 'previous'>
}

export class PartWriter {
  readonly #items: ScoreItem[] = []
  readonly #tempos: ScoreTrack['tempos'][number][] = []
  readonly #isSilent: boolean
  #position = ZERO
  #loopStart: Fraction | null = null
  /** The note or rest that a tie extends. */
  #last: (ScoreItem & { kind: 'note' | 'rest' }) | null = null
  #lastNote: ScoreNote | null = null
  /** The next note is slurred to the one before. */
  #joins = false
  /** Inside `( )`: before or after its first note. */
  #group: 'first' | 'rest' | null = null

  /** A silent part advances but adds no notes. */
  constructor(isSilent: boolean) {
    this.#isSilent = isSilent
  }

  toScoreTrack(place: ScoreTrack['place']): ScoreTrack {
    const items = this.#items
    return { place, items, end: this.#position, loopStart: this.#loopStart, tempos: this.#tempos }
  }

  get position(): Fraction {
    return this.#position
  }

  /** Adds a note, or extends the one before when tied to the same pitch; true when a note was added. */
  sound({ channel, note, ticks, voice, pitch }: PartSound): boolean {
    const start = this.#position
    const end = add(start, ticks)
    const before = this.#last?.kind === 'note' && this.#last.channel === channel ? this.#last : null
    const legato = before !== null && (this.#joins || this.#group === 'rest')
    if (this.#group === 'first') this.#group = 'rest'
    this.#joins = false
    this.#position = end
    if (legato && before.note === note && isSamePitch(before.pitch, pitch)) {
      extendNote(before, start, end, voice)
      return false
    }
    if (this.#isSilent) return false
    if (legato) before.joined = true
    // Most notes are plain and share one pitch object: a hundred thousand of them must stay small.
    const isPlain = pitch.slideTo === null && pitch.timer === null && pitch.noise === null && voice.glide === null
    const item: ScoreNote = {
      kind: 'note',
      channel,
      start,
      end,
      note,
      voice,
      later: null,
      legato,
      joined: false,
      pitch: isPlain ? PLAIN_PITCH : { ...pitch, previous: this.#lastNote?.note ?? null },
      released: null,
    }
    this.#items.push(item)
    this.#last = item
    this.#lastNote = item
    return true
  }

  rest(ticks: Fraction): void {
    const start = this.#position
    this.#position = add(start, ticks)
    this.#joins = false
    this.#last = { kind: 'rest', start, end: this.#position }
    this.#items.push(this.#last)
  }

  /** A rest in which the release of the last note may sound. */
  letGo(ticks: Fraction): void {
    this.rest(ticks)
    if (this.#lastNote) this.#lastNote.released = this.#position
  }

  /** Extends the last note or rest. */
  extend(ticks: Fraction, voice: ScoreVoice): void {
    const start = this.#position
    const last = this.#last
    if (last === null) return this.rest(ticks)
    this.#position = add(start, ticks)
    if (last.kind === 'note') extendNote(last, start, this.#position, voice)
    else last.end = this.#position
  }

  join(): void {
    this.#joins = true
  }

  slurAll(isOn: boolean): void {
    this.#group = isOn ? 'first' : null
  }

  repeated(start: Fraction, count: number): void {
    this.#items.push({ kind: 'repeat', start, end: this.#position, count })
  }

  control(body: ControlBody | null, tempo: Tempo, offset: number): void {
    if (body === null) return
    this.#items.push({ kind: 'control', at: this.#position, body })
    if (body.type === 'tempo') this.#tempos.push({ at: this.#position, tempo, offset })
  }

  loopHere(): void {
    this.#loopStart = this.#position
  }

  /** Removes everything before this position; the tempo and the voice stay. */
  startHere(tempo: Tempo): void {
    const hadTempo = this.#tempos.length > 0
    this.#items.length = 0
    this.#tempos.length = 0
    if (hadTempo) this.#tempos.push({ at: ZERO, tempo, offset: 0 })
    this.#position = ZERO
    this.#loopStart = this.#loopStart && ZERO
    this.#last = null
    this.#lastNote = null
  }
}

function isSamePitch(a: NotePitch, b: PartSound['pitch']): boolean {
  return a.noise === b.noise && a.timer === b.timer && a.slideTo === null && b.slideTo === null
}

/** Extends a note to `until`. A changed voice applies after `from`. */
function extendNote(note: ScoreNote, from: Fraction, until: Fraction, voice: ScoreVoice): void {
  note.end = until
  if ((note.later?.at(-1)?.voice ?? note.voice) === voice) return
  note.later ??= []
  note.later.push({ at: from, voice })
}
