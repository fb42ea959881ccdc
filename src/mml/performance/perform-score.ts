/**
 * Score to performance: when each note sounds, through every pass of the loop,
 * channel by channel. Changes are generated on demand, never as one list.
 */
import { CHANNELS, CHANNEL_TYPES } from '../chip/channels.ts'
import type { ChannelName } from '../chip/channels.ts'
import { add, compare, longest, scale, subtract, toNumber, ZERO } from '../score/fraction.ts'
import type { Fraction } from '../score/fraction.ts'
import type { Convention } from './modulation.ts'
import type { ControlChange, Performance, PerformanceLoop } from './performance.ts'
import { performNote } from './perform-note.ts'
import type { PerformedNote } from './perform-note.ts'
import type { Score, ScoreNote, ScoreTrack } from '../score/score.ts'
import { toTempoMaps } from '../score/tempos.ts'
import type { TempoMap } from '../score/timing.ts'

export interface PerformOptions {
  /** Passes of the loop, from 1 (the default). */
  readonly loops?: number
  /** Seconds of fading at the end, over one more pass of the loop. */
  readonly fadeSeconds?: number
}

/** A track with its tempo and its loop. */
interface PerformedTrack {
  readonly track: ScoreTrack
  readonly tempo: TempoMap
  readonly loop: { readonly from: Fraction; readonly startSeconds: Fraction; readonly lengthSeconds: Fraction } | null
}

export function performScore(score: Score, { loops = 1, fadeSeconds = 0 }: PerformOptions): Performance {
  const maps = toTempoMaps(score)
  const sounding = score.tracks.filter(({ place }) => place !== 'sample')
  const tracks = sounding.map((track) => toPerformedTrack(track, maps[score.tracks.indexOf(track)] as TempoMap, score))
  const ends = tracks.map(({ track, tempo }) => tempo.secondsAt(score.loopStart ? score.end : track.end))
  const end = longest(ends)
  const leading = tracks.reduce<PerformedTrack | null>((best, track) => (isLonger(track, best) ? track : best), null)
  const loop = leading?.loop ?? null
  const again = loop ? scale(loop.lengthSeconds, Math.max(1, Math.floor(loops)), 1) : ZERO
  const total = toNumber(loop ? add(subtract(end, loop.lengthSeconds), again) : end) + (loop ? fadeSeconds : 0)
  const convention = toConvention(score)
  const channels = CHANNELS.map((name) => [name, () => performChannel(name, tracks, total, convention)])
  return {
    channels: Object.fromEntries(channels) as Performance['channels'],
    totalSeconds: total,
    fadeSeconds: Math.min(fadeSeconds, total),
    loop: loop && toPerformanceLoop(loop),
  }
}

function toConvention({ mode, profile }: Score): Convention {
  if (mode === 'ppmck') return profile === 'house' ? 'housePpmck' : 'nativePpmck'
  return profile === 'house' ? 'housePyxel' : 'nativePyxel'
}

function toPerformedTrack(track: ScoreTrack, tempo: TempoMap, score: Score): PerformedTrack {
  const from = score.loopStart ?? track.loopStart
  const end = score.loopStart ? score.end : track.end
  if (from === null || compare(from, end) >= 0) return { track, tempo, loop: null }
  const startSeconds = tempo.secondsAt(from)
  return { track, tempo, loop: { from, startSeconds, lengthSeconds: subtract(tempo.secondsAt(end), startSeconds) } }
}

/** The looping track that ends last gives the loop of the song. */
function isLonger(track: PerformedTrack, best: PerformedTrack | null): boolean {
  if (track.loop === null) return false
  if (best === null || best.loop === null) return true
  return compare(loopEnd(track.loop), loopEnd(best.loop)) > 0
}

function loopEnd({ startSeconds, lengthSeconds }: NonNullable<PerformedTrack['loop']>): Fraction {
  return add(startSeconds, lengthSeconds)
}

function toPerformanceLoop(loop: NonNullable<PerformedTrack['loop']>): PerformanceLoop {
  return { startSeconds: toNumber(loop.startSeconds), endSeconds: toNumber(loopEnd(loop)) }
}

function* performChannel(
  name: ChannelName,
  tracks: readonly PerformedTrack[],
  total: number,
  convention: Convention,
): Generator<ControlChange> {
  const sources = tracks
    .map((track) => ({
      track,
      notes: track.track.items.filter((item): item is ScoreNote => item.kind === 'note' && item.channel === name),
    }))
    .filter(({ notes }) => notes.length > 0)
    .map(({ track, notes }) => performedNotes(track, notes, total))
  const type = CHANNEL_TYPES[name]
  let last: ControlChange | null = null
  let note: PerformedNote | null = null
  for (const next of mergeNotes(sources)) {
    if (note)
      last = yield* performNote(note, { name, type, convention, until: Math.min(total, next.startSeconds), last })
    note = next
  }
  if (note) yield* performNote(note, { name, type, convention, until: total, last })
}

/** The notes of one track in order, then the notes of its loop repeatedly up to `total` seconds. */
function* performedNotes(
  { tempo, loop }: PerformedTrack,
  notes: readonly ScoreNote[],
  total: number,
): Generator<PerformedNote> {
  for (const note of notes) yield toPerformedNote(note, tempo, ZERO)
  if (loop === null) return
  const looped = notes.filter(({ start }) => compare(start, loop.from) >= 0)
  for (let pass = 1; looped.length > 0; pass++) {
    const offset = scale(loop.lengthSeconds, pass, 1)
    if (toNumber(add(offset, loop.startSeconds)) >= total) return
    for (const note of looped) {
      const performed = toPerformedNote(note, tempo, offset)
      if (performed.startSeconds >= total) return
      yield performed
    }
  }
}

function toPerformedNote(note: ScoreNote, tempo: TempoMap, offset: Fraction): PerformedNote {
  return { note, tempo, offset, startSeconds: toNumber(add(offset, tempo.secondsAt(note.start))) }
}

/** Merges the notes of several tracks on one channel in order of time. */
function* mergeNotes(sources: readonly Generator<PerformedNote>[]): Generator<PerformedNote> {
  const heads = sources.map((source) => source.next().value as PerformedNote | undefined)
  for (;;) {
    let first = -1
    for (const [index, head] of heads.entries()) {
      if (head && (first < 0 || head.startSeconds < (heads[first]?.startSeconds ?? 0))) first = index
    }
    const head = heads[first]
    if (head === undefined) return
    yield head
    heads[first] = sources[first]?.next().value as PerformedNote | undefined
  }
}
