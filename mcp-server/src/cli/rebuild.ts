/**
 * `npm run rebuild`: makes a running server derive words, links and vectors of
 * all stored documents again. Each call does a bounded part. When the command
 * ends before the rebuild does, the server's maintenance runs finish it.
 */
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import type { RebuildAnswer } from '../../../src/contracts/admin/rebuild-contract.ts'
import { AdminClient } from '../admin-client.ts'
import { findTarget, type ServerChoice } from '../local/find-target.ts'
import { EXIT, runCommand, type CliCommand, type ExitCode } from './terminal/command.ts'
import { MAX_IDLE_CALLS } from './limits.ts'
import { progressMeter } from './terminal/progress-meter.ts'
import { parseServerFlags, SERVER_FLAGS, TOKEN_NOTE } from './terminal/server-flags.ts'

const FLAGS = {
  'dry-run': { type: 'boolean', help: 'only print how much there is to do' },
  resume: { type: 'boolean', help: 'continue a rebuild that is running; start none' },
  ...SERVER_FLAGS,
} as const

interface RebuildOptions {
  readonly dryRun: boolean
  readonly resume: boolean
  readonly server: ServerChoice
}

export const REBUILD: CliCommand<typeof FLAGS, RebuildOptions> = {
  name: 'rebuild',
  about:
    'Derives words, links and vectors of all stored documents again. Search answers meanwhile. Interrupted, the server finishes the rebuild by itself.',
  flags: FLAGS,
  notes: [TOKEN_NOTE],

  parse(values) {
    const server = parseServerFlags(values)
    return server.ok ? ok({ dryRun: values['dry-run'], resume: values.resume, server: server.value }) : server
  },

  async run({ dryRun, resume, server }) {
    const target = findTarget(server)
    if (!target.ok) return target
    const client = new AdminClient(target.value)
    if (!dryRun) return rebuildAll(client, resume)
    const answer = await client.rebuild({ dryRun, resume })
    if (!answer.ok) return answer
    console.log(`A rebuild would derive words and links of ${answer.value.documents} documents.`)
    return ok(EXIT.done)
  },
}

/** Calls until the server is done, or until calls bring no progress. */
async function rebuildAll(client: AdminClient, resumeOnly: boolean): Promise<Result<ExitCode>> {
  const meter = progressMeter()
  let resume = resumeOnly
  let [last, idleCalls] = ['', 0]
  while (idleCalls < MAX_IDLE_CALLS) {
    const answer = await client.rebuild({ dryRun: false, resume })
    if (!answer.ok) {
      meter.end()
      return answer
    }
    if (answer.value.done) {
      meter.end()
      console.log(toDoneText(answer.value))
      return ok(EXIT.done)
    }
    const left = toLeftText(answer.value)
    idleCalls = left === last ? idleCalls + 1 : 0
    last = left
    meter.show(left, left)
    // The rebuild is running now: the next call must not start another one.
    resume = true
  }
  meter.end()
  return refuse({
    code: 'UNAVAILABLE',
    message: `The rebuild makes no progress (${last}).`,
    hint: 'The server tries again by itself; `npm run status` shows the reason.',
  })
}

function toDoneText({ documents, left: { vectors } }: RebuildAnswer): string {
  const later = vectors > 0 ? ` The vectors of ${vectors} follow as the embedder makes them.` : ''
  return `${documents} documents are rebuilt.${later}`
}

function toLeftText({ documents, left }: RebuildAnswer): string {
  const counts = Object.entries(left).map(([kind, count]) => `${kind} ${count}`)
  return `left of ${documents} documents: ${counts.join(', ')}`
}

if (import.meta.main) await runCommand(REBUILD)
