/** Limits of reading git: value, unit, and the cost each one bounds. */

/** UTF-8 bytes of a document's text or a patch. A longer one is cut and marked as cut; the index stores no more. */
export const MAX_TEXT_BYTES = 1_048_576

/** UTF-8 bytes of a line with a commit's id and subject. Readers show less of it; many are held at once. */
export const MAX_SUBJECT_BYTES = 2_048

/** Literal paths on one command line, which the system limits. With more, git lists every document's path. */
export const MAX_LITERAL_PATHS = 100

/** Characters kept of what git writes to stderr: enough to recognise the failure. */
export const MAX_STDERR_CHARS = 8_000

/**
 * Milliseconds that a git process may run without output before it is ended. Git
 * prints nothing while it walks a long history for a few paths; this is longer
 * than any history takes.
 */
export const MAX_IDLE_MS = 10 * 60_000

/** Milliseconds that a git process may run in all for an answer of a few lines: a hanging file system must not block a command. */
export const MAX_SHORT_QUERY_MS = 10_000

/** Characters of a line in a `.gitattributes` file; git ignores longer ones too. Bounds the time of a match. */
export const MAX_ATTRIBUTE_LINE_CHARS = 2_048

/** Lines of all `.gitattributes` files of a tree; later ones are ignored. Each is tried on every changed path. */
export const MAX_ATTRIBUTE_RULES = 10_000

/** Names of excluded files that a summary counts, for each kind: they are kept in memory. */
export const MAX_EXCLUDED_NAMES = 10_000
