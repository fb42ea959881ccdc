/** Counts in text, for the rules that choose an encoding. */

export function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
