/**
 * A user's messages over plain HTTP: export and import as NDJSON, and deletion
 * of a session. For backups and for moving to another server; no tool offers it.
 */
import type { Viewer } from '../../access/viewer.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { parseUtf8 } from '../../base/utf8.ts'
import { parseParameter } from '../../contracts/arguments.ts'
import { parseMessageLines } from '../../contracts/messages/message-lines.ts'
import { sessionId } from '../../contracts/messages/message-parameters.ts'
import type { Memory } from '../../memory/memory.ts'
import { respond, respondFailure, respondLines } from '../errors.ts'
import type { App, RouteRequest } from '../route.ts'

/** `GET /memory/export`: all messages that are not deleted, in the order of creation. */
export async function exportMemory(_request: RouteRequest, { memory }: App, { user }: Viewer): Promise<Response> {
  const lines = await openExport(memory, user)
  return lines.ok ? respondLines(lines.value) : respondFailure(lines.failure)
}

/** `POST /memory/import`: the lines of an export, stored all or none. */
export async function importMemory({ body }: RouteRequest, { memory }: App, { user }: Viewer): Promise<Response> {
  const text = parseUtf8(body)
  if (!text.ok) return respondFailure(text.failure)
  const messages = parseMessageLines(text.value)
  if (!messages.ok) return respondFailure(messages.failure)
  const imported = await memory.importMessages(user, messages.value)
  return respond(imported.ok ? ok({ status: 'OK', ...imported.value }) : imported)
}

/**
 * `DELETE /memory/sessions/:session_id`, or `/memory/sessions?session_id=`, which
 * can also name the sessions `.` and `..`. NOT_FOUND for a session without messages.
 */
export async function deleteMemorySession(
  { parameters, url }: RouteRequest,
  { memory }: App,
  { user }: Viewer,
): Promise<Response> {
  const given = parameters['session_id'] ?? url.searchParams.get('session_id') ?? undefined
  const session = parseParameter('session_id', sessionId, given)
  if (!session.ok) return respondFailure(session.failure)
  const deleted = await memory.deleteSession(user, session.value)
  if (!deleted.ok) return respondFailure(deleted.failure)
  if (deleted.value.deleted > 0) return respond(ok({ status: 'OK', ...deleted.value }))
  return respond(refuse({ code: 'NOT_FOUND', message: 'session_id: no messages are in a session of this id' }))
}

/**
 * The lines of an export, read from the store one page at a time as the client
 * takes them. A failure after the first page breaks the stream off, so that a
 * client can't mistake a part of an export for the whole.
 */
async function openExport(memory: Memory, user: string): Promise<Result<ReadableStream<Uint8Array>>> {
  const first = await memory.exportPage(user, 0)
  if (!first.ok) return first
  const utf8 = new TextEncoder()
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
