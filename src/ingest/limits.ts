/** Limits of reading GitHub, each with its unit and its reason. */

/** Items of one page of a list: GitHub gives no more. */
export const MAX_PAGE_ITEMS = 100

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
