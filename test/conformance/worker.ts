/** The product's Worker, with the conformance suite's helper tools added to its own at /mcp. */
import { openApp, type Env } from '../../src/app.ts'
import type { Route } from '../../src/http/route.ts'
import { ROUTES } from '../../src/http/routes.ts'
import { handle } from '../../src/http/server.ts'
import { answerMcp, type BuildServer } from '../../src/mcp/endpoint.ts'
import { buildServer } from '../../src/mcp/server.ts'
import { addHelperTools } from './helper-tools.ts'

export { MessageStore } from '../../src/worker.ts'

const ROUTES_WITH_HELPERS: readonly Route[] = ROUTES.map((route) =>
  route.path !== '/mcp' || route.access !== 'viewer'
    ? route
    : {
        ...route,
        answer: (request, { tools, log }, viewer) => {
          const build: BuildServer = (call) => {
            const server = buildServer(tools, { viewer, requestId: request.id, log, ...call })
            addHelperTools(server)
            return server
          }
          return answerMcp(request, build, log)
        },
      },
)

export default {
  fetch: (request: Request, env: Env) => handle(request, openApp(env), ROUTES_WITH_HELPERS),
} satisfies ExportedHandler<Env>
