/** Limits of MCP messages, with the cost that each bounds. */

/** Levels of nested objects and lists in one message. Calls need about 10; deeper ones cost stack in every parser. */
export const MAX_MESSAGE_DEPTH = 64
