/** Limits of arguments and answers, each with its unit and reason. */

/** UTF-16 units of a caller's name or value that a refusal repeats: bounds the answer. */
export const MAX_SHOWN_CHARS = 40

/** Items of a list that are validated one by one. No parameter accepts as many, and zod makes an issue of each wrong item. */
export const MAX_CHECKED_ITEMS = 1000

/** UTF-16 units of JSON above which `note_sequence` is omitted: bounds the answer of compose_mml. */
export const MAX_SEQUENCE_CHARS = 2_000_000
