/** Limits of document fields and of the rules of paths, each with its unit and its reason. */

/** UTF-16 units of a one-line text such as a title, a name or a path. A longer one is refused; the D1 row stays under 2,000,000 bytes. */
export const MAX_NAME_CHARS = 4_096

/** UTF-16 units of a long text beside the body, such as a commit message. A longer one is cut; it shares the document's D1 row. */
export const MAX_LONG_TEXT_CHARS = 65_536

/** UTF-16 units of `owner/name`: GitHub allows 39 and 100. A longer one is refused. */
export const MAX_REPOSITORY_CHARS = 140

/** UTF-16 units of the status of a changed file; the longest in use has 8. */
export const MAX_STATUS_CHARS = 32

/** Files that a commit lists. A longer list is refused; GitHub lists as many. */
export const MAX_FILES = 3_000

/** SHAs in a list such as the commits of a release. A longer list is refused; each is a row. */
export const MAX_SHAS = 100_000

/** Names in a list such as labels. A longer list is refused; each name is a row. */
export const MAX_NAMES = 500

/** Characters of a line in a `.gitattributes` file; git ignores longer ones too. Bounds the time of a match. */
export const MAX_ATTRIBUTE_LINE_CHARS = 2_048

/** Lines of all `.gitattributes` files of a tree; later ones are ignored. Each is tried on every changed path. */
export const MAX_ATTRIBUTE_RULES = 10_000
