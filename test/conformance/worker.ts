/** The product's Worker, with the conformance suite's helper tools added to its own at /mcp. */
import { readSettings, type Env } from '../../src/settings/env.ts'
import { answer } from '../../src/http/server.ts'
import { ROUTES, type Route } from '../../src/http/routes.ts'
import { wire } from '../../src/app.ts'
import { answerMcp, type BuildServer } from '../../src/mcp/endpoint.ts'
import { buildServer } from '../../src/mcp/server.ts'
import { addHelperTools } from './helper-tools.ts'

export { MessageStore } from '../../src/message-store.ts'

const ROUTES_WITH_HELPERS: readonly Route[] = ROUTES.map((route) =>
  route.path !== '/mcp' || route.access !== 'viewer'
    ? route
    : {
        ...route,
        answer: (request, { tools, log }, viewer, requestId) => {
          const build: BuildServer = (given, splicer) => {
            const server = buildServer(tools, { viewer, given, requestId, log, splicer })
            addHelperTools(server)
            return server
          }
          return answerMcp(request, build, log)
        },
      },
)

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    const settings = readSettings(env)
    if (!settings.ok) throw new Error(settings.failure.message)
    return answer(request, wire(env, settings.value), ROUTES_WITH_HELPERS)
  },
} satisfies ExportedHandler<Env>
