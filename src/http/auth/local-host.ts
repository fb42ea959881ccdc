/**
 * Mode `local`: one user, known by being on this machine. A request is answered
 * only when it was sent to a loopback name.
 */
import type { Viewer } from '../../access/viewer.ts'
import { isLoopbackHost } from '../../base/loopback.ts'

/** The one user of this machine, who sees everything its index holds. */
export const LOCAL_VIEWER: Viewer = { user: 'local', privateRepositories: 'all' }

/** Both what the client wrote and what the runtime made of it must name this machine. */
export function isSentToLoopback(request: Request): boolean {
  return isLoopbackHost(request.headers.get('host')) && isLoopbackHost(new URL(request.url).host)
}
