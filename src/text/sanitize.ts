/**
 * Cleans text before it is hashed and stored: removes invisible characters that
 * only mislead (NUL, direction controls, zero-width and tag characters) and
 * replaces lone surrogates by U+FFFD. Characters that scripts and emoji need stay:
 * joiners between letters or inside an emoji sequence, variation selectors, flags.
 * Idempotent; time is linear.
 */

/** A subdivision flag: black flag, the code in tag letters (`gbeng`, `usca`), the closing tag. */
const SUBDIVISION_FLAG = '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}'

const LETTER_JOINER = '(?<=[\\p{L}\\p{M}])[\\u200C\\u200D](?=[\\p{L}\\p{M}])'

const EMOJI_JOINER =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F\\u20E3\\u{E007F}])\\u200D(?=\\p{Extended_Pictographic})'

/** NUL, soft direction marks, embeddings, isolates, zero-width characters and invisible operators. */
const HIDDEN =
  '\\0\\u061C\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2064\\u2066-\\u206F\\uFEFF\\u{E0000}-\\u{E007F}'

const ANY_HIDDEN = new RegExp(`[${HIDDEN}]`, 'u')

/** Adjacent hidden characters are removed, except in a flag, which is matched first. */
const KEPT_OR_HIDDEN = new RegExp(
  `(${SUBDIVISION_FLAG})|[${HIDDEN}]{2,}|(${LETTER_JOINER}|${EMOJI_JOINER})|[${HIDDEN}]`,
  'gu',
)

export function sanitize(text: string): string {
  const wellFormed = text.toWellFormed()
  if (!ANY_HIDDEN.test(wellFormed)) return wellFormed
  return wellFormed.replace(KEPT_OR_HIDDEN, (_, flag?: string, joiner?: string) => flag ?? joiner ?? '')
}
