/** The class of the objects that hold messages, given its parts: what wire.ts is for the Worker. */
import { consoleLog } from '../base/log.ts'
import { MessageObject } from '../memory/object.ts'
import type { Env } from './env.ts'

export class MessageStore extends MessageObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, { now: Date.now, log: consoleLog })
  }
}
