/**
 * Changing a message. What is not named stays, a change to what is there already
 * is none, and revisions are 1, 2, 3 without a gap.
 */
import type { Failure } from '../../base/failure.ts'
import { ok, refuse } from '../../base/result.ts'
import type { UpdateMessageAnswer, UpdateMessageArguments } from '../../contracts/tools/update-message.ts'
import type { Database } from '../store/message-database.ts'
import { isSame, changeMetadata, toMessage, toMetadata } from '../store/message-row.ts'
import { findLive, replaceMessage } from './put-message.ts'
import { change, readStore } from '../store/store-state.ts'

export function updateMessage(database: Database, args: UpdateMessageArguments) {
  return change<UpdateMessageAnswer>(database, () => {
    const before = findLive(database, args.message_id)
    if (before === undefined) return { answer: refuse(unknownMessage()) }
    const conflict = staleRevision(args.expected_revision, before.revision)
    if (conflict !== undefined) return { answer: refuse(conflict) }
    const metadata = toMetadata(before)
    const after = {
      content: args.content ?? before.content,
      metadata: changeMetadata(metadata, args.metadata ?? {}),
      revision: before.revision + 1,
      updated_at: Math.max(database.now(), before.updated_at),
    }
    if (after.content === before.content && isSame(after.metadata, metadata)) {
      return { answer: ok({ status: 'OK', changed: false, message: toMessage(before) }) }
    }
    const bytes = replaceMessage(database, readStore(database), before, after)
    const message = { ...toMessage(before), ...after }
    return { answer: ok({ status: 'OK', changed: true, message }), wrote: { calls: 1, bytes } }
  })
}

/** One answer for an id that never was and for one that is deleted. */
export function unknownMessage(): Failure {
  return { code: 'NOT_FOUND', message: 'message_id: no message has this id' }
}

/** A refusal when the caller expects another revision than there is. */
export function staleRevision(expected: number | undefined, revision: number): Failure | undefined {
  if (expected === undefined || expected === revision) return undefined
  return {
    code: 'CONFLICT',
    message: `expected_revision: ${expected} was given, the message is at revision ${revision}`,
    hint: 'Read the message again and decide anew.',
  }
}
