/** Recognizes the objects of parsed JSON: not its lists, texts, numbers or null. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
