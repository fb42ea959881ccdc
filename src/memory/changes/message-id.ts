/**
 * Ids of messages: ULIDs that increase strictly in order of creation, also when
 * the clock goes back. The time part of an id is the message's timestamp.
 */
import { decodeTime, incrementBase32, ulid } from 'ulid'

/** Characters of the time part. The rest is random, or the rest of the last id plus one. */
const TIME_CHARS = 10

/** The id after `last`, which is '' before the first. `now` in Unix ms; if it is before the time of `last`, that time is kept. */
export function nextId(last: string, now: number): string {
  if (last === '' || decodeTime(last) < now) return ulid(now)
  const random = last.slice(TIME_CHARS)
  // This millisecond has no further id: use the next millisecond early.
  if (/^Z+$/.test(random)) return ulid(decodeTime(last) + 1)
  return last.slice(0, TIME_CHARS) + incrementBase32(random)
}

/** The time part of an id, in Unix ms. */
export function timeOf(id: string): number {
  return decodeTime(id)
}
