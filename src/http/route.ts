/**
 * The types of the HTTP door: a route, the request that its handler receives,
 * and the parts of the application that handlers use. app.ts builds those parts.
 */
import type { Viewer } from '../access/viewer.ts'
import type { Log } from '../base/log.ts'
import type { Settings } from '../contracts/settings/read-settings.ts'
import type { Index } from '../index/sql/index-database.ts'
import type { VectorIndex } from '../index/vectors/vector-index.ts'
import type { IngestDependencies } from '../ingest/ingest-dependencies.ts'
import type { MaintenanceSummary } from '../ingest/maintenance-run.ts'
import type { Tool } from '../mcp/tool.ts'
import type { Memory } from '../memory/memory.ts'

export interface App {
  readonly settings: Pick<Settings, 'mode' | 'allowedOrigins' | 'adminToken'>
  readonly ingest: IngestDependencies
  readonly index: Index
  readonly vectors: VectorIndex
  readonly memory: Memory
  readonly tools: readonly Tool[]
  /** `isForced`: also what failed before and waits for its next try. */
  readonly runMaintenance: (isForced?: boolean) => Promise<MaintenanceSummary>
  readonly log: Log
  /** Unix milliseconds. */
  readonly now: () => number
  readonly newRequestId: () => string
}

/** A request that has passed the door, with its path matched and its body read. */
export interface RouteRequest {
  /** Names the request in the log. */
  readonly id: string
  readonly url: URL
  readonly headers: Headers
  /** The parts of the path that the route names, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** The whole body, which is at most as large as the route allows; empty when there is none. */
  readonly body: ArrayBuffer
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
}

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** A pathname of URLPattern: `:name` matches one part of the path, which the handler receives. */
  readonly path: string
  readonly maxBodyBytes: number
  /** A refusal that needs no body; then none is read. */
  readonly refuse?: (headers: Headers, app: App) => Response | undefined
}

/** A `viewer` route receives the viewer, an `admin` route needs the admin token, a `public` one needs neither. */
export type Route =
  | (RouteBase & {
      readonly access: 'public' | 'admin'
      readonly answer: (request: RouteRequest, app: App) => Response | Promise<Response>
    })
  | (RouteBase & {
      readonly access: 'viewer'
      readonly answer: (request: RouteRequest, app: App, viewer: Viewer) => Response | Promise<Response>
    })
