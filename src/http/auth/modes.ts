/**
 * The rules of each AUTH_MODE, one row per mode: which hosts a request may be
 * sent to, which origins may call, and who the caller is.
 */
import type { Viewer } from '../../access/viewer.ts'
import type { ServedMode } from '../../contracts/settings/settings.ts'
import { isLoopbackHost, isLoopbackOrigin } from './loopback-checks.ts'

interface ModeRules {
  /** `host` is the Host header; `url` is the URL that the runtime made of the request. */
  readonly acceptsHost: (host: string | null, url: URL) => boolean
  /** The hosts that are accepted, for the refusal of another. */
  readonly hosts: string
  /** Origins that may call without being listed in ALLOWED_ORIGINS. */
  readonly acceptsOrigin: (origin: string) => boolean
  readonly viewer: Viewer
}

export const MODE_RULES: Readonly<Record<ServedMode, ModeRules>> = {
  // One user, identified by the use of this machine, who may read everything in its index.
  local: {
    acceptsHost: (host, url) => isLoopbackHost(host) && isLoopbackHost(url.host),
    hosts: '127.0.0.1, localhost or [::1]',
    acceptsOrigin: isLoopbackOrigin,
    viewer: { user: 'local', privateRepositories: 'all' },
  },
}
