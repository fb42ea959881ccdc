/** Limits of reading GitHub, each with its unit and its reason. */

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
