/**
 * Two foldings that unify spellings. `normalise` works on a whole text and keeps
 * letter case, which identifiers need; `fold` then removes case and accents of one
 * word. Both are fast for plain ASCII.
 */

const BEYOND_ASCII = /[^\0-\x7f]/

/** Invisible characters: controls of direction and joining, soft hyphens, variation selectors. */
const UNSEEN =
  /[\0\u00AD\u034F\u061C\u180B-\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\u{E0100}-\u{E01EF}]/gu

/** Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs. Never the marks of kana or Indic scripts. */
const ACCENTS = /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670]/gu

/** Kana, Chinese characters and Hangul need no folding. */
const WITHOUT_ACCENTS = /^[\u3041-\u3096\u30A1-\u30FF\u3400-\u9FFF\uAC00-\uD7A3]+$/

/** Letters that Unicode does not decompose. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
  ـ: '',
}

const LOOKALIKE = /[ßæœøđðħıłþςـ]/gu

/** Folds compatibility forms (NFKC) and removes invisible characters. Case stays. */
export function normalise(text: string): string {
  return BEYOND_ASCII.test(text) ? text.toWellFormed().replace(UNSEEN, '').normalize('NFKC') : text
}

/** Folds case and accents of normalised text. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (!BEYOND_ASCII.test(lower) || WITHOUT_ACCENTS.test(lower)) return lower
  const bare = lower.normalize('NFD').replace(ACCENTS, '').normalize('NFC')
  return bare.replace(LOOKALIKE, (letter) => LOOKALIKES[letter] ?? letter)
}
