/** The example texts: valid, without warnings, of equal length, each with what its kind is to show, and none silent. */
import { expect, test } from 'vitest'
import { composeMml } from '../../../src/mml/compose.ts'
import { CHANNELS, type ChannelName } from '../../../src/mml/chip/channels.ts'
import type { Dialect } from '../../../src/mml/language/dialect.ts'
import type { Sequence } from '../../../src/mml/score/sequence.ts'
import { readTemplate } from '../../../src/mml/templates/index.ts'
import { TEMPLATES, type TemplateName } from '../../../src/mml/templates/template-kinds.ts'
import { samplesOf } from '../support/tone.ts'

const MODES: readonly Dialect[] = ['ppmck', 'pyxel']
const ALL = MODES.flatMap((mode) => TEMPLATES.map((name) => [mode, name] as const))

function analysed(mode: Dialect, name: TemplateName) {
  const analysis = composeMml(readTemplate(mode, name).mml, { mode })
  if (analysis.sequence === null || analysis.performance === null) throw new Error(JSON.stringify(analysis.errors))
  return { ...analysis, sequence: analysis.sequence, performance: analysis.performance }
}

const eventTypes = ({ channels }: Sequence) =>
  new Set(Object.values(channels).flatMap(({ events }) => events.map(({ type }) => type)))

test.each(ALL)('The %s template %s is valid without a warning, and its tracks end together', (mode, name) => {
  const { warnings, sequence, channelSummary } = analysed(mode, name)
  expect(warnings).toEqual([])
  expect(Object.keys(sequence.channels)).toEqual([...CHANNELS])
  const [{ duration_ticks: length } = { duration_ticks: 0 }] = channelSummary
  expect(length % 768).toBe(0)
  expect(channelSummary.map(({ duration_ticks }) => duration_ticks)).toEqual([length, length, length, length])
})

test.each(ALL)('The %s template %s is described in one sentence and looks like its dialect', (mode, name) => {
  const { mml, description } = readTemplate(mode, name)
  expect(description).toMatch(/^[A-Z][^.]+\.$/)
  if (mode === 'ppmck') expect(mml).toMatch(/^#TITLE "[^"]+"$/m)
  else for (const track of ['0:', '1:', '2:', '3:']) expect(mml).toContain(track)
})

const PLAYING: Readonly<Record<TemplateName, readonly ChannelName[]>> = {
  basic: CHANNELS,
  melody: ['Pulse1', 'Pulse2', 'Triangle'],
  chord: ['Pulse1', 'Pulse2', 'Triangle'],
  drum: CHANNELS,
  empty: [],
  expressive_lead: ['Pulse1', 'Pulse2', 'Triangle'],
  vibrato_lead: ['Pulse1', 'Pulse2', 'Triangle'],
  pitch_motion: ['Pulse1', 'Pulse2', 'Triangle'],
}

test.each(ALL)('The %s template %s plays on the channels of its kind', (mode, name) => {
  const { channelSummary } = analysed(mode, name)
  const playing = channelSummary.filter(({ note_count }) => note_count > 0).map(({ channel }) => channel)
  expect(playing).toEqual([...PLAYING[name]])
})

test.each([
  ['ppmck', 'expressive_lead', ['vol_envelope', 'duty_envelope', 'rel_volume']],
  ['ppmck', 'vibrato_lead', ['lfo', 'pitch_envelope', 'detune']],
  ['ppmck', 'pitch_motion', ['note_envelope', 'sweep']],
  ['pyxel', 'expressive_lead', ['envelope']],
  ['pyxel', 'vibrato_lead', ['vibrato']],
  ['pyxel', 'pitch_motion', ['glide']],
] as const)('The %s template %s has events of the types %j.', (mode, name, types) => {
  expect([...eventTypes(analysed(mode, name).sequence)]).toEqual(expect.arrayContaining([...types]))
})

test('The second voice of the pyxel vibrato is detuned by some cents.', () => {
  const notes = analysed('pyxel', 'vibrato_lead').sequence.channels.Pulse2.events
  expect(notes.some((event) => event.type === 'note' && event.detune_cents !== 0)).toBe(true)
})

test('In the drum template the noise has the most notes.', () => {
  for (const mode of MODES) {
    const counts = analysed(mode, 'drum').channelSummary.map(({ note_count }) => note_count)
    expect(Math.max(...counts)).toBe(counts[3])
  }
})

test('A template is the same tune in both dialects, equally long and with the same first notes.', () => {
  for (const name of TEMPLATES) {
    const [ppmck, pyxel] = [analysed('ppmck', name), analysed('pyxel', name)]
    expect(ppmck.performance.totalSeconds).toBeCloseTo(pyxel.performance.totalSeconds, 6)
    const heads = [ppmck, pyxel].map(({ sequence }) =>
      sequence.channels.Pulse1.events
        .flatMap((event) => (event.type === 'note' ? [event.note_number] : []))
        .slice(0, 1),
    )
    expect(heads[0]).toEqual(heads[1])
  }
})

test.each(ALL.filter(([, name]) => name !== 'empty'))(
  'The %s template %s can be heard from start to end',
  async (mode, name) => {
    const samples = await samplesOf(analysed(mode, name).performance, { sampleRate: 8_000 })
    for (let from = 0; from + 8_000 <= samples.length; from += 8_000) {
      const second = samples.subarray(from, from + 8_000)
      const loudness = Math.sqrt(second.reduce((sum, sample) => sum + sample * sample, 0) / 8_000)
      expect(loudness, `second ${from / 8_000}`).toBeGreaterThan(0.02)
    }
  },
)

test('Unknown names give the first template.', () => {
  const basic = readTemplate('ppmck', 'basic')
  for (const name of ['', 'BASIC', '__proto__', 'constructor', 'toString']) {
    expect(readTemplate(name, name)).toEqual(basic)
    expect(readTemplate('pyxel', name)).toEqual(readTemplate('pyxel', 'basic'))
  }
})
