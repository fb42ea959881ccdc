/**
 * Parameters that several conversation tools share: text measured in UTF-8 bytes,
 * message ids, session ids, points in time, cursors, forms and previews. Text that is not
 * well-formed Unicode is refused, because it could not be returned unchanged.
 */
import * as z from 'zod'
import { ACCEPTED_TIMES, parseTime } from '../../base/time.ts'
import { utf8Bytes } from '../../base/utf8.ts'
import { ACCEPTED } from '../arguments.ts'
import { MAX_CONTENT_BYTES, MAX_MESSAGE_CURSOR_BYTES, MAX_PREVIEW_CHARS, MAX_SESSION_ID_BYTES } from '../limits.ts'
import { choiceParameter, openWholeParameter } from '../schema-parts.ts'

interface TextLimits {
  readonly minBytes: 0 | 1
  readonly maxBytes: number
  /** A name refuses U+0000, because names are compared and listed. Other text keeps it. */
  readonly isName?: true
}

const SESSION_ID = { minBytes: 1, maxBytes: MAX_SESSION_ID_BYTES, isName: true } as const satisfies TextLimits
export const CONTENT = { minBytes: 1, maxBytes: MAX_CONTENT_BYTES } as const satisfies TextLimits
export const CONTENT_SIZES = `1 byte to ${MAX_CONTENT_BYTES / 1024 / 1024} MiB of UTF-8`

/** Text that is kept byte for byte: not trimmed, not normalised. */
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
  // A UTF-16 unit takes one to three bytes, so most texts need no count of bytes.
  if (text.length >= minBytes && text.length * 3 <= maxBytes) return undefined
  const bytes = utf8Bytes(text)
  if (bytes >= minBytes && bytes <= maxBytes) return undefined
  return `accepted is ${accepted}, and it has ${bytes}`
}

const CANONICAL_ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** The id of a message: a ULID in upper case. */
export const messageId = z
  .string()
  .refine((text) => CANONICAL_ULID.test(text), { error: 'accepted is a message_id: the 26 characters answers give' })
  .register(ACCEPTED, { accepted: 'a message_id: the 26 characters answers give' })

export const sessionId = byteText(SESSION_ID)

const ACCEPTED_MOMENTS = `Unix ms (a whole number from 0 to 9007199254740991), ${ACCEPTED_TIMES}`

/** A point in time; parsed to Unix ms. */
const moment = z
  .union([z.int().min(0), z.string()])
  .transform(toMs)
  .register(ACCEPTED, { accepted: ACCEPTED_MOMENTS })

/** A point in time, or null for none; parsed to Unix ms. */
export const momentOrNone = z
  .union([z.int().min(0), z.string(), z.null()])
  .transform((given, context) => (given === null ? null : toMs(given, context)))
  .register(ACCEPTED, { accepted: ACCEPTED_MOMENTS })

function toMs(given: number | string, context: z.core.$RefinementCtx): number {
  const ms = typeof given === 'number' ? given : parseTime(given)
  if (ms !== undefined) return ms
  context.addIssue({ code: 'custom', message: `accepted is ${ACCEPTED_MOMENTS}` })
  return z.NEVER
}

export function momentParameter(description: string) {
  return moment.describe(description).exactOptional()
}

/** A cursor of a list. The store checks its content. */
export function cursorParameter(description: string) {
  return byteText({ minBytes: 1, maxBytes: MAX_MESSAGE_CURSOR_BYTES }).describe(description).exactOptional()
}

const DETAILS = ['compact', 'full'] as const

/** The form of the messages in an answer. */
export type Detail = (typeof DETAILS)[number]

export function detailParameter(scope = '') {
  return choiceParameter(
    `${scope}compact: only fields that are set, and times also as text. full: all fields, with their defaults.`,
    DETAILS,
    'compact',
  )
}

/** `scope` is put before the description, for a parameter of some views only; `preset` is what happens without it. */
export function previewParameter(scope = '', preset = 'whole content') {
  return openWholeParameter(
    `${scope}Cut the content of each message to this many characters; content_bytes and content_truncated are then added. Default: ${preset}.`,
    { min: 0, max: MAX_PREVIEW_CHARS },
  )
}
