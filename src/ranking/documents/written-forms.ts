/**
 * Prefers the form of a word that the question has: a chunk that contains
 * `university` scores more for it than one that contains `universe`, whose stem is
 * the same. Terms that are no words of the question are not affected.
 */
import { formKey, formsKey, formsKeyOf, LARGEST_COUNT, termKey, unpackCounts } from '../../fts/packed-terms.ts'

/** The score of a term in other forms than the question's, relative to that form; a question of one word names its form. */
const STEM_FACTOR = 0.85
const STEM_FACTOR_OF_ONE_WORD = 0.6

/** The words of a question. */
export interface FormWeights {
  /** For the key of each term that is a word: the key of its form, undefined where that is the term. */
  readonly forms: ReadonlyMap<number, number | undefined>
  /** `formsKey` of each of these terms. */
  readonly families: ReadonlySet<number>
  readonly stemFactor: number
}

export function formWeights(terms: readonly { readonly term: string; readonly word?: string }[]): FormWeights {
  const forms = new Map<number, number | undefined>()
  for (const { term, word } of terms) {
    if (word === undefined) continue
    const key = termKey(term)
    forms.set(key, word === term ? undefined : formKey(key, word))
  }
  const families = new Set([...forms.keys()].map(formsKey))
  return { forms, families, stemFactor: forms.size === 1 ? STEM_FACTOR_OF_ONE_WORD : STEM_FACTOR }
}

/** The factor of a term, by its key and its count in a chunk, whose packed forms these are. */
export function formFactors(
  packed: string,
  { forms, families, stemFactor }: FormWeights,
): (key: number, count: number) => number {
  const found = new Set<number>()
  const counts = new Map<number, number>()
  unpackCounts(packed, (key, count) => {
    const family = formsKeyOf(key)
    if (!families.has(family)) return
    found.add(key)
    counts.set(family, (counts.get(family) ?? 0) + count)
  })
  return (key, count) => {
    if (!forms.has(key)) return 1
    const form = forms.get(key)
    // A count of the term beyond that of its forms is the term itself.
    const isWritten =
      form === undefined ? count >= LARGEST_COUNT || count > (counts.get(formsKey(key)) ?? 0) : found.has(form)
    return isWritten ? 1 : stemFactor
  }
}
