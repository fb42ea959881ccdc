/** The shapes of parsed JSON: which values are objects, and how deep they are nested. */

/** An object, not a list or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value)
}

/** Walks level by level, so that a deep value costs no stack; stops at the first level beyond `levels`. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true
    level = level.flatMap((container) => Object.values(container).filter(isContainer))
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
