/**
 * Words whose stem has two letters: the stemmer maps `one` to `on`, `use` to `us`
 * and `IDE` to `id`, which are other words. They get the base of the word instead.
 */
const SHORT_STEM = /^[a-z]{2}$/
const VOWEL_CONSONANT = /^[aeiou][^aeiou]$/
const CONSONANT_VOWEL = /^[^aeiou][aeiou]$/

/** The term of a word with this stem: `used` and `uses` become `use`, `adding` becomes `add`, and `his` stays. `ids` is still `id`. */
export function distinctTerm(word: string, stem: string): string {
  if (word.length <= 2 || !SHORT_STEM.test(stem)) return stem
  if (word === `${stem}s`) return CONSONANT_VOWEL.test(stem) ? word : stem
  if (!VOWEL_CONSONANT.test(stem)) return stem
  const doubled = stem + stem[1]!
  return word.startsWith(doubled) ? doubled : `${stem}e`
}
