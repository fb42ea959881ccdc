/**
 * Serves clients that take JSON and no event stream. The SDK asks 2025-era
 * clients to accept both and answers them with a stream, so the Accept header is
 * completed before it and the stream's answer is taken out after it.
 */

const BOTH = 'application/json, text/event-stream'

/** Whether a client takes JSON, or does not say, and never names event streams. */
export function wantsJsonOnly(headers: Headers): boolean {
  const accept = headers.get('accept')?.toLowerCase()
  if (accept === undefined || accept.trim() === '') return true
  if (accept.includes('text/event-stream')) return false
  return accept.includes('application/json') || accept.includes('application/*') || accept.includes('*/*')
}

/** The same headers, with both types accepted. */
export function withBothAccepted(headers: Headers): Headers {
  const completed = new Headers(headers)
  completed.set('accept', BOTH)
  return completed
}

/** The answer out of an event stream, as JSON; notifications before it are dropped. Anything else passes. */
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

/** An answer to a request has a result or an error; a notification has neither. */
function isAnswer(data: string): boolean {
  if (data === '') return false
  const message: unknown = JSON.parse(data)
  return typeof message === 'object' && message !== null && ('result' in message || 'error' in message)
}
