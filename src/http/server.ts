/**
 * The door: takes a request through settings, host, origin, route, access and
 * body to the route's answer. Each step turns away what must not come further,
 * and a bug behind it becomes a bare 500 whose reason is in the log.
 */
import { LOCAL_VIEWER, isSentToLoopback } from './auth/local-host.ts'
import { isSameToken, readBearer } from './auth/bearer.ts'
import { mayCallFrom } from './auth/origins.ts'
import { SETTINGS } from '../contracts/settings.ts'
import { isDiskFull } from '../base/disk-full.ts'
import { withBody } from './body.ts'
import { answerPreflight, withCors } from './cors.ts'
import { readSettings, type Env } from '../settings/env.ts'
import { respondBug, respondFailure, turnAway } from './errors.ts'
import { ROUTES, type Route } from './routes.ts'
import { wire, type App } from '../app.ts'

export async function handle(request: Request, env: Env): Promise<Response> {
  const settings = readSettings(env)
  if (!settings.ok) return respondFailure(settings.failure)
  return answer(request, wire(env, settings.value), ROUTES)
}

/** The same for an app and routes that are already there. */
export async function answer(request: Request, app: App, routes: readonly Route[]): Promise<Response> {
  const { allowedOrigins } = app.settings
  if (!isSentToLoopback(request)) {
    return turnAway(403, 'In mode local this server answers only requests sent to 127.0.0.1, localhost or [::1].')
  }
  if (!mayCallFrom(request, { loopback: true, allowed: allowedOrigins })) {
    return turnAway(403, 'This origin may not call this server. ALLOWED_ORIGINS names those that may.')
  }
  const requestId = app.newRequestId()
  try {
    return await answerRoute(request, app, routes, requestId)
  } catch (error) {
    if (isDiskFull(error)) {
      app.log.error('disk_full', { request: requestId, path: new URL(request.url).pathname })
      return respondFailure({ code: 'IO_ERROR', message: 'The disk is full: the index takes nothing new.' })
    }
    const evidence = error instanceof Error ? (error.stack ?? error.message) : String(error)
    app.log.error('request_bug', { request: requestId, path: new URL(request.url).pathname, evidence })
    return respondBug(requestId)
  }
}

async function answerRoute(request: Request, app: App, routes: readonly Route[], requestId: string): Promise<Response> {
  const { pathname } = new URL(request.url)
  const here = routes.filter((route) => isAt(route.path, pathname))
  const [first] = here
  if (first === undefined) return turnAway(404, 'There is nothing at this path.')
  const servesPages = first.access === 'viewer'
  if (request.method === 'OPTIONS' && servesPages)
    return withCors(request, answerPreflight(here.map(({ method }) => method)))
  const route = here.find(({ method }) => method === request.method || (method === 'GET' && request.method === 'HEAD'))
  const response = route === undefined ? refuseMethod(here) : await answerAs(request, app, route, requestId)
  return servesPages ? withCors(request, response) : response
}

function isAt(path: string, pathname: string): boolean {
  const [wanted, given] = [path.split('/'), pathname.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]))
  )
}

function refuseMethod(here: readonly Route[]): Response {
  const allow = here.map((route) => route.method).join(', ')
  return turnAway(405, `This path answers ${allow} only.`, { allow })
}

async function answerAs(request: Request, app: App, route: Route, requestId: string): Promise<Response> {
  const turned = route.access === 'admin' ? checkAdmin(request, app.settings.adminToken) : undefined
  if (turned !== undefined) return turned
  const whole = await withBody(request, route.bodyBytes)
  if (whole === undefined) return turnAway(413, `The body is larger than the ${route.bodyBytes} bytes this path takes.`)
  if (route.access === 'viewer') return route.answer(whole, app, LOCAL_VIEWER, requestId)
  return route.answer(whole, app)
}

/** Undefined when the request bears the admin token. */
function checkAdmin(request: Request, expected: string | undefined): Response | undefined {
  if (expected === undefined) return turnAway(503, SETTINGS.ADMIN_TOKEN.whenWrong)
  const given = readBearer(request)
  if (given !== undefined && isSameToken(given, expected)) return undefined
  return turnAway(401, 'This path needs the admin token.', { 'www-authenticate': 'Bearer' })
}
