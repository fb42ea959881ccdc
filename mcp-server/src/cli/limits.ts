/** Limits of the commands: value, unit, and the cost each one bounds. */

/** Rebuild calls in a row without progress before the command gives up: a failing document would keep it calling. */
export const MAX_IDLE_CALLS = 3

/** Characters of one log line on the screen: the runtime logs whole stacks. */
export const MAX_SCREEN_LINE_CHARS = 300
