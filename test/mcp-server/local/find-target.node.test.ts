import { expect, test } from 'vitest'
import { isThisMachine } from '../../../mcp-server/src/local/find-target.ts'

test('Only hosts that always name this machine are this machine.', () => {
  for (const host of ['localhost', '127.0.0.1:80', '[::1]', 'LOCALHOST:65535']) expect(isThisMachine(host)).toBe(true)
  for (const host of ['', '127.0.0.2', '127.1', 'localhost.', 'a.localhost', '::1', '127.0.0.1:']) {
    expect(isThisMachine(host)).toBe(false)
  }
})
