import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { isLoopbackHost, isLoopbackOrigin } from '../../../src/http/auth/loopback-checks.ts'

const HOSTS = localhostAllowedHostnames()
const ORIGINS = localhostAllowedOrigins()

test('a loopback name or address is accepted with any port', () => {
  for (const host of ['localhost', '127.0.0.1:80', '[::1]', '[::1]:8787', 'LOCALHOST:65535']) {
    expect([host, isLoopbackHost(host)]).toEqual([host, true])
    expect([host, isLoopbackOrigin(`http://${host}`)]).toEqual([host, true])
    expect([host, isLoopbackOrigin(`https://${host}`)]).toEqual([host, true])
  }
})

test('names other than those of loopback, and names that only contain one, are refused', () => {
  for (const host of ['', 'example.com', 'localhost.', 'localhost.example.com', '127.0.0.2', '0.0.0.0', '[::2]']) {
    expect([host, isLoopbackHost(host)]).toEqual([host, false])
    expect([host, isLoopbackOrigin(`http://${host}`)]).toEqual([host, false])
  }
  expect(isLoopbackHost(null)).toBe(false)
})

test.each(['user@localhost', 'user:pass@127.0.0.1:80', 'localhost/path', 'localhost?x', 'localhost#x', 'localhost\\x'])(
  'the host %s is refused, which the MCP server package accepts',
  (host) => {
    expect(validateHostHeader(host, HOSTS).ok).toBe(true)
    expect(isLoopbackHost(host)).toBe(false)
  },
)

test.each(['', 'capacitor://localhost', 'ftp://localhost', 'http://user@localhost', 'http://localhost/path'])(
  'the origin %j is refused, which the MCP server package accepts',
  (origin) => {
    expect(validateOriginHeader(origin, ORIGINS).ok).toBe(true)
    expect(isLoopbackOrigin(origin)).toBe(false)
  },
)

test('the MCP server package cannot allow an origin by scheme and port, so listed origins are compared whole', () => {
  const hosts = [new URL('https://inspector.example').hostname]
  expect(validateOriginHeader('http://inspector.example:8080', hosts).ok).toBe(true)
})
