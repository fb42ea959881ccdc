/** The Worker's door. What stands behind it is in entry/. */
import type { Env } from './entry/env.ts'
import { handle } from './entry/handle.ts'

export default {
  fetch: (request: Request, env: Env) => handle(request, env),
} satisfies ExportedHandler<Env>
