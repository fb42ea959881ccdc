/**
 * Every bound of the music room on one page: what it is counted in, and why
 * it is there. All are checked before anything is built that they bound.
 */

/** Bytes of MML text. A long four-channel song is below 20 KiB. */
export const MAX_INPUT_BYTES = 256 * 1024

/** Events one track may have once its repeats are played out. */
export const MAX_TRACK_EVENTS = 100_000

/** Statements one track may execute, events or not, so that `[<>]1000000000` ends too. */
export const MAX_TRACK_STEPS = 1_000_000

/** Numbers are read up to here and stay here: 5,000 digits are just a very large number. */
export const MAX_NUMBER = 2 ** 31

/** Dots after a length that still count; the 31st would add less than a billionth of the note. */
export const MAX_DOTS = 30

/** Diagnostics in each list; one more entry says how many were left out. */
export const MAX_DIAGNOSTICS = 100

/** Errors after which reading stops; the listed ones are the first of these by place. */
export const MAX_FINDINGS = 1000

/** Code points of a source line shown with a diagnostic. */
export const MAX_CONTEXT_CHARS = 200

/** Code points of a piece of the source quoted inside a message. */
export const MAX_QUOTE_CHARS = 24

/** Seconds between two looks at a tick-driven modulation, at least: faster is not heard, only paid for. */
export const MIN_STEP_SECONDS = 0.001
