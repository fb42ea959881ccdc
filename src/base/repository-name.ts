/**
 * How a repository is named: `owner/name`, in letters, digits, `.`, `_` and `-`,
 * where neither part is `.` or `..`, which lead elsewhere in a path or an address.
 */

export const REPOSITORY_NAME = /^(?!\.{1,2}\/)[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/
