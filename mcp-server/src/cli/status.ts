/**
 * `npm run status`: prints what a server has in its index, how far each source
 * is read and which work is pending: a table for people, or with `--json` the
 * server's own answer.
 */
import { ok } from '../../../src/base/result.ts'
import { AdminClient } from '../admin-client.ts'
import { findTarget, type ServerChoice } from '../local/find-target.ts'
import { EXIT, runCommand, type CliCommand } from './terminal/command.ts'
import { parseServerFlags, SERVER_FLAGS, TOKEN_NOTE } from './terminal/server-flags.ts'
import { formatStatus } from './status-table.ts'

const FLAGS = {
  json: { type: 'boolean', help: "print the server's answer as it is" },
  ...SERVER_FLAGS,
} as const

interface StatusOptions {
  readonly json: boolean
  readonly server: ServerChoice
}

export const STATUS: CliCommand<typeof FLAGS, StatusOptions> = {
  name: 'status',
  about: 'Shows what a running server has in its index, how far each source is read, and pending work.',
  flags: FLAGS,
  notes: [TOKEN_NOTE],

  parse(values) {
    const server = parseServerFlags(values)
    return server.ok ? ok({ json: values.json, server: server.value }) : server
  },

  async run({ json, server }) {
    const target = findTarget(server)
    if (!target.ok) return target
    const status = await new AdminClient(target.value).readStatus()
    if (!status.ok) return status
    const { endpoint } = target.value
    console.log(json ? JSON.stringify(status.value, undefined, 2) : formatStatus(endpoint, status.value, Date.now()))
    return ok(EXIT.done)
  },
}

if (import.meta.main) await runCommand(STATUS)
