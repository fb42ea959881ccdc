/**
 * English words that say nothing about what is looked for. They leave a
 * question (unless nothing else is left), never the index: quoted phrases need
 * them. Folded and not stemmed. Words that change
 * what is meant (`not`, `no`, `all`) stay, and those of other languages are
 * judged by their frequency alone.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about an and are as at be been but by can could did do does for from had has have how i if in into is it its
  me my of on or our shall should so than that the their them then there these they this those to was we were what
  when where which who why will with would you your s t re ve ll d m don`.split(/\s+/),
)
