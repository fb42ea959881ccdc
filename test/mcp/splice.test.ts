/** Bytes replace their placeholder in the response, however the response is cut into chunks. */
import { expect, test } from 'vitest'
import { Splicer } from '../../src/mcp/splice.ts'

const BYTES = Uint8Array.from({ length: 500_000 }, (_, at) => (at * 7_919) >> 5)
const BASE64 = Buffer.from(BYTES).toString('base64')

function inChunks(text: string, chars: number): Response {
  const parts = Array.from({ length: Math.ceil(text.length / chars) }, (_, at) =>
    text.slice(at * chars, (at + 1) * chars),
  )
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    pull(controller) {
      const part = parts.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(encoder.encode(part))
    },
  })
  return new Response(body, {
    status: 202,
    headers: { 'content-type': 'text/x', 'content-length': '7' },
  })
}

test.each([1, 7, 31, 32, 33, 100, 10_000])(
  'a placeholder in chunks of %i is replaced by the base64 of its bytes',
  async (chars) => {
    const splicer = new Splicer()
    const placeholder = splicer.put(BYTES)
    const spliced = splicer.deliver(inChunks(`{"before":"音","data":"${placeholder}","after":1}`, chars))
    expect((await spliced.text()) === `{"before":"音","data":"${BASE64}","after":1}`).toBe(true)
  },
)

test.each([1, 50, 10_000])(
  'two placeholders in chunks of %i are replaced, the one put last coming first',
  async (chars) => {
    const splicer = new Splicer()
    const [first, second] = [splicer.put(BYTES.subarray(3, 9)), splicer.put(BYTES)]
    const text = await splicer.deliver(inChunks(`${second} and ${first}`, chars)).text()
    expect(text === `${BASE64} and ${Buffer.from(BYTES.subarray(3, 9)).toString('base64')}`).toBe(true)
  },
)

test('a response without placeholders is unchanged, and each chunk is passed on at once', async () => {
  const splicer = new Splicer()
  const spliced = splicer.deliver(inChunks('event: a\n\nevent: b\n\n', 10))
  expect([spliced.status, spliced.headers.get('content-type')]).toEqual([202, 'text/x'])
  const reader = (spliced.body as ReadableStream<Uint8Array>).getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('event: a\n\n')
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('event: b\n\n')
  expect((await reader.read()).done).toBe(true)
  const empty = new Splicer()
  expect(empty.deliver(new Response(null, { status: 204 })).body).toBeNull()
})

test('a client that cancels its read cancels the source of the response', async () => {
  let reason: unknown
  const silent = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('x')),
    cancel: (given) => void (reason = given),
  })
  const splicer = new Splicer()
  const spliced = splicer.deliver(new Response(silent))
  const reader = (spliced.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  // This read never gets a chunk.
  const waiting = reader.read()
  await reader.cancel('gone')
  expect((await waiting).done).toBe(true)
  expect(reason).toBe('gone')
})
