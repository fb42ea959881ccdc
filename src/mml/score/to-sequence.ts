/** Score to note sequence: plain events at whole ticks, rounded from their exact positions. */
import { round } from './fraction.ts'
import type { Fraction } from './fraction.ts'
import { centsOfUnits } from '../chip/pitch.ts'
import { toVelocity } from './score.ts'
import type { Score, ScoreItem, ScoreNote } from './score.ts'
import { CHANNEL_TYPES, CHANNELS } from '../chip/channels.ts'
import { TICKS_PER_QUARTER } from './timing.ts'
import type { ChannelName } from '../chip/channels.ts'
import type { Sequence, SequenceChannel, SequenceEvent } from './sequence.ts'
import { DEFAULT_TEMPO } from './timing.ts'

export function toSequence(score: Score): Sequence {
  const channels = CHANNELS.map((name, place) => [name, toChannel(score, name, place)])
  return {
    version: '2.0',
    bpm: openingBpm(score),
    ticks_per_quarter: TICKS_PER_QUARTER,
    mode: score.mode,
    definitions: score.definitions,
    channels: Object.fromEntries(channels) as Sequence['channels'],
  }
}

function openingBpm({ tracks }: Score): number {
  const opening = tracks.flatMap(({ tempos }) => tempos).filter(({ at }) => at.whole === 0 && at.numerator === 0)
  const { numerator, denominator } = opening.at(-1)?.tempo ?? DEFAULT_TEMPO
  return numerator / denominator
}

function toChannel(score: Score, name: ChannelName, place: number): SequenceChannel {
  const events: SequenceEvent[] = []
  for (const track of score.tracks) {
    if (track.place === 'sample') continue
    const isHome = track.place === place
    for (const item of track.items) {
      if (item.kind === 'note' ? item.channel === name : isHome) events.push(toEvent(item, score))
    }
    if (isHome && track.loopStart && score.profile === 'native') events.push(toLoop(track.loopStart, track.end))
  }
  if (score.loopStart) events.push(toLoop(score.loopStart, score.end))
  const ends = events.map((event) => event.tick_position + ('duration' in event ? event.duration : 0))
  return { channel_type: CHANNEL_TYPES[name], events, total_ticks: ends.reduce((a, b) => Math.max(a, b), 0) }
}

function toLoop(start: Fraction, end: Fraction): SequenceEvent {
  return toRepeat(start, end, 0)
}

function toRepeat(start: Fraction, end: Fraction, count: number): SequenceEvent {
  const [start_tick, end_tick] = [round(start), round(end)]
  return { type: 'repeat', tick_position: end_tick, duration: 0, start_tick, end_tick, repeat_count: count }
}

function toEvent(item: ScoreItem, score: Score): SequenceEvent {
  switch (item.kind) {
    case 'note':
      return toNote(item, score)
    case 'rest':
      return { type: 'rest', tick_position: round(item.start), duration: round(item.end) - round(item.start) }
    case 'repeat':
      return toRepeat(item.start, item.end, item.count)
    default: {
      const { type, ...rest } = item.body
      return { type, tick_position: round(item.at), ...rest } as SequenceEvent
    }
  }
}

function toNote(item: ScoreNote, { mode, profile }: Score): SequenceEvent {
  const { voice, channel, note, start, end } = item
  const isPpmckNoise = mode === 'ppmck' && channel === 'Noise'
  const detunesByUnits = mode === 'ppmck' && profile === 'native' && voice.detune !== 0
  const { numerator, denominator } = voice.gate
  return {
    type: 'note',
    tick_position: round(start),
    duration: round(end) - round(start),
    note_number: isPpmckNoise ? 0 : note,
    velocity: toVelocity(voice),
    duty: voice.duty,
    gate_time: item.joined ? 1 : numerator / denominator,
    detune_cents: detunesByUnits ? centsOfUnits(note, voice.detune, CHANNEL_TYPES[channel]) : voice.detune,
  }
}
