/**
 * `POST /webhooks/github`: deliveries of GitHub's webhooks. Public, but every
 * delivery is signed: without a secret nothing is accepted, without a signature
 * no body is read, and nothing is parsed before the signature over its bytes is
 * right. Accepted ones are answered with 202 and what they did.
 */
import { respond, respondFailure, turnAway } from '../errors.ts'
import { ok } from '../../base/result.ts'
import { SETTINGS } from '../../contracts/settings/settings.ts'
import { parseDelivery, type Delivery } from '../../ingest/webhook/delivery.ts'
import type { DeliverySummary } from '../../ingest/webhook/put-delivery.ts'
import { receiveDelivery } from '../../ingest/webhook/receive-delivery.ts'
import { isSigned } from '../../ingest/webhook/signature.ts'
import type { App, RouteRequest } from '../route.ts'

const SIGNATURE = 'x-hub-signature-256'

/** The refusals that need no body: there is no secret, or no webhook signature. */
export function refuseUnsigned(headers: Headers, { ingest }: App): Response | undefined {
  if (ingest.settings.webhookSecret === undefined) return turnAway(503, SETTINGS.GITHUB_WEBHOOK_SECRET.whenWrong)
  return headers.get(SIGNATURE) ? undefined : refuseSignature()
}

export async function answerDelivery(request: RouteRequest, app: App): Promise<Response> {
  const { headers, body } = request
  const { ingest, log } = app
  const secret = ingest.settings.webhookSecret
  if (secret === undefined || !(await isSigned(secret, body, headers.get(SIGNATURE) ?? ''))) return refuseSignature()
  const delivery = parseDelivery(headers, body)
  if (!delivery.ok) return respondFailure(delivery.failure)
  const { event, action } = delivery.value
  const received = await receiveDelivery(ingest, delivery.value)
  const outcome = received.ok ? 'received' : received.failure.code
  log.info('delivery', { request: request.id, event, action, repository: delivery.value.repository?.name, outcome })
  if (!received.ok) return respondFailure(received.failure)
  return respond(ok(toAnswer(delivery.value, received.value)), 202)
}

/** One answer for every wrong signature. */
function refuseSignature(): Response {
  return turnAway(401, 'The delivery is not signed with the secret of this server.')
}

function toAnswer({ event, action, repository }: Delivery, summary: DeliverySummary) {
  const { isDuplicate = false, isIgnored = false, repository: known, ...counts } = summary
  const repo = known ?? repository?.name
  return {
    received: true,
    event,
    ...(action !== undefined && { action }),
    ...(repo !== undefined && { repo }),
    ...counts,
    ...(isDuplicate && { duplicate: true }),
    ...(isIgnored && { ignored: true }),
  }
}
