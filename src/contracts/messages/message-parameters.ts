/**
 * What the conversation tools accept in more than one place: text measured in
 * bytes of UTF-8, ids, session names and points in time. Text that is not
 * well-formed Unicode is refused, because it could not come back as it was.
 */
import * as z from 'zod'
import { parseTime } from '../../base/time.ts'
import { utf8Bytes } from '../../base/utf8.ts'
import { ACCEPTED } from '../arguments.ts'
import { openWholeParameter } from '../schema-parts.ts'

export const MIB = 1_048_576

/** Largest whole number of a parameter that is not a time. */
export const MAX_WHOLE = 2 ** 31 - 1

export interface TextLimits {
  readonly minBytes: 0 | 1
  readonly maxBytes: number
  /** U+0000 is refused in names, which are compared and listed; running text keeps it. */
  readonly isName?: true
}

export const SESSION_ID = { minBytes: 1, maxBytes: 256, isName: true } as const satisfies TextLimits
export const CONTENT = { minBytes: 1, maxBytes: MIB } as const satisfies TextLimits

/** Text kept byte by byte: nothing is trimmed or normalised. */
export function byteText(limits: TextLimits) {
  const { minBytes, maxBytes } = limits
  const accepted = `a text of ${minBytes === 0 ? 'at most' : '1 to'} ${maxBytes} bytes`
  return z
    .string()
    .superRefine((text, context) => {
      const problem = findProblem(text, limits, accepted)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    })
    .register(ACCEPTED, { accepted })
    .meta({ ...(minBytes > 0 && { minLength: minBytes }), maxLength: maxBytes })
}

function findProblem(text: string, { minBytes, maxBytes, isName }: TextLimits, accepted: string): string | undefined {
  if (!text.isWellFormed()) return 'accepted is well-formed Unicode, without half a surrogate pair'
  if (isName && text.includes('\0')) return 'accepted is a text without U+0000'
  // A UTF-16 unit takes one to three bytes, so most texts need no counting.
  if (text.length >= minBytes && text.length * 3 <= maxBytes) return undefined
  const bytes = utf8Bytes(text)
  if (bytes >= minBytes && bytes <= maxBytes) return undefined
  return `accepted is ${accepted}, and it has ${bytes}`
}

const CANONICAL_ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** The id of a message: a ULID as answers write it. */
export const messageId = z
  .string()
  .refine((text) => CANONICAL_ULID.test(text), { error: 'accepted is a message_id: the 26 characters answers give' })
  .register(ACCEPTED, { accepted: 'a message_id: the 26 characters answers give' })

export const sessionId = byteText(SESSION_ID)

export const ACCEPTED_MOMENTS =
  'Unix ms (a whole number from 0 to 9007199254740991), or an RFC 3339 date-time with its offset such as 2026-11-30T09:00:00Z'

/** A date alone, which names no offset. */
const DATE_CHARS = 10

/** A point in time in either form, as Unix ms. */
const moment = z
  .union([z.int().min(0), z.string()])
  .transform((given, context) => {
    const ms = typeof given === 'number' ? given : given.length > DATE_CHARS ? parseTime(given) : undefined
    if (ms !== undefined) return ms
    context.addIssue({ code: 'custom', message: `accepted is ${ACCEPTED_MOMENTS}` })
    return z.NEVER
  })
  .register(ACCEPTED, { accepted: ACCEPTED_MOMENTS })

export function momentParameter(description: string) {
  return moment.describe(description).exactOptional()
}

/** Where a list goes on; what it holds is the store's to judge. */
export function cursorParameter(description: string) {
  return byteText({ minBytes: 1, maxBytes: 4096 }).describe(description).exactOptional()
}

/** `whose` says before the words which messages are meant, where that needs saying. */
export function previewParameter(whose = '') {
  return openWholeParameter(
    `${whose}Cut the content of each message to this many characters; it then says content_bytes and content_truncated. Absent: whole.`,
    { min: 0, max: 4096 },
  )
}
