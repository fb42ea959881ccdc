/**
 * Nouns whose singular and plural the stemmer does not unify: nouns that end in `s`
 * (`alias`, `status`), short ones in `-ie` (`ties`), and irregular plurals
 * (`indices`). Forms that are more often other words (`bases`, `leaves`) are
 * excluded.
 */

/** Singulars in `-us` need no list; these plurals end so too. */
const PLURALS_IN_US =
  /^(?:(?:sub)?menu|v?cpu|[adfgnt]pu|igpu|mcu|mmu|mtu|ecu|pdu|psu|sku|guru|haiku|emu|gnu|tofu|zulu|flu)s$/

/** Other singulars that end in one `s`, alone or at the end of a compound: `typealias`. */
const SINGULARS =
  /(?:alias|canvas)$|^(?:bias|atlas|gas|biogas|pancreas|christmas|lens|iris|axis|trellis|thermos|rhinoceros|asbestos|cosmos|thesis)$/

/** `analysis`, `parenthesis`: their plural ends in `-ses`, and so do forms of the verb. */
const IN_SIS = /^(?!(?:basis|chassis|thesis)$)[a-z]{2,}[^s]sis$/

/** The singular, then its irregular plurals. */
const IRREGULAR = `child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese
  knife knives|wife wives|half halves|shelf shelves|wolf wolves|loaf loaves|thief thieves|scarf scarves|calf calves
  hoof hooves|index indices|matrix matrices|vertex vertices|vortex vortices|appendix appendices|codex codices
  cortex cortices|helix helices|criterion criteria|phenomenon phenomena|schema schemata|corpus corpora
  addendum addenda|erratum errata|memorandum memoranda|curriculum curricula|bacterium bacteria|radius radii
  nucleus nuclei|stimulus stimuli|syllabus syllabi|cactus cacti|locus loci|focus foci|fungus fungi|alumnus alumni
  formula formulae|antenna antennae|vertebra vertebrae|axis axes|thesis theses|ox oxen|quiz quizzes`

const SINGULAR_OF: ReadonlyMap<string, string> = new Map(
  IRREGULAR.split(/[|\n]/).flatMap((family) => {
    const [singular = '', ...plurals] = family.trim().split(/\s+/)
    return plurals.map((plural): [string, string] => [plural, singular])
  }),
)

/**
 * A form of a folded English word that the stemmer maps to the term of its singular and
 * plural. The plural stands for a singular in `s`, of which the stemmer would take
 * the `s` away.
 */
export function toStemmed(word: string): string {
  const singular = SINGULAR_OF.get(word) ?? word
  if (/^[a-z]ie[sd]$/.test(singular)) return singular.slice(0, -1)
  if (!singular.endsWith('s') || singular.endsWith('ss')) return singular
  if (IN_SIS.test(singular)) return `${singular.slice(0, -2)}es`
  const isSingular = SINGULARS.test(singular) || (/[^o]us$/.test(singular) && !PLURALS_IN_US.test(singular))
  return isSingular ? `${singular}es` : singular
}
