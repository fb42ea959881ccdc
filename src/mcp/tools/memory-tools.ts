/**
 * The tools of the conversation store. Each parses its arguments and calls the
 * store of the viewer's user. The user comes from the request's access; no
 * argument of a call can name one.
 */
import { ok, refuse, type Result } from '../../base/result.ts'
import { listIgnored, withIgnored } from '../../contracts/messages/ignored-arguments.ts'
import type { ToolContract } from '../../contracts/tool-contract.ts'
import { deleteMessageTool, parseDeleteMessageArguments } from '../../contracts/tools/delete-message.ts'
import { getSystemHealthTool, parseGetSystemHealthArguments } from '../../contracts/tools/get-system-health.ts'
import { parseReadMessagesArguments, readMessagesTool } from '../../contracts/tools/read-messages.ts'
import { parseRebuildIndexArguments, rebuildIndexTool } from '../../contracts/tools/rebuild-index.ts'
import { parseSearchMessagesArguments, searchMessagesTool } from '../../contracts/tools/search-messages.ts'
import { parseUpdateMessageArguments, updateMessageTool } from '../../contracts/tools/update-message.ts'
import { parseWriteMessageArguments, writeMessageTool } from '../../contracts/tools/write-message.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Tool } from '../tool.ts'

/** `now` is in Unix milliseconds. */
export function toMemoryTools(memory: Memory, now: () => number) {
  return {
    write_message: toTool(
      writeMessageTool,
      (given) => parseWriteMessageArguments(given, now()),
      (user, args) => memory.write(user, args),
    ),
    update_message: toTool(
      updateMessageTool,
      (given) => parseUpdateMessageArguments(given, now()),
      (user, args) => memory.update(user, args),
    ),
    read_messages: toTool(readMessagesTool, parseReadMessagesArguments, (user, args) => memory.read(user, args)),
    search_messages: toTool(searchMessagesTool, parseSearchMessagesArguments, (user, args) =>
      memory.search(user, args),
    ),
    delete_message: toTool(deleteMessageTool, parseDeleteMessageArguments, (user, args) => memory.delete(user, args)),
    rebuild_index: toTool(rebuildIndexTool, parseRebuildIndexArguments, (user) => memory.rebuild(user)),
    get_system_health: toTool(getSystemHealthTool, parseGetSystemHealthArguments, (user) => memory.health(user)),
  }
}

function toTool<Arguments, Answer extends Record<string, unknown>>(
  contract: ToolContract,
  parse: (given: unknown) => Result<Arguments>,
  call: (user: string, args: Arguments) => Promise<Result<Answer>>,
): Tool {
  return {
    contract,
    async run({ user }, given) {
      const ignored = listIgnored(contract, given)
      const args = parse(given)
      if (!args.ok) return refuse(withIgnored(args.failure, ignored))
      const answer = await call(user, args.value)
      if (!answer.ok) return answer
      return ok({ answer: { ...answer.value, ...(ignored.length > 0 && { ignored }) }, repositories: [] })
    },
  }
}
