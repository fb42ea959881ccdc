/** Limits of the import: value, unit, and the cost each one bounds. */

/** Bytes of one line of a documents file. With its newline it is the largest page the server takes (16 MiB). */
export const MAX_LINE_BYTES = 16 * 1024 * 1024 - 1

/** Lines of one import that the server may refuse. More are a disagreement about the page schema, not odd documents. */
export const MAX_REFUSED_LINES = 100

/** Files of a folder without history. A folder with more is hardly a project, and every file is examined. */
export const MAX_FOLDER_FILES = 20_000

/** Characters of a position. The server takes 4,000; the rest is a reserve. */
export const MAX_POSITION_CHARS = 3_900

/** Characters of the packed tag names in a position, so that the rest of a position fits. */
export const MAX_NAMES_CHARS = 1_200

/** Characters of a document's key in a position. A longer key is not recorded: the next run resumes at the key before. */
export const MAX_KEY_CHARS = 500

/** Unfinished states of a tree in a position. With more the state of the index counts as unknown. */
export const MAX_BASES = 6

/** Tips in a position. History that only a forgotten tip reaches is read again when HEAD returns to it. */
export const MAX_TIPS = 8

/** Ranges of unread commits in a position. With more everything is read again from HEAD. */
export const MAX_RANGES = 6

/** Parents of lost commits that become tips: they are arguments of one git command. */
export const MAX_REMAINS = 50

/** Subjects in the text of a release without notes. It is read in an answer; the rest is counted in its last line. */
export const MAX_NOTED_COMMITS = 100

/** Characters of a subject in such a text. Git takes the whole first paragraph for the subject. */
export const MAX_SUBJECT_CHARS = 200
