/**
 * Serves clients that accept JSON but no event stream. The SDK requires clients
 * of 2025 to accept both and answers them with a stream, and its handler offers
 * no JSON mode for them. So the Accept header is completed before the handler,
 * and the answer is taken out of the stream after it.
 */

const BOTH_TYPES = 'application/json, text/event-stream'

/** True for a client that accepts JSON, or sends no Accept header, and does not name event streams. */
export function wantsJsonOnly(headers: Headers): boolean {
  const accept = headers.get('accept')?.toLowerCase()
  if (accept === undefined || accept.trim() === '') return true
  if (accept.includes('text/event-stream')) return false
  return accept.includes('application/json') || accept.includes('application/*') || accept.includes('*/*')
}

/** The same headers, with both types accepted. */
export function withBothAccepted(headers: Headers): Headers {
  const completed = new Headers(headers)
  completed.set('accept', BOTH_TYPES)
  return completed
}

/** The answer in an event stream as JSON, without the notifications before it. Other responses are returned unchanged. */
export async function toJsonResponse(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
  const answer = readEvents(await response.text()).findLast(isAnswer)
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  return new Response(answer, { status: response.status, headers })
}

/** The data of each event, in order. */
function readEvents(stream: string): string[] {
  return stream.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    return data.length === 0 ? [] : [data.join('\n')]
  })
}

/** The answer to a request has a result or an error; a notification has neither. */
function isAnswer(data: string): boolean {
  if (data === '') return false
  const message: unknown = JSON.parse(data)
  return typeof message === 'object' && message !== null && ('result' in message || 'error' in message)
}
