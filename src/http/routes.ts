/**
 * The URLs of the Worker: who may ask each, how large a body may be, and what
 * answers. A route is public by saying so here; everything else needs a viewer
 * or the admin token, and a path that is not here does not exist.
 */
import type { Viewer } from '../access/viewer.ts'
import { ADMIN_ROUTES } from './admin/admin-routes.ts'
import { ok } from '../base/result.ts'
import { listContracts } from '../contracts/index.ts'
import type { ToolSet } from '../contracts/tool-contract.ts'
import { SCHEMA_VERSION, VERSION } from '../contracts/version.ts'
import { toFrontPage } from './front-page.ts'
import { readHealth } from './health.ts'
import { deleteMemorySession, exportMemory, importMemory } from './memory/memory-routes.ts'
import { answerMcp } from '../mcp/endpoint.ts'
import { buildServer } from '../mcp/server.ts'
import { respond } from './errors.ts'
import type { App } from '../app.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Largest body of a route that has no limit of its own. */
const SMALL_BYTES = 64 * KIB
export const MCP_BYTES = 8 * MIB
export const IMPORT_BYTES = 16 * MIB

interface RouteBase {
  readonly method: string
  /** A part in braces stands for any one part that is not empty. */
  readonly path: string
  readonly bodyBytes: number
}

export type Route =
  | (RouteBase & {
      readonly access: 'public' | 'admin'
      readonly answer: (request: Request, app: App) => Promise<Response>
    })
  | (RouteBase & {
      readonly access: 'viewer'
      readonly answer: (request: Request, app: App, viewer: Viewer, requestId: string) => Promise<Response>
    })

export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/', access: 'public', bodyBytes: SMALL_BYTES, answer: getFrontPage },
  { method: 'GET', path: '/health', access: 'public', bodyBytes: SMALL_BYTES, answer: getHealth },
  ...toolSet('/mcp'),
  ...toolSet('/mcp/search', 'search'),
  ...toolSet('/mcp/memory', 'memory'),
  ...toolSet('/mcp/music', 'music'),
  { method: 'GET', path: '/memory/export', access: 'viewer', bodyBytes: SMALL_BYTES, answer: getMemoryExport },
  { method: 'POST', path: '/memory/import', access: 'viewer', bodyBytes: IMPORT_BYTES, answer: postMemoryImport },
  ...['/memory/sessions/{session_id}', '/memory/sessions'].map((path): Route => ({
    method: 'DELETE',
    path,
    access: 'viewer',
    bodyBytes: SMALL_BYTES,
    answer: deleteSession,
  })),
  ...ADMIN_ROUTES.map(toAdminRoute),
]

/** A path that offers one set of tools, or all; a set without a tool yet is no path. */
function toolSet(path: string, set?: ToolSet): Route[] {
  const names = listContracts(set).map((contract) => contract.name)
  if (names.length === 0) return []
  return [
    {
      method: 'POST',
      path,
      access: 'viewer',
      bodyBytes: MCP_BYTES,
      answer: (request, { tools, log }, viewer, requestId) => {
        const offered = tools.filter((tool) => names.includes(tool.contract.name))
        return answerMcp(
          request,
          (given, outbox) => buildServer(offered, { viewer, given, requestId, log, splicer: outbox }),
          log,
        )
      },
    },
  ]
}

/** The operator's routes list their handlers; behind the token they answer with a result. */
function toAdminRoute({ method, path, handle }: (typeof ADMIN_ROUTES)[number]): Route {
  return {
    method,
    path,
    access: 'admin',
    bodyBytes: path === '/admin/import' ? IMPORT_BYTES : SMALL_BYTES,
    answer: async (request, { index, now, runMaintenance }) =>
      respond(await handle(request, { index, now, runMaintenance, version: VERSION, schemaVersion: SCHEMA_VERSION })),
  }
}

async function getMemoryExport(_request: Request, { memory }: App, viewer: Viewer): Promise<Response> {
  const lines = await exportMemory(memory, viewer)
  if (!lines.ok) return respond(lines)
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(lines.value, { headers })
}

async function postMemoryImport(request: Request, { memory }: App, viewer: Viewer): Promise<Response> {
  return respond(await importMemory(memory, viewer, request))
}

async function deleteSession(request: Request, { memory }: App, viewer: Viewer): Promise<Response> {
  return respond(await deleteMemorySession(memory, viewer, request))
}

async function getHealth(_request: Request, { index, log }: App): Promise<Response> {
  return respond(ok(await readHealth(index, log)))
}

async function getFrontPage(request: Request): Promise<Response> {
  return toFrontPage(new URL('/mcp', request.url).href)
}
