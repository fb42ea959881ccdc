/** Tells the objects of parsed JSON from its lists, texts, numbers and null. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
