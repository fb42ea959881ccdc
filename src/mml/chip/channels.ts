/** The four channels of the sound chip and the kind of each. */

/** In the order of every list of channels. The place of a track is an index into it. */
export const CHANNELS = ['Pulse1', 'Pulse2', 'Triangle', 'Noise'] as const
export type ChannelName = (typeof CHANNELS)[number]
export type ChannelType = 'pulse' | 'triangle' | 'noise'

export const CHANNEL_TYPES: Readonly<Record<ChannelName, ChannelType>> = {
  Pulse1: 'pulse',
  Pulse2: 'pulse',
  Triangle: 'triangle',
  Noise: 'noise',
}
