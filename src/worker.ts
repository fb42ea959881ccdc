/** The Worker's door. What stands behind it is in entry/. */
import type { Env } from './settings/env.ts'
import { handle } from './http/server.ts'
import { runSchedule } from './schedule.ts'

export { MessageStore } from './message-store.ts'

export default {
  fetch: (request: Request, env: Env) => handle(request, env),
  scheduled: (_controller, env) => runSchedule(env),
} satisfies ExportedHandler<Env>
