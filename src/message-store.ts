/** The class of the objects that hold messages, given its parts: what wire.ts is for the Worker. */
import { consoleLog } from './base/log.ts'
import { MessageObject } from './memory/object.ts'
import { readEmbedder } from './settings/embedder-settings.ts'
import type { Env } from './settings/env.ts'
import { toEmbedder } from './app.ts'

export class MessageStore extends MessageObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    const embedder = readEmbedder(env)
    // The Worker refuses requests for the sake of a wrong setting; an alarm comes all the same, and does without.
    const parts = { now: Date.now, log: consoleLog, embedder: toEmbedder(embedder.ok ? embedder.value : undefined) }
    super(ctx, env, parts)
  }
}
