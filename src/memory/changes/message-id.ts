/**
 * Ids of messages: ULIDs that ascend strictly in the order of creation, whatever
 * the clock does. The time part of an id is the message's timestamp.
 */
import { decodeTime, incrementBase32, ulid } from 'ulid'

/** Characters of the time part; the rest is chance, or one more than the last. */
const TIME_CHARS = 10

/** The id that follows `last` ('' before the first) at `now`, in Unix ms. A clock that went back keeps the last time. */
export function nextId(last: string, now: number): string {
  if (last === '' || decodeTime(last) < now) return ulid(now)
  const chance = last.slice(TIME_CHARS)
  // The last of a millisecond's ids: the next millisecond begins early.
  if (/^Z+$/.test(chance)) return ulid(decodeTime(last) + 1)
  return last.slice(0, TIME_CHARS) + incrementBase32(chance)
}

/** Unix ms of an id. */
export function timeOf(id: string): number {
  return decodeTime(id)
}
