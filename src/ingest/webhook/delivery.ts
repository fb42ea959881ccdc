/**
 * A delivery whose signature is right: its headers and its payload as far as
 * every event has them. Documents of an event are read elsewhere.
 */
import { invalid } from '../../base/failure.ts'
import { sha256 } from '../../base/hash.ts'
import { isRecord } from '../../base/json-value.ts'
import { REPOSITORY_NAME } from '../../base/repository-name.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { parseUtf8 } from '../../base/utf8.ts'

export interface Delivery {
  /** GitHub's id of the webhook, and of this delivery: a delivery that is sent again has the same. */
  readonly hook: string
  readonly delivery: string
  readonly event: string
  readonly action?: string
  /** Absent for events of an organisation or an App. */
  readonly repository?: DeliveredRepository
  readonly payload: Readonly<Record<string, unknown>>
}

interface DeliveredRepository {
  /** `owner/name` when the event happened. */
  readonly name: string
  /** Absent in no delivery of GitHub's. */
  readonly id?: number
}

/** Refuses a body that is not a JSON object, and a delivery without the name of its event. */
export function parseDelivery(headers: Headers, body: ArrayBuffer): Result<Delivery> {
  const event = headers.get('x-github-event') ?? ''
  if (!/^\w{1,64}$/.test(event)) return refuse(invalid('X-GitHub-Event', 'missing, accepted is the name of an event'))
  const text = parseUtf8(body)
  if (!text.ok) return text
  const payload = parseObject(text.value)
  if (payload === undefined) {
    const problem = 'not a JSON object, accepted is a delivery with the content type application/json'
    return refuse(invalid('body', problem))
  }
  const { action } = payload
  const repository = toRepository(payload['repository'])
  return ok({
    hook: headers.get('x-github-hook-id') ?? '',
    // Without an id, the same bytes are the same delivery.
    delivery: headers.get('x-github-delivery') ?? `sha256:${sha256(text.value)}`,
    event,
    ...(typeof action === 'string' && { action }),
    ...(repository && { repository }),
    payload,
  })
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function toRepository(given: unknown): DeliveredRepository | undefined {
  if (!isRecord(given)) return undefined
  const { full_name: name, id } = given
  if (typeof name !== 'string' || !REPOSITORY_NAME.test(name)) return undefined
  const hasId = typeof id === 'number' && Number.isSafeInteger(id) && id > 0
  return { name, ...(hasId && { id }) }
}
