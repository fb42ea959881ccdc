/** Reads the requested view. */
import type { Result } from '../../base/result.ts'
import type { ReadMessagesAnswer } from '../../contracts/tools/read-messages-answers.ts'
import type { ReadMessagesArguments } from '../../contracts/tools/read-messages.ts'
import type { Database } from '../store/message-database.ts'
import { readContent } from './content.ts'
import { readContext } from './context.ts'
import { readHistory } from './history.ts'
import { readSessions } from './sessions.ts'

export function readView(database: Database, args: ReadMessagesArguments): Result<ReadMessagesAnswer> {
  switch (args.view) {
    case 'history':
      return readHistory(database, args)
    case 'content':
      return readContent(database, args)
    case 'context':
      return readContext(database, args)
    case 'sessions':
      return readSessions(database, args)
    default:
      return args satisfies never
  }
}
