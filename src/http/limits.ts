/** Limits of HTTP requests, in bytes unless another unit is named, with the cost that each bounds. A Worker has 128 MiB of memory. */

/** A body on a path that needs none or little; larger ones are of no use there. */
export const MAX_SMALL_BODY_BYTES = 64 * 1024

/** One MCP message. It is parsed whole; the largest argument, a message of a conversation, takes 1 MiB at most. */
export const MAX_MCP_BODY_BYTES = 8 * 1024 * 1024

/** One page of an import, which is parsed whole and written in one transaction. */
export const MAX_IMPORT_BODY_BYTES = 16 * 1024 * 1024

/** One delivery of a webhook: GitHub caps payloads at 25 MB and sends nothing for larger events. */
export const MAX_WEBHOOK_BODY_BYTES = 25 * 1024 * 1024

/** Bytes of a refused body that are read and dropped before the connection is given up; bounds endless bodies. */
export const MAX_DRAINED_BODY_BYTES = 32 * 1024 * 1024

/** Milliseconds after which a call that drops a repository begins no further part: its caller repeats it and sees how far it is. */
export const DROP_CALL_MS = 10_000
