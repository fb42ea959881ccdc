/** A passage of a body, put together from the segments it lies in. */
import type { SegmentRow } from '../index/documents/read-bodies.ts'

/** `start` and `chars` in UTF-16 units of the body; empty where the segments hold nothing of it. */
export function passageOf(
  segments: readonly SegmentRow[],
  { start, chars }: { readonly start: number; readonly chars: number },
): string {
  return segments
    .map((segment) =>
      segment.text.slice(Math.max(0, start - segment.start), Math.max(0, start + chars - segment.start)),
    )
    .join('')
}
