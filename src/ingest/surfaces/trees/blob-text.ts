/**
 * The text of a file from the bytes of its blob. Most files are UTF-8; UTF-16
 * is known by its byte order mark, and other bytes are read as windows-1252.
 */
import { Buffer } from 'node:buffer'
import { cutToBytes } from '../../../base/text-cut.ts'
import { parseUtf8 } from '../../../base/utf8.ts'
import { MAX_BODY_BYTES } from '../../../index/limits.ts'

export interface FileText {
  readonly text: string
  /** The file is longer than its text. */
  readonly truncated: boolean
}

/** Undefined for bytes that are no text: a NUL is in none. */
export function toFileText(base64: string): FileText | undefined {
  const bytes = Buffer.from(base64, 'base64')
  const [first, second] = bytes
  const wide =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined
  if (wide !== undefined) return toBounded(new TextDecoder(wide).decode(bytes))
  if (bytes.includes(0)) return undefined
  const strict = parseUtf8(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer)
  return toBounded(strict.ok ? strict.value : new TextDecoder('windows-1252').decode(bytes))
}

/** The text as far as the index stores it. */
export function toBounded(whole: string): FileText {
  const text = cutToBytes(whole, MAX_BODY_BYTES)
  return { text, truncated: text.length < whole.length }
}

/** True for the few lines that Git LFS commits in place of a large file. */
export function isLargeFilePointer(text: string): boolean {
  return /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:[0-9a-f]{64}\nsize \d+\n?$/.test(text)
}
