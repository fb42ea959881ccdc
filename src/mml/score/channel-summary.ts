/** One row for each channel, for readers who do not need every event. */
import { CHANNELS } from '../chip/channels.ts'
import type { ChannelName } from '../chip/channels.ts'
import type { Sequence } from './sequence.ts'

export interface ChannelSummary {
  readonly channel: ChannelName
  readonly note_count: number
  /** Lowest and highest octave; [4, 4] without notes. */
  readonly octave_range: readonly [number, number]
  readonly duration_ticks: number
}

export function toChannelSummary(sequence: Sequence): ChannelSummary[] {
  return CHANNELS.map((channel) => {
    const { events, total_ticks: duration_ticks } = sequence.channels[channel]
    let note_count = 0
    let lowest = Number.POSITIVE_INFINITY
    let highest = Number.NEGATIVE_INFINITY
    for (const event of events) {
      if (event.type !== 'note') continue
      const octave = Math.floor(event.note_number / 12) - 1
      note_count++
      lowest = Math.min(lowest, octave)
      highest = Math.max(highest, octave)
    }
    return { channel, note_count, octave_range: note_count === 0 ? [4, 4] : [lowest, highest], duration_ticks }
  })
}
