/** The Worker's entry: requests, the scheduled run, and the class of the objects that store messages. */
import { openApp, runScheduled, toObjectParts, type Env } from './app.ts'
import { handle } from './http/server.ts'
import { MessageObject } from './memory/object.ts'

/** The object of one user. wrangler.toml names this class. */
export class MessageStore extends MessageObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, toObjectParts(env))
  }
}

export default {
  fetch: (request: Request, env: Env) => handle(request, openApp(env)),
  scheduled: (_controller, env) => runScheduled(env),
} satisfies ExportedHandler<Env>
