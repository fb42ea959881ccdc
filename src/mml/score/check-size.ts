/**
 * The size of a track after unrolling, computed without unrolling:
 * `[c]1000000000` is refused in constant time.
 */
import type { Statement, Track } from '../language/ast.ts'
import type { Diagnostics } from '../language/diagnostic.ts'
import { MAX_TRACK_EVENTS, MAX_TRACK_STEPS } from '../limits.ts'

interface TrackSize {
  events: number
  steps: number
}

/** An endless repeat (no count, or 0) is unrolled twice. */
const ENDLESS_PASSES = 2

/** Beyond both limits, and small enough for an exact product with any count. */
const SATURATED = 2 ** 20

/** Passes of a repeat; at least one, so that a faulty count still unrolls. */
export function passesOf(count: number | null): number {
  return count === null || count === 0 ? ENDLESS_PASSES : count
}

/** True when the track is within both limits; reports the first repeat that exceeds one. */
export function checkSize(track: Track, diagnostics: Diagnostics): boolean {
  let size: TrackSize = { events: 0, steps: 0 }
  const outer: { before: TrackSize; atBreak: TrackSize | null }[] = []
  let lastClose: Statement | undefined
  for (const statement of track.body) {
    if (statement.kind === 'open') {
      outer.push({ before: size, atBreak: null })
      size = { events: 0, steps: 0 }
    } else if (statement.kind === 'break') {
      const frame = outer.at(-1)
      if (frame) frame.atBreak = { ...size }
    } else if (statement.kind === 'close') {
      const frame = outer.pop()
      const inside = repeatedSize(size, frame?.atBreak ?? size, passesOf(statement.count))
      if (isTooLarge(inside)) return reportSize(statement, track, inside, diagnostics)
      size = addSizes(frame?.before ?? inside, inside)
      lastClose = statement
    } else {
      size.steps++
      if (isEvent(statement)) size.events++
    }
  }
  if (!isTooLarge(size)) return true
  return reportSize(lastClose ?? track.body.at(-1), track, size, diagnostics)
}

function isEvent(statement: Statement): boolean {
  if (statement.kind === 'command' || statement.kind === 'timed') return statement.command.event
  return statement.kind === 'note' || statement.kind === 'rest' || statement.kind === 'define'
}

function repeatedSize(body: TrackSize, first: TrackSize, passes: number): TrackSize {
  const times = (all: number, last: number) => Math.min(all * (passes - 1) + last + 1, SATURATED)
  return { events: times(body.events, first.events), steps: times(body.steps, first.steps) }
}

function addSizes(a: TrackSize, b: TrackSize): TrackSize {
  return { events: a.events + b.events, steps: a.steps + b.steps }
}

function isTooLarge({ events, steps }: TrackSize): boolean {
  return events > MAX_TRACK_EVENTS || steps > MAX_TRACK_STEPS
}

function reportSize(statement: Statement | undefined, track: Track, size: TrackSize, diagnostics: Diagnostics): false {
  const limit = size.events > MAX_TRACK_EVENTS ? `${MAX_TRACK_EVENTS} events` : `${MAX_TRACK_STEPS} steps`
  const message = `Track ${track.name} grows beyond ${limit} here.`
  const hint = 'Repeat less often, or mark a loop point and let the song be looped.'
  diagnostics.error('SEMANTIC_VALUE_OUT_OF_RANGE', statement?.at ?? track.at, message, hint)
  return false
}
