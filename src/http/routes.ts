/**
 * The table of the Worker's URLs: who may call each, how large its body may be,
 * and the handler. A route is public by its row here; every other one needs a
 * viewer or the admin token, and a path without a row is answered with 404.
 */
import type { Viewer } from '../access/viewer.ts'
import { listContracts } from '../contracts/index.ts'
import type { ToolSet } from '../contracts/tool-contract.ts'
import { SCHEMA_VERSION, VERSION } from '../contracts/version.ts'
import { answerMcp } from '../mcp/endpoint.ts'
import { buildServer } from '../mcp/server.ts'
import { ADMIN_ROUTES } from './admin/admin-routes.ts'
import { respond } from './errors.ts'
import { answerFrontPage } from './front-page.ts'
import { answerHealth } from './health.ts'
import { MAX_IMPORT_BODY_BYTES, MAX_MCP_BODY_BYTES, MAX_SMALL_BODY_BYTES } from './limits.ts'
import { deleteMemorySession, exportMemory, importMemory } from './memory/memory-routes.ts'
import type { App, Route, RouteRequest } from './route.ts'

const [SMALL, MCP, IMPORT] = [MAX_SMALL_BODY_BYTES, MAX_MCP_BODY_BYTES, MAX_IMPORT_BODY_BYTES]

export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/', access: 'public', maxBodyBytes: SMALL, answer: answerFrontPage },
  { method: 'GET', path: '/health', access: 'public', maxBodyBytes: SMALL, answer: answerHealth },
  ...listToolRoutes('/mcp'),
  ...listToolRoutes('/mcp/search', 'search'),
  ...listToolRoutes('/mcp/memory', 'memory'),
  ...listToolRoutes('/mcp/music', 'music'),
  { method: 'GET', path: '/memory/export', access: 'viewer', maxBodyBytes: SMALL, answer: exportMemory },
  { method: 'POST', path: '/memory/import', access: 'viewer', maxBodyBytes: IMPORT, answer: importMemory },
  { method: 'DELETE', path: '/memory/sessions', access: 'viewer', maxBodyBytes: SMALL, answer: deleteMemorySession },
  {
    method: 'DELETE',
    path: '/memory/sessions/:session_id',
    access: 'viewer',
    maxBodyBytes: SMALL,
    answer: deleteMemorySession,
  },
  ...ADMIN_ROUTES.map(toAdminRoute),
]

/** The routes of an MCP endpoint that offers one set of tools, or all, with and without a slash at the end; none for a set without tools. */
function listToolRoutes(path: string, set?: ToolSet): Route[] {
  const names = listContracts(set).map((contract) => contract.name)
  if (names.length === 0) return []
  const answer = (request: RouteRequest, { tools, log }: App, viewer: Viewer): Promise<Response> => {
    const offered = tools.filter((tool) => names.includes(tool.contract.name))
    const caller = { viewer, requestId: request.id, log }
    return answerMcp(request, (call) => buildServer(offered, { ...caller, ...call }), log)
  }
  const row = { method: 'POST', access: 'viewer', maxBodyBytes: MCP, answer } as const
  return [path, `${path}/`].map((spelling) => ({ ...row, path: spelling }))
}

function toAdminRoute({ method, path, maxBodyBytes = SMALL, handle }: (typeof ADMIN_ROUTES)[number]): Route {
  return {
    method,
    path,
    access: 'admin',
    maxBodyBytes,
    answer: async (request, { index, vectors, log, now, runMaintenance }) => {
      const parts = { index, vectors, log, now, runMaintenance }
      return respond(await handle(request, { ...parts, version: VERSION, schemaVersion: SCHEMA_VERSION }))
    },
  }
}
