/**
 * Which server a script talks to, and with which admin token: the server that
 * runs on the data folder, unless `--url` names another. The secret of a local
 * server goes to this machine only.
 */
import type { Failure } from '../../../src/base/failure.ts'
import { isLoopbackHost } from '../../../src/base/loopback.ts'
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import { readLock } from './data-folder.ts'

export interface Target {
  readonly endpoint: string
  /** Never printed. */
  readonly adminToken: string
}

/** `folder` is the data folder; `url`, where given, an http or https address. */
export function findTarget(folder: string, url: string | undefined): Result<Target> {
  const lock = readLock(folder)
  // A local server's secret goes to that server, not to whatever address was typed.
  const local = url === undefined || isLoopbackHost(new URL(url).host)
  const adminToken = process.env['KOTODAMA_ADMIN_TOKEN'] || (local ? lock?.secret : undefined)
  if (adminToken !== undefined) return ok({ endpoint: url ?? lock?.endpoint ?? 'http://127.0.0.1:8787', adminToken })
  if (!local) {
    return refuse(unavailable(`For ${new URL(url).origin} the admin token must be in KOTODAMA_ADMIN_TOKEN.`))
  }
  const hint = 'Start one with `npm start`, name its folder with --data, or set KOTODAMA_ADMIN_TOKEN.'
  return refuse(unavailable(`No admin token: ${folder} has no lock.json of a running server.`, hint))
}

/** What is wrong with an address typed for `--url`; undefined when nothing is. */
export function urlProblem(url: string | undefined): string | undefined {
  if (url === undefined || (/^https?:\/\//.test(url) && URL.canParse(url))) return undefined
  return `--url takes an http:// or https:// address, not ${JSON.stringify(url)}`
}

function unavailable(message: string, hint?: string): Failure {
  return { code: 'UNAVAILABLE', message, ...(hint !== undefined && { hint }) }
}
