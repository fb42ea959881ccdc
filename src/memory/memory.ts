/**
 * Client of the conversation store: sends a call to the Durable Object of one
 * user and turns a call that failed on the way into a refusal.
 */
import type { Failure } from '../base/failure.ts'
import { refuse, type Result } from '../base/result.ts'
import type { MessageObject } from './object.ts'

/** Methods of the object that callers use. */
type OperationName =
  | 'write'
  | 'update'
  | 'delete'
  | 'deleteSession'
  | 'importMessages'
  | 'rebuild'
  | 'read'
  | 'search'
  | 'exportPage'
  | 'health'

type OperationArguments<Name extends OperationName> = Parameters<MessageObject<unknown>[Name]>

type OperationResult<Name extends OperationName> = Result<
  Extract<Awaited<ReturnType<MessageObject<unknown>[Name]>>, { readonly ok: true }>['value']
>

/** The operations of one user's store, as its stub offers them over RPC. */
export type StoreOperations = {
  readonly [Name in OperationName]: (...args: OperationArguments<Name>) => Promise<OperationResult<Name>>
}

/** The operations of every store. `user` is the verified user of the request, never an argument of a tool call. */
export type Memory = {
  readonly [Name in OperationName]: (user: string, ...args: OperationArguments<Name>) => Promise<OperationResult<Name>>
}

/** Each call asks `storeOf` for a new stub, because a stub that failed once stays broken. */
export function toMemory(storeOf: (user: string) => StoreOperations): Memory {
  const once =
    <Name extends OperationName>(name: Name) =>
    (user: string, ...args: OperationArguments<Name>): Promise<OperationResult<Name>> =>
      callOnce(() => storeOf(user)[name](...args))
  const repeatable =
    <Name extends OperationName>(name: Name) =>
    (user: string, ...args: OperationArguments<Name>): Promise<OperationResult<Name>> =>
      callTwiceAtMost(() => storeOf(user)[name](...args))
  return {
    write: once('write'),
    update: once('update'),
    delete: once('delete'),
    deleteSession: once('deleteSession'),
    importMessages: once('importMessages'),
    rebuild: once('rebuild'),
    read: repeatable('read'),
    search: repeatable('search'),
    exportPage: repeatable('exportPage'),
    health: repeatable('health'),
  }
}

/** The runtime's marks on an error of a call to an object. */
interface CallError extends Error {
  /** The object has too many requests waiting. */
  readonly overloaded?: boolean
  /** The object was not reached, or stopped before it answered. */
  readonly retryable?: boolean
}

const OVERLOADED: Failure = {
  code: 'BUSY',
  message: 'The message store has too many requests waiting.',
  retryAfterMs: 1000,
}

const INTERRUPTED: Failure = {
  code: 'IO_ERROR',
  message: 'The message store stopped before it answered. A change may or may not have been made.',
  hint: 'Read the messages to find out. A write with an idempotency_key can be repeated safely.',
}

/** Rethrows an error that is a bug. */
async function callOnce<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await call()
  } catch (error) {
    const failure = toCallFailure(error as CallError)
    if (failure === undefined) throw error
    return refuse(failure)
  }
}

/** For calls that change nothing: one that was interrupted is made a second time. */
async function callTwiceAtMost<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  const first = await callOnce(call)
  return !first.ok && first.failure === INTERRUPTED ? callOnce(call) : first
}

function toCallFailure({ overloaded, retryable }: CallError): Failure | undefined {
  if (overloaded === true) return OVERLOADED
  return retryable === true ? INTERRUPTED : undefined
}
