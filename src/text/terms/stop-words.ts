/**
 * English stop words, folded and not stemmed. They are removed from a question
 * (unless it has nothing else) but not from the index, because quoted phrases need
 * them. Words that change the meaning (`not`, `no`, `all`) are kept. Words of other
 * languages are weighted by their frequency alone.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about an and are as at be been but by can could did do does for from had has have how i if in into is it its
  me my of on or our shall should so than that the their them then there these they this those to was we were what
  when where which who why will with would you your s t re ve ll d m don`.split(/\s+/),
)
