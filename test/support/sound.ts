/** The reply of `compose_mml` in the shape that its tests read, and its WAV file. */
import { expect } from 'vitest'

export interface Reply {
  readonly content: readonly { readonly type: string; readonly [field: string]: unknown }[]
  readonly structuredContent: Record<string, any>
  readonly isError?: boolean
}

const toBytes = (base64: unknown) => new Uint8Array(Buffer.from(String(base64), 'base64'))

/** The file in a reply, checked against what the reply says of it. */
export function fileOf({ content, structuredContent, isError }: Reply): Uint8Array {
  expect(isError).toBe(false)
  expect(content.map(({ type }) => type)).toEqual(['text', 'audio'])
  expect(content[1]).toMatchObject({ type: 'audio', mimeType: 'audio/wav' })
  const bytes = toBytes(content[1]?.['data'])
  expect(structuredContent['audio']).toMatchObject({ mime_type: 'audio/wav', size_bytes: bytes.byteLength })
  expect(String.fromCharCode(...bytes.subarray(0, 4))).toBe('RIFF')
  return bytes
}
