/**
 * A user's messages over plain HTTP: out as lines, in again as lines, and a
 * session away. For backups and for moving house; nothing a model is offered.
 */
import type { Viewer } from '../../access/viewer.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { parseUtf8 } from '../../base/utf8.ts'
import { parseParameter } from '../../contracts/arguments.ts'
import { parseMessageLines } from '../../contracts/messages/message-lines.ts'
import { sessionId } from '../../contracts/messages/message-parameters.ts'
import type { Memory } from '../../memory/memory.ts'

const utf8 = new TextEncoder()

/**
 * All live messages in the order of creation, read page by page as they are
 * taken. What fails after the first page breaks the stream off, so that half an
 * export is never taken for a whole one.
 */
export async function exportMemory(memory: Memory, { user }: Viewer): Promise<Result<ReadableStream<Uint8Array>>> {
  const first = await memory.exportPage(user, 0)
  if (!first.ok) return first
  let page = first.value
  let isSent = false
  return ok(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (isSent) {
          const next = await memory.exportPage(user, page.next ?? 0)
          if (!next.ok) return controller.error(new Error(next.failure.message))
          page = next.value
        }
        isSent = true
        if (page.lines !== '') controller.enqueue(utf8.encode(page.lines))
        if (page.next === undefined) controller.close()
      },
    }),
  )
}

/** Takes a page of lines in whole or not at all. */
export async function importMemory(memory: Memory, { user }: Viewer, request: Request): Promise<Result<object>> {
  const text = parseUtf8(await request.arrayBuffer())
  if (!text.ok) return text
  const messages = parseMessageLines(text.value)
  if (!messages.ok) return messages
  const imported = await memory.importMessages(user, messages.value)
  return imported.ok ? ok({ status: 'OK', ...imported.value }) : imported
}

/**
 * The session is the last part of the path, percent-encoded, or `session_id` of
 * the query, which can also hold `.` and `..`. One without messages is none.
 */
export async function deleteMemorySession(memory: Memory, { user }: Viewer, request: Request): Promise<Result<object>> {
  const named = parseParameter('session_id', sessionId, readSessionId(new URL(request.url)))
  if (!named.ok) return named
  const deleted = await memory.deleteSession(user, named.value)
  if (!deleted.ok) return deleted
  if (deleted.value.deleted > 0) return ok({ status: 'OK', ...deleted.value })
  return refuse({ code: 'NOT_FOUND', message: 'session_id: no messages are in a session of this id' })
}

/** Undefined when none is given, or one that is not percent-encoded UTF-8. */
function readSessionId({ pathname, searchParams }: URL): string | undefined {
  const part = /^\/memory\/sessions\/(.+)$/.exec(pathname)?.[1]
  if (part === undefined) return searchParams.get('session_id') ?? undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
