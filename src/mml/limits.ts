/**
 * Limits of the MML compiler and synthesizer, each with its unit and reason. All
 * are checked before the work or the allocation that they bound.
 */

/** UTF-8 bytes of MML text. A long four-channel song is below 20 KiB. */
export const MAX_INPUT_BYTES = 256 * 1024

/** Events of one track after unrolling its repeats: bounds the memory of the score. */
export const MAX_TRACK_EVENTS = 100_000

/** Statements one track executes while unrolling, events or not: bounds the time of `[<>]1000000000`. */
export const MAX_TRACK_STEPS = 1_000_000

/** Numbers saturate here: 5,000 digits are read as a very large number. */
export const MAX_NUMBER = 2 ** 31

/** Dots after a length that count; the 31st would add less than a billionth of the note, and 2^dots must stay exact. */
export const MAX_DOTS = 30

/** Entries of each list of diagnostics; one more entry says how many were omitted. Bounds the answer. */
export const MAX_DIAGNOSTICS = 100

/** Errors after which reading stops: bounds the memory of a text of 256 KiB of errors. */
export const MAX_FAULTS = 1000

/** Code points of a source line shown with a diagnostic: bounds the answer for a text on one line. */
export const MAX_CONTEXT_CHARS = 200

/** Code points of source text quoted inside a message. */
export const MAX_QUOTE_CHARS = 24

/** Seconds between two updates of a modulation that counts in ticks: faster ones are inaudible and cost CPU. */
export const MIN_STEP_SECONDS = 0.001

/** Samples of one file: 90 seconds at 44,100 Hz. The file and its base64 text then fit into the memory of an isolate. */
export const MAX_SAMPLES = 4_000_000

/**
 * Hz: sample rates of a file that the tool accepts. Bound the work of one second of sound; a
 * song that is too long at the lowest rate is refused.
 */
export const MIN_SAMPLE_RATE = 8_000
export const MAX_SAMPLE_RATE = 96_000
