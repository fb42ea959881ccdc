/**
 * Decides which requests may come in at all: by the host that they were sent to
 * and by the browser origin that sends them. Runs before routing and access.
 */
import type { Settings } from '../../contracts/settings/read-settings.ts'
import { turnAway } from '../errors.ts'
import { MODE_RULES } from './modes.ts'

/** The refusal of a request that was sent to another host, or by a page that may not call; else undefined. */
export function checkSender(
  request: Request,
  url: URL,
  settings: Pick<Settings, 'mode' | 'allowedOrigins'>,
): Response | undefined {
  const { mode, allowedOrigins } = settings
  const { acceptsHost, hosts, acceptsOrigin } = MODE_RULES[mode]
  if (!acceptsHost(request.headers.get('host'), url)) {
    return turnAway(403, `In mode ${mode} this server answers only requests sent to ${hosts}.`)
  }
  const origin = request.headers.get('origin')
  // Only browsers send an origin. They send `null` for a page without one, which is not accepted.
  if (origin === null || origin === url.origin) return undefined
  // The MCP server package compares host names only; a listed origin is its scheme, name and port.
  if (allowedOrigins.includes(origin) || acceptsOrigin(origin)) return undefined
  return turnAway(403, 'This origin may not call this server. ALLOWED_ORIGINS lists those that may.')
}
