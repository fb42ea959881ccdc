/**
 * The score played: which note sounds when, through every pass of the loop,
 * channel by channel and change by change, never as one long list.
 */
import { CHANNELS, CHANNEL_TYPES } from '../language/sequence.ts'
import type { ChannelName } from '../language/sequence.ts'
import { add, compare, longest, scale, subtract, toNumber, ZERO } from '../score/fraction.ts'
import type { Fraction } from '../score/fraction.ts'
import type { Manner } from './modulation.ts'
import type { ControlChange, Performance, PerformanceLoop } from '../synth/performance.ts'
import { performNote } from './perform-note.ts'
import type { PlayedNote } from './perform-note.ts'
import type { Score, ScoreNote, ScoreTrack } from '../score/score.ts'
import { toTempoMaps } from '../score/tempos.ts'
import type { TempoMap } from '../score/timing.ts'

export interface PerformOptions {
  /** How often the looped part is played, from 1; 1 without a wish. */
  readonly loops?: number
  /** Seconds of fading at the end, over one more round of the loop. */
  readonly fadeSeconds?: number
}

/** A track with its tempo, and the seconds between which it repeats. */
interface Part {
  readonly track: ScoreTrack
  readonly tempo: TempoMap
  readonly loop: { readonly from: Fraction; readonly startSeconds: Fraction; readonly lengthSeconds: Fraction } | null
}

export function toPerformance(score: Score, { loops = 1, fadeSeconds = 0 }: PerformOptions): Performance {
  const maps = toTempoMaps(score)
  const played = score.tracks.filter(({ place }) => place !== 'sample')
  const parts = played.map((track) => toPart(track, maps[score.tracks.indexOf(track)] as TempoMap, score))
  const ends = parts.map(({ track, tempo }) => tempo.secondsAt(score.loopStart ? score.end : track.end))
  const end = longest(ends)
  const leading = parts.reduce<Part | null>((best, part) => (isLonger(part, best) ? part : best), null)
  const loop = leading?.loop ?? null
  const again = loop ? scale(loop.lengthSeconds, Math.max(1, Math.floor(loops)), 1) : ZERO
  const total = toNumber(loop ? add(subtract(end, loop.lengthSeconds), again) : end) + (loop ? fadeSeconds : 0)
  const manner = mannerOf(score)
  const channels = CHANNELS.map((name) => [name, () => performChannel(name, parts, total, manner)])
  return {
    channels: Object.fromEntries(channels) as Performance['channels'],
    totalSeconds: total,
    fadeSeconds: Math.min(fadeSeconds, total),
    loop: loop && toPerformanceLoop(loop),
  }
}

function mannerOf({ mode, profile }: Score): Manner {
  if (mode === 'ppmck') return profile === 'house' ? 'housePpmck' : 'nativePpmck'
  return profile === 'house' ? 'housePyxel' : 'nativePyxel'
}

function toPart(track: ScoreTrack, tempo: TempoMap, score: Score): Part {
  const from = score.loopStart ?? track.loopStart
  const end = score.loopStart ? score.end : track.end
  if (from === null || compare(from, end) >= 0) return { track, tempo, loop: null }
  const startSeconds = tempo.secondsAt(from)
  return { track, tempo, loop: { from, startSeconds, lengthSeconds: subtract(tempo.secondsAt(end), startSeconds) } }
}

/** Of the tracks that loop, the one that ends last leads. */
function isLonger(part: Part, best: Part | null): boolean {
  if (part.loop === null) return false
  if (best === null || best.loop === null) return true
  return compare(loopEnd(part.loop), loopEnd(best.loop)) > 0
}

function loopEnd({ startSeconds, lengthSeconds }: NonNullable<Part['loop']>): Fraction {
  return add(startSeconds, lengthSeconds)
}

function toPerformanceLoop(loop: NonNullable<Part['loop']>): PerformanceLoop {
  return { startSeconds: toNumber(loop.startSeconds), endSeconds: toNumber(loopEnd(loop)) }
}

function* performChannel(
  name: ChannelName,
  parts: readonly Part[],
  total: number,
  manner: Manner,
): Generator<ControlChange> {
  const sources = parts
    .map((part) => ({
      part,
      notes: part.track.items.filter((item): item is ScoreNote => item.kind === 'note' && item.channel === name),
    }))
    .filter(({ notes }) => notes.length > 0)
    .map(({ part, notes }) => playNotes(part, notes, total))
  const type = CHANNEL_TYPES[name]
  let last: ControlChange | null = null
  let note: PlayedNote | null = null
  for (const next of mergeNotes(sources)) {
    if (note) last = yield* performNote(note, { name, type, manner, until: Math.min(total, next.startSeconds), last })
    note = next
  }
  if (note) yield* performNote(note, { name, type, manner, until: total, last })
}

/** The notes of one track in order, then those of its loop again and again until `total` seconds are full. */
function* playNotes({ tempo, loop }: Part, notes: readonly ScoreNote[], total: number): Generator<PlayedNote> {
  for (const note of notes) yield toPlayed(note, tempo, ZERO)
  if (loop === null) return
  const looped = notes.filter(({ start }) => compare(start, loop.from) >= 0)
  for (let pass = 1; looped.length > 0; pass++) {
    const offset = scale(loop.lengthSeconds, pass, 1)
    if (toNumber(add(offset, loop.startSeconds)) >= total) return
    for (const note of looped) {
      const played = toPlayed(note, tempo, offset)
      if (played.startSeconds >= total) return
      yield played
    }
  }
}

function toPlayed(note: ScoreNote, tempo: TempoMap, offset: Fraction): PlayedNote {
  return { note, tempo, offset, startSeconds: toNumber(add(offset, tempo.secondsAt(note.start))) }
}

/** Several tracks on one channel, in order of time. */
function* mergeNotes(sources: readonly Generator<PlayedNote>[]): Generator<PlayedNote> {
  const heads = sources.map((source) => source.next().value as PlayedNote | undefined)
  for (;;) {
    let first = -1
    for (const [index, head] of heads.entries()) {
      if (head && (first < 0 || head.startSeconds < (heads[first]?.startSeconds ?? 0))) first = index
    }
    const head = heads[first]
    if (head === undefined) return
    yield head
    heads[first] = sources[first]?.next().value as PlayedNote | undefined
  }
}
