/** Limits of requests to GitHub: value, unit and reason. Bytes are of the decoded body. */

/** Milliseconds of one attempt, its body included: GitHub itself ends a request after ten seconds. */
export const REQUEST_TIME_LIMIT_MS = 10_000

/** Bytes of an answer. A page of 100 issues of the longest kind has 27 million; a Worker has 128 million in all. */
export const MAX_ANSWER_BYTES = 33_554_432

/** Redirects of one request: a renamed repository has one, a transferred and renamed one two. */
export const MAX_REDIRECTS = 3

/** The part of an hour's limit that is left to other users of the same credential. */
export const RESERVED_SHARE = 0.1

/** Milliseconds of the first wait when GitHub says only that there is a limit; each repetition doubles it. */
export const MIN_BACKOFF_MS = 60_000

/** Milliseconds of the longest of these waits: GitHub's limits are renewed each hour. */
export const MAX_BACKOFF_MS = 3_600_000

/** Milliseconds of any wait: a wrong header must not stop reading for good. */
export const MAX_WAIT_MS = 86_400_000

/** Milliseconds before its end at which the token of an installation is renewed: it must last for a whole run. */
export const TOKEN_MARGIN_MS = 300_000

/** Milliseconds by which clocks may differ without being corrected: signed requests are dated back by a minute. */
export const MAX_CLOCK_DIFFERENCE_MS = 5_000

/** Characters of GitHub's own words in a reason. */
export const MAX_REASON_CHARS = 200

/** Characters of a refused answer in which a limit is looked for. */
export const MAX_REFUSAL_CHARS = 2_048
