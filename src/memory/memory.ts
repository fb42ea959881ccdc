/**
 * The conversation store as its doors see it: a user's call goes to that user's
 * object and to no other, and what goes wrong on the way is a refusal.
 */
import type { Failure } from '../base/failure.ts'
import { refuse, type Result } from '../base/result.ts'
import type { MessageLine } from '../contracts/messages/message-lines.ts'
import type { DeleteMessageAnswer, DeleteMessageArguments } from '../contracts/tools/delete-message.ts'
import type { GetSystemHealthAnswer } from '../contracts/tools/get-system-health.ts'
import type { ReadMessagesAnswer } from '../contracts/tools/read-messages-answers.ts'
import type { ReadMessagesArguments } from '../contracts/tools/read-messages.ts'
import type { RebuildIndexAnswer } from '../contracts/tools/rebuild-index.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../contracts/tools/search-messages.ts'
import type { UpdateMessageAnswer, UpdateMessageArguments } from '../contracts/tools/update-message.ts'
import type { WriteMessageAnswer, WriteMessageArguments } from '../contracts/tools/write-message.ts'
import type { ExportPage, ImportedMessages } from './changes/transfer.ts'

/** One user's object, as it is called from elsewhere. */
export interface StoreOperations {
  write(args: WriteMessageArguments): Promise<Result<WriteMessageAnswer>>
  update(args: UpdateMessageArguments): Promise<Result<UpdateMessageAnswer>>
  delete(args: DeleteMessageArguments): Promise<Result<DeleteMessageAnswer>>
  deleteSession(sessionId: string): Promise<Result<{ deleted: number }>>
  importMessages(messages: readonly MessageLine[]): Promise<Result<ImportedMessages>>
  read(args: ReadMessagesArguments): Promise<Result<ReadMessagesAnswer>>
  search(args: SearchMessagesArguments): Promise<Result<SearchMessagesAnswer>>
  exportPage(after: number): Promise<Result<ExportPage>>
  health(): Promise<Result<GetSystemHealthAnswer>>
  rebuild(): Promise<Result<RebuildIndexAnswer>>
}

/** The same calls for a user, who is always the verified user of the request. */
export type Memory = {
  readonly [Call in keyof StoreOperations]: (
    user: string,
    ...args: Parameters<StoreOperations[Call]>
  ) => ReturnType<StoreOperations[Call]>
}

/** `storeOf` gives the object of a user; it is asked anew for each call, as a stub that failed once stays broken. */
export function toMemory(storeOf: (user: string) => StoreOperations): Memory {
  return {
    write: (user, args) => asked(() => storeOf(user).write(args)),
    update: (user, args) => asked(() => storeOf(user).update(args)),
    delete: (user, args) => asked(() => storeOf(user).delete(args)),
    deleteSession: (user, sessionId) => asked(() => storeOf(user).deleteSession(sessionId)),
    importMessages: (user, messages) => asked(() => storeOf(user).importMessages(messages)),
    read: (user, args) => askedTwice(() => storeOf(user).read(args)),
    search: (user, args) => askedTwice(() => storeOf(user).search(args)),
    exportPage: (user, after) => askedTwice(() => storeOf(user).exportPage(after)),
    health: (user) => askedTwice(() => storeOf(user).health()),
    rebuild: (user) => asked(() => storeOf(user).rebuild()),
  }
}

/** What the runtime adds to an error that a call to an object ended with. */
interface CallError extends Error {
  /** The object was given more than it can take. */
  readonly overloaded?: boolean
  /** The object was not reached, or was stopped before it answered. */
  readonly retryable?: boolean
}

const OVERLOADED: Failure = {
  code: 'BUSY',
  message: 'The message store has more to do than it can.',
  retryAfterMs: 1000,
}

const INTERRUPTED: Failure = {
  code: 'IO_ERROR',
  message: 'The message store was stopped before it answered; a change may or may not have been made.',
  hint: 'Read to see. A write with an idempotency_key can simply be sent again.',
}

async function asked<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await call()
  } catch (error) {
    const failure = toCallFailure(error as CallError)
    if (failure === undefined) throw error
    return refuse(failure)
  }
}

/** A call that changes nothing can be made again. */
async function askedTwice<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  const first = await asked(call)
  return !first.ok && first.failure === INTERRUPTED ? asked(call) : first
}

function toCallFailure({ overloaded, retryable }: CallError): Failure | undefined {
  if (overloaded === true) return OVERLOADED
  return retryable === true ? INTERRUPTED : undefined
}
