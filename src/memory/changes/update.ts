/**
 * Updates a message. Fields that are not given stay. An update that changes no
 * value writes nothing; any other increases the revision by one.
 */
import { ok, refuse } from '../../base/result.ts'
import type { UpdateMessageAnswer, UpdateMessageArguments } from '../../contracts/tools/update-message.ts'
import { findLive, staleRevision, unknownMessage } from '../store/live-message.ts'
import type { Database } from '../store/message-database.ts'
import { changeMetadata, isSame, toMessage, toMetadata } from '../store/message-row.ts'
import { readStore, runChange } from '../store/store-state.ts'
import { replaceMessage } from './put-message.ts'

/** Refuses with NOT_FOUND, or with CONFLICT for another revision than the expected one, even if nothing would change. */
export function updateMessage(database: Database, args: UpdateMessageArguments) {
  return runChange<UpdateMessageAnswer>(database, () => {
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
