/** Chooses the parts once for an environment: the only file that knows what stands behind an interface. */
import { consoleLog, type Log } from '../base/log.ts'
import type { Index } from '../index/database.ts'
import { search } from '../search/search.ts'
import { toTools } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import type { Env, Settings } from './env.ts'

export interface App {
  readonly settings: Settings
  readonly index: Index
  readonly tools: readonly Tool[]
  readonly log: Log
  readonly now: () => number
  readonly newRequestId: () => string
}

export function wire(env: Env, settings: Settings): App {
  const index: Index = { database: env.DB }
  const now = Date.now
  return {
    settings,
    index,
    tools: toTools({ search: (viewer, args) => search({ index, now }, viewer, args), now }),
    log: consoleLog,
    now,
    newRequestId: () => crypto.randomUUID(),
  }
}
