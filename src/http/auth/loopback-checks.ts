/**
 * The Host and Origin checks against DNS rebinding and pages of other sites. The
 * MCP server package compares the name; it looks at nothing else, so it accepts
 * `user@localhost` as a host and `capacitor://localhost` as an origin. The
 * patterns here refuse those first.
 */
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'

/** A name or an address, and possibly a port: no user, path, query or fragment. */
const HOST_AND_PORT = /^[\w.:[\]-]+$/
const WEB_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/i

/** `127.0.0.1`, `localhost` or `[::1]`, with or without a port. */
export function isLoopbackHost(host: string | null): boolean {
  return host !== null && HOST_AND_PORT.test(host) && validateHostHeader(host, localhostAllowedHostnames()).ok
}

/** An http or https origin on loopback, with any port. */
export function isLoopbackOrigin(origin: string): boolean {
  return WEB_ORIGIN.test(origin) && validateOriginHeader(origin, localhostAllowedOrigins()).ok
}
