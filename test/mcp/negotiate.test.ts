import { expect, test } from 'vitest'
import { toJsonResponse, wantsJsonOnly } from '../../src/mcp/negotiate.ts'

function stream(text: string): Response {
  return new Response(text, { status: 200, headers: { 'content-type': 'text/event-stream', vary: 'Origin' } })
}

const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}'
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"text":"a\\n\\nb"}}'

test.each([
  [null, true],
  ['', true],
  ['application/json', true],
  ['application/*;q=0.9, text/html', true],
  ['*/*', true],
  ['application/json, text/event-stream', false],
  ['text/event-stream', false],
  ['text/html', false],
])('a client that sends Accept %j wants only JSON: %s', (accept, expected) => {
  expect(wantsJsonOnly(new Headers(accept === null ? {} : { accept }))).toBe(expected)
})

test.each([
  ['one event', `event: message\ndata: ${RESULT}\n\n`],
  ['no space after the colon', `data:${RESULT}\n\n`],
  ['carriage returns', `event: message\r\ndata: ${RESULT}\r\n\r\n`],
  ['notifications and comments before it', `: keepalive\n\ndata: \n\ndata: ${PROGRESS}\n\ndata: ${RESULT}\n\n`],
  ['no blank line at the end', `data: ${RESULT}`],
])('the answer is taken out of an event stream with %s', async (_name, text) => {
  const response = await toJsonResponse(stream(text))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(response.headers.get('vary')).toBe('Origin')
  expect(await response.text()).toBe(RESULT)
})

test('a response that is no event stream is returned unchanged', async () => {
  const response = Response.json({ a: 1 }, { status: 400 })
  expect(await toJsonResponse(response)).toBe(response)
})
