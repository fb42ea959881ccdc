/**
 * The example texts: eight kinds in each dialect, the same tune for each kind. An
 * unknown mode gives ppmck, an unknown name gives basic.
 */
import { TEMPLATES, type TemplateName } from './template-kinds.ts'
import { PPMCK_TEMPLATES } from './ppmck-templates.ts'
import { PYXEL_TEMPLATES } from './pyxel-templates.ts'

interface Template {
  readonly mml: string
  /** One sentence. */
  readonly description: string
}

export function readTemplate(mode: string, name: string): Template {
  const templates = mode === 'pyxel' ? PYXEL_TEMPLATES : PPMCK_TEMPLATES
  const known = TEMPLATES.find((each) => each === name) ?? 'basic'
  return { mml: templates[known], description: DESCRIPTIONS[known] }
}

const DESCRIPTIONS: Readonly<Record<TemplateName, string>> = {
  basic: 'A whole little song: melody, broken chords, bass and drums.',
  melody: 'A tune on the first pulse, with only a few long notes under it.',
  chord: 'Chords in rhythm on both pulses over the roots on the triangle.',
  drum: 'A drum pattern on the noise in front, with a bass line and two short riffs.',
  empty: 'Four tracks with one bar of rest each, to write into.',
  expressive_lead: 'A lead whose loudness and tone colour move within each note.',
  vibrato_lead: 'A lead with delayed vibrato, notes that are bent into pitch, and a second voice slightly out of tune.',
  pitch_motion: 'Pitch in motion: arpeggios or glides within a note, and notes that swoop.',
}
