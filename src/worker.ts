/** The Worker's door. What stands behind it is in entry/. */
import type { Env } from './entry/env.ts'
import { handle } from './entry/handle.ts'
import { runSchedule } from './entry/schedule.ts'

export { MessageStore } from './entry/message-store.ts'

export default {
  fetch: (request: Request, env: Env) => handle(request, env),
  scheduled: (_controller, env) => runSchedule(env),
} satisfies ExportedHandler<Env>
