/** The kinds of examples, the same in both dialects. */
export const TEMPLATES = [
  'basic',
  'melody',
  'chord',
  'drum',
  'empty',
  'expressive_lead',
  'vibrato_lead',
  'pitch_motion',
] as const

export type TemplateName = (typeof TEMPLATES)[number]
