import { expect, test } from 'vitest'
import { settingsOf } from '../../../mcp-server/src/local/worker-settings.ts'
import { GITHUB_SETTINGS } from '../../../src/contracts/settings/github-settings.ts'

test('every setting of GitHub in the environment reaches the Worker', () => {
  const given = Object.fromEntries(Object.keys(GITHUB_SETTINGS).map((name) => [name, `value of ${name}`]))
  expect(settingsOf({ ...given, PATH: '/bin', GITHUB_ACTIONS: 'true' })).toEqual(given)
})

test("the mode and the admin token are the local server's own, and an empty setting is absent", () => {
  expect(settingsOf({ AUTH_MODE: 'token', ADMIN_TOKEN: 'x', GITHUB_TOKEN: '' })).toEqual({})
})
