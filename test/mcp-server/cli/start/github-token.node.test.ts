import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findGitHubCredential } from '../../../../mcp-server/src/cli/start/github-token.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kotodama-gh-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** An environment with a `gh` that runs this script. */
function withGh(script: string): Record<string, string> {
  writeFileSync(join(folder, 'gh'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'gh'), 0o755)
  return { PATH: `${folder}${delimiter}/usr/bin${delimiter}/bin` }
}

const LOGGED_IN = 'if [ "$*" = "auth token --hostname github.com" ]; then echo secret-of-gh; else exit 1; fi'

test('an App and a token of the environment are used as they are, and the GitHub CLI is not asked', async () => {
  const environment = withGh(LOGGED_IN)
  expect(await findGitHubCredential({ ...environment, GITHUB_TOKEN: 'x' })).toEqual({
    owner: 'the token of GITHUB_TOKEN',
  })
  const app = await findGitHubCredential({ ...environment, GITHUB_TOKEN: 'x', GITHUB_APP_ID: '17' })
  expect(app).toEqual({ owner: 'the GitHub App 17' })
})

test('without them the token of the GitHub CLI is used, and its owner is named without it', async () => {
  const found = await findGitHubCredential(withGh(LOGGED_IN))
  expect(found).toEqual({ token: 'secret-of-gh', owner: 'the token of the GitHub CLI (gh) for github.com' })
})

test.each(['https://ghe.example.com/api/v3', 'http://127.0.0.1:4000/api/v3'])(
  'a token for github.com is not used for the server %s',
  async (url) => {
    const found = await findGitHubCredential({ ...withGh(LOGGED_IN), GITHUB_API_URL: url })
    expect(found.token).toBeUndefined()
    expect(found.owner).toContain('no token')
  },
)

test.each(['exit 4', 'echo "gh: not logged in"', 'true'])(
  'a GitHub CLI that answers with `%s` gives no token',
  async (script) => {
    expect((await findGitHubCredential(withGh(script))).token).toBeUndefined()
  },
)

test('without a GitHub CLI there is no token', async () => {
  expect(await findGitHubCredential({ PATH: folder })).toMatchObject({
    owner: expect.stringContaining('60 requests an hour') as string,
  })
})
