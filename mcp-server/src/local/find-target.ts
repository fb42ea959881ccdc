/**
 * Finds the server that a command talks to and the admin token for it: the
 * server that runs on the data folder, unless a URL names another one. The token
 * of a local server is sent to this machine only.
 */
import type { Failure } from '../../../src/base/failure.ts'
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import { inspectLock } from './data-folder.ts'

export interface ServerChoice {
  /** The data folder, absolute. */
  readonly folder: string
  /** An http or https URL. */
  readonly url?: string
}

export interface Target {
  /** A URL of the server; only its origin counts. */
  readonly endpoint: string
  /** Never printed. */
  readonly adminToken: string
}

/** The characters that an authorization header can carry. */
const TOKEN = /^[\x21-\x7e]*$/

/** The port `npm start` listens on unless it is given another. */
export const DEFAULT_PORT = 8787

/** Without a URL and a running server the endpoint is the default port of this machine. */
export function findTarget({ folder, url }: ServerChoice): Result<Target> {
  const given = process.env['KOTODAMA_ADMIN_TOKEN']
  if (given !== undefined && !TOKEN.test(given)) {
    return refuse(
      unavailable('KOTODAMA_ADMIN_TOKEN has a character that no token has: only visible ASCII is accepted.'),
    )
  }
  const isLocal = url === undefined || isThisMachine(new URL(url).host)
  const reading = inspectLock(folder)
  const lock = reading.state === 'present' ? reading.lock : undefined
  if (given) return ok({ endpoint: url ?? lock?.endpoint ?? `http://127.0.0.1:${DEFAULT_PORT}`, adminToken: given })
  if (!isLocal) {
    return refuse(unavailable(`For ${new URL(url).origin} the admin token must be in KOTODAMA_ADMIN_TOKEN.`))
  }
  if (reading.state === 'unreadable') {
    return refuse(unavailable(`lock.json in ${folder} cannot be read: ${reading.problem}`))
  }
  if (reading.state === 'corrupt') {
    return refuse(unavailable(`lock.json in ${folder} is not a lock file.`, 'Start the server again with `npm start`.'))
  }
  if (lock === undefined) {
    const hint = 'Start one with `npm start`, name its folder with --data, or set KOTODAMA_ADMIN_TOKEN.'
    return refuse(unavailable(`No admin token: no server runs on ${folder}.`, hint))
  }
  const endpoint = url ?? lock.endpoint
  if (endpoint === undefined) {
    return refuse(unavailable(`The server on ${folder} (pid ${lock.pid}) is still starting.`, 'Try again in a moment.'))
  }
  return ok({ endpoint, adminToken: lock.secret })
}

function unavailable(message: string, hint?: string): Failure {
  return { code: 'UNAVAILABLE', message, ...(hint !== undefined && { hint }) }
}

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** Whether a host of a URL always names this machine: `127.0.0.1`, `localhost` or `[::1]`, with or without a port. */
export function isThisMachine(host: string): boolean {
  return LOOPBACK_HOST.test(host)
}
