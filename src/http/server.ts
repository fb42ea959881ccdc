/**
 * The HTTP door. A request passes settings, host, origin, route, access and body,
 * in this order, before its handler runs; each step refuses what must not reach
 * the next. The request is read once: handlers receive its parsed parts. A bug
 * behind the door becomes a bare 500, and the log gets the reason.
 */
import type { Result } from '../base/result.ts'
import { SETTINGS } from '../contracts/settings/settings.ts'
import { isDiskFull } from '../base/disk-full.ts'
import { isSameToken, readBearer } from './auth/bearer.ts'
import { checkSender } from './auth/check-sender.ts'
import { MODE_RULES } from './auth/modes.ts'
import { readBody } from './body.ts'
import { answerPreflight, withCors } from './cors.ts'
import { respondBug, respondFailure, turnAway } from './errors.ts'
import type { App, Route } from './route.ts'
import { ROUTES } from './routes.ts'

/** Answers with the parts of `app`; with its failure alone when a setting is wrong. */
export async function handle(request: Request, app: Result<App>, routes = ROUTES): Promise<Response> {
  if (!app.ok) return respondFailure(app.failure)
  const arrival = { request, url: new URL(request.url), id: app.value.newRequestId(), app: app.value }
  return checkSender(request, arrival.url, app.value.settings) ?? answerSafely(arrival, routes)
}

interface Arrival {
  readonly request: Request
  readonly url: URL
  /** Names the request in the log. */
  readonly id: string
  readonly app: App
}

interface Match {
  readonly route: Route
  /** As they were sent, percent-encoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>
}

async function answerSafely(arrival: Arrival, routes: readonly Route[]): Promise<Response> {
  const { id, url, app } = arrival
  try {
    return await answerRoute(arrival, routes)
  } catch (error) {
    if (isDiskFull(error)) {
      app.log.error('disk_full', { request: id, path: url.pathname })
      return respondFailure({ code: 'IO_ERROR', message: 'The disk is full: the index takes nothing new.' })
    }
    const evidence = error instanceof Error ? (error.stack ?? error.message) : String(error)
    app.log.error('request_bug', { request: id, path: url.pathname, evidence })
    return respondBug(id)
  }
}

async function answerRoute(arrival: Arrival, routes: readonly Route[]): Promise<Response> {
  const { method, headers } = arrival.request
  const matches = routes.flatMap((route) => matchPath(route, arrival.url))
  const [first] = matches
  if (first === undefined) return turnAway(404, 'There is nothing at this path.')
  const methods = matches.map(({ route }) => route.method)
  // Browsers call the routes of a viewer, from pages of other origins too.
  if (first.route.access !== 'viewer') return answerMethod(arrival, matches)
  const isPreflight = method === 'OPTIONS'
  const response = isPreflight ? answerPreflight(methods) : await answerMethod(arrival, matches)
  return withCors(response, headers.get('origin'), isPreflight)
}

async function answerMethod(arrival: Arrival, matches: readonly Match[]): Promise<Response> {
  const { method } = arrival.request
  const wanted = method === 'HEAD' ? 'GET' : method
  const match = matches.find(({ route }) => route.method === wanted)
  if (match !== undefined) return answerMatch(arrival, match)
  const allow = matches.map(({ route }) => route.method).join(', ')
  return turnAway(405, `This path answers ${allow} only.`, { allow })
}

const patterns = new WeakMap<Route, URLPattern>()

/** A list of one, or empty. A pattern is compiled once for each route. */
function matchPath(route: Route, { pathname }: URL): Match[] {
  const pattern = patterns.get(route) ?? new URLPattern({ pathname: route.path })
  patterns.set(route, pattern)
  const match = pattern.exec({ pathname })
  return match === null ? [] : [{ route, parameters: match.pathname.groups }]
}

async function answerMatch(
  { request, url, id, app }: Arrival,
  { route, parameters: encoded }: Match,
): Promise<Response> {
  const { headers, signal } = request
  const refused =
    (route.access === 'admin' ? checkAdminToken(headers, app.settings.adminToken) : undefined) ??
    route.refuse?.(headers, app)
  if (refused !== undefined) return refused
  const body = await readBody(request, route.maxBodyBytes)
  if (body === undefined) {
    return turnAway(413, `The body is larger than the ${route.maxBodyBytes} bytes this path takes.`)
  }
  const parameters = decodeParameters(encoded)
  if (parameters === undefined) return turnAway(400, 'The path is not percent-encoded UTF-8.')
  const read = { id, url, headers, parameters, body, signal }
  return route.access === 'viewer'
    ? route.answer(read, app, MODE_RULES[app.settings.mode].viewer)
    : route.answer(read, app)
}

/** Undefined when the request carries the admin token. */
function checkAdminToken(headers: Headers, expected: string | undefined): Response | undefined {
  if (expected === undefined) return turnAway(503, SETTINGS.ADMIN_TOKEN.whenWrong)
  const given = readBearer(headers)
  if (given !== undefined && isSameToken(given, expected)) return undefined
  return turnAway(401, 'This path needs the admin token.', { 'www-authenticate': 'Bearer' })
}

/** Undefined when one is not percent-encoded UTF-8. */
function decodeParameters(encoded: Match['parameters']): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(encoded).map(([name, value = '']) => [name, decodeURIComponent(value)]))
  } catch {
    return undefined
  }
}
