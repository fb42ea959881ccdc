/** Recognises host names that always mean this machine. */

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** `127.0.0.1`, `localhost` or `[::1]`, with or without a port. */
export function isLoopbackHost(host: string | null): boolean {
  return host !== null && LOOPBACK_HOST.test(host)
}
