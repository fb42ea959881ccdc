/** What is large goes out in place of its stand-in, whole, wherever the answer is cut into chunks. */
import { expect, test } from 'vitest'
import { Splicer } from '../../src/mcp/splice.ts'

const BYTES = Uint8Array.from({ length: 500_000 }, (_, at) => (at * 7_919) >> 5)
const BASE64 = Buffer.from(BYTES).toString('base64')

function inChunks(text: string, chars: number): Response {
  const pieces = Array.from({ length: Math.ceil(text.length / chars) }, (_, at) =>
    text.slice(at * chars, (at + 1) * chars),
  )
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(encoder.encode(piece))
    },
  })
  return new Response(body, {
    status: 202,
    headers: { 'content-type': 'text/x', 'content-length': '7' },
  })
}

test.each([1, 7, 31, 32, 33, 100, 10_000])('in chunks of %i', async (chars) => {
  const outbox = new Splicer()
  const standIn = outbox.put(BYTES)
  const filled = outbox.deliver(inChunks(`{"before":"音","data":"${standIn}","after":1}`, chars))
  expect((await filled.text()) === `{"before":"音","data":"${BASE64}","after":1}`).toBe(true)
})

test('two in one answer, and bytes that are a part of others', async () => {
  const outbox = new Splicer()
  const [first, second] = [outbox.put(BYTES.subarray(3, 9)), outbox.put(BYTES)]
  const text = await outbox.deliver(inChunks(`${second} and ${first}`, 50)).text()
  expect(text === `${BASE64} and ${Buffer.from(BYTES.subarray(3, 9)).toString('base64')}`).toBe(true)
})

test('an answer without any passes as it is, each chunk at once', async () => {
  const outbox = new Splicer()
  const filled = outbox.deliver(inChunks('event: a\n\nevent: b\n\n', 10))
  expect([filled.status, filled.headers.get('content-type')]).toEqual([202, 'text/x'])
  const reader = (filled.body as ReadableStream<Uint8Array>).getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('event: a\n\n')
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('event: b\n\n')
  expect((await reader.read()).done).toBe(true)
  const empty = new Splicer()
  expect(empty.deliver(new Response(null, { status: 204 })).body).toBeNull()
})

test('a client that leaves is told to the one who answers', async () => {
  let told: unknown
  const silent = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('x')),
    cancel: (reason) => void (told = reason),
  })
  const outbox = new Splicer()
  const filled = outbox.deliver(new Response(silent))
  const reader = (filled.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  // It waits for more, which never comes.
  const waiting = reader.read()
  await reader.cancel('gone')
  expect((await waiting).done).toBe(true)
  expect(told).toBe('gone')
})
