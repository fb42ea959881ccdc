/**
 * Words whose stem has two letters: the stemmer maps `one` to `on`, `use` to `us`
 * and `IDE` to `id`, which are other words. They get the base of the word instead.
 * Only conversations use it.
 */
import { toTerm } from './stem.ts'

const SHORT_STEM = /^[a-z]{2}$/
const VOWEL_CONSONANT = /^[aeiou][^aeiou]$/
const CONSONANT_VOWEL = /^[^aeiou][aeiou]$/

/** Like `toTerm`, but `used` and `uses` become `use`, `adding` becomes `add`, and `his` stays. `ids` is still `id`. */
export function toDistinctTerm(word: string): string {
  const term = toTerm(word)
  if (word.length <= 2 || !SHORT_STEM.test(term)) return term
  if (word === `${term}s`) return CONSONANT_VOWEL.test(term) ? word : term
  if (!VOWEL_CONSONANT.test(term)) return term
  const doubled = term + term[1]!
  return word.startsWith(doubled) ? doubled : `${term}e`
}
