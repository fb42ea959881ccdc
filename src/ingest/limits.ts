/** Limits of the runs that read GitHub, each with its unit and its reason. */

/** Milliseconds after which a run begins no further step: an HTTP client waits that long, and the clock starts a run each minute. */
export const RUN_MS = 25_000

/** Milliseconds that a lease lasts without renewal: a killed run keeps others waiting no longer. */
export const LEASE_MS = 25_000

/** Milliseconds between renewals of a lease, at least: each is a write. */
export const RENEWAL_MS = 6_000

/** Requests that the first step of a run may make beyond the run's own limit: a run always finishes one step. */
export const FIRST_STEP_REQUESTS = 60

/** UTF-8 bytes of one page: it is written in one transaction, and D1 limits the statements of one by time and memory. */
export const MAX_PAGE_BYTES = 1_500_000

/** Documents of one page, for the same reason. */
export const MAX_PAGE_DOCUMENTS = 500

/** Milliseconds until a failed surface or pending read is tried again by the clock; doubled with each failure in a row. */
export const FIRST_BACKOFF_MS = 30_000

/** The longest such time: a cause that was repaired is noticed within an hour. */
export const MAX_READ_BACKOFF_MS = 3_600_000

/** Milliseconds between two laps of the clock: a deletion that no delivery reported is noticed within a day. */
export const LAP_INTERVAL_MS = 86_400_000

/** Milliseconds that a maintenance run waits for another run that reads GitHub before it leaves the pending reads to the next. */
export const MAX_LEASE_WAIT_MS = 5_000

/** Milliseconds for the one request that a delivery may need: GitHub gives up on a delivery after ten seconds. */
export const MAX_DELIVERY_REQUEST_MS = 4_000

/** Milliseconds that a delivery spends on removing the rows of a deleted repository. */
export const MAX_DROP_MS = 6_000

/** Pending reads that one maintenance run takes: each is one request or more. */
export const MAX_PENDING_READS = 200

// Surfaces: src/ingest/surfaces.

/** Items of one page of a list: GitHub gives no more. */
export const MAX_PAGE_ITEMS = 100

/** Milliseconds before the last update that a poll reads again: GitHub's lists lag by seconds. */
export const OVERLAP_MS = 60_000

/** Items of the smallest page that is asked for inside one second: smaller ones overlap more than they gain. */
export const MIN_WINDOW_ITEMS = 50

/** Rows that a step of a lap compares at once: they and their keys are in memory. */
export const MAX_COMPARED_ROWS = 1_000

/** Rows that a lap remembers as not seen yet, in its position of about 10 kB; beyond it they are read one by one. */
export const MAX_UNSEEN_ROWS = 1_000

/**
 * Rows beyond the end of a list that a lap reads one by one. More of them mean that
 * the list ended early: then it is asked for again from the first of them.
 */
export const MAX_ROWS_PAST_END = 5

/** Pull requests of one GraphQL query: with 100 reviews each it stays under GitHub's bound of nodes and of time. */
export const MAX_REVIEW_BATCH = 20

/** Pages of releases that a poll reads after the first fill: older releases change rarely, and a lap reads them all. */
export const MAX_RELEASE_PAGES = 3

/** Bytes of a file that is read at all: the answer is a third longer, and all of it is in memory. A longer file has a document without text. */
export const MAX_FILE_BYTES = 8 * 1_048_576

/** Bytes of a file that GraphQL gives whole; it cuts longer ones. */
export const MAX_GRAPHQL_FILE_BYTES = 400_000

/** Bytes of the files that one step reads: their documents are one transaction. */
export const MAX_STEP_BYTES = 1_000_000

/** Files of a tree in a position, about 30 kB. With more the tree is listed again. */
export const MAX_LISTED_FILES = 200

/** Blobs without text in a position, so that they are not read again at each commit. */
export const MAX_SKIPPED_BLOBS = 500

/** Characters of all attribute files in a position; later ones are ignored. */
export const MAX_ATTRIBUTE_CHARS = 64_000

/** Attribute files of a tree that are read; later ones are ignored. */
export const MAX_ATTRIBUTE_FILES = 30

/** Pages of a wiki in a position. With more the list is read again. */
export const MAX_LISTED_PAGES = 500

/** Commits in a position, each a SHA. */
export const MAX_LISTED_COMMITS = 200
