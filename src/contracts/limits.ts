/** Limits of the contracts: value, unit, and the cost each one bounds. */

/** UTF-16 units of a cursor's position: it is stored in one row per source and read with every status. */
export const MAX_POSITION_CHARS = 4_000

/** UTF-16 units of a cursor's source: it is part of a primary key. */
export const MAX_SOURCE_CHARS = 200
