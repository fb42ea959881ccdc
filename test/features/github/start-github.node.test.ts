/** `npm start -- --github` as a user sees it, beside a scripted GitHub over HTTP. */
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { GitSandbox } from '../../support/git-sandbox.ts'
import { useStartWorld } from '../../support/github/start-world.ts'
import { StartedProduct, startWithGitHub, until } from '../../support/github/started-product.ts'
import { startScriptedServer } from '../../support/github/server/http-server.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'
import { startServer } from '../../support/started-server.ts'

const world = useStartWorld()

const dataFolder = (): string => join(world.folder, 'data')

function runStatus(): { readonly code: number | null; readonly out: string; readonly err: string } {
  const args = ['mcp-server/src/cli/status.ts', '--data', dataFolder()]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  return { code: status, out: stdout, err: stderr }
}

test('start reads a repository, says whose token it uses and what the limit leaves, and shows progress, a summary and an example', async () => {
  const github = await world.createSample(3)
  await github.set({ latencyMs: 150 })
  const started = startWithGitHub(dataFolder(), github, ['--github', 'acme/app'])
  const product = new StartedProduct(await started.serves())
  await started.says('GitHub: acme/app, with the token of GITHUB_TOKEN.')
  // Somebody looks at the front page while it is read.
  const reading = await until('the page that renews itself', async () => {
    const page = await product.frontPage()
    return page.includes('<meta http-equiv="refresh"') && page.includes('<caption>acme/app') && page
  })
  expect(reading).toMatch(/<th scope="row">issues<\/th><td>(?:reading|current)</)
  expect(reading).not.toContain('<script')
  // The limit comes before anything is read.
  await started.says(/GitHub: 4,999 of 5,000 requests left until \d\d:\d\d\.\n/)
  await started.says(/^acme\/app: .*; diffs [\d,]+.*; \d of 9 done/m)
  await started.says(/acme\/app: 120 issues, 36 pull requests, .* \(\d+ requests\)/)
  await started.says(/Example: search \{"query":".+","repo":"acme\/app"\}/)
  expect(started.out() + started.err()).not.toContain(github.token)

  const { code, out } = runStatus()
  expect(code).toBe(0)
  expect(out).toMatch(/GitHub: with a token, [\d,]+ of 5,000 requests left until \d\d:\d\d, webhook on/)
  const { documents } = await github.expected()
  const rows = documents.filter(({ type }) => type === 'issue').length
  expect(out).toMatch(new RegExp(`^ {2}issues +current +${rows} `, 'm'))
  expect(out.match(/^ {2}[a-z ]+ current /gm)).toHaveLength(9)
  const done = await product.frontPage()
  expect(done).not.toContain('http-equiv="refresh"')
  expect(done).toContain('<caption>acme/app')
  expect((await product.search({ query: 'newest parser issue', repo: 'acme/app' })).length).toBeGreaterThan(0)

  started.interrupt()
  expect(await started.ends()).toBe(0)
})

test('start with --no-index reads nothing by itself, and everything by the route', async () => {
  const github = await world.createSample()
  const { server, product } = await world.serve(github)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await github.requests()).toEqual([])
  expect(server.out() + server.err()).not.toContain('GitHub: acme/app')
  expect(await product.repository()).toMatchObject({ configured: true })
  await product.pollToEnd()
  const { documents } = await github.expected()
  const { documents: rows } = (await product.repository())!
  expect(Object.values(rows).reduce((sum, count) => sum + count, 0)).toBe(documents.length)
})

test.each(['acme', 'acme/app/issues', 'https://github.com/acme/app', 'acme/', 'acme app'])(
  'start refuses --github %s in one line that says what is accepted',
  async (name) => {
    const github = await world.createGitHub()
    const started = startWithGitHub(dataFolder(), github, ['--github', name])
    expect(await started.ends()).toBe(2)
    expect(started.err()).toContain('--github')
    expect(started.err()).toContain(`${JSON.stringify(name)} is not owner/name`)
    expect(started.err()).not.toMatch(/\n\s+at /)
  },
)

test('a repository that does not exist is said once and shown by status, and start reads it once it exists', async () => {
  const github = await world.createGitHub()
  const started = startWithGitHub(dataFolder(), github, ['--github', 'acme/nothing'])
  const product = new StartedProduct(await started.serves())
  await started.says('acme/nothing: nothing is read: GitHub has no repository acme/nothing')
  expect((await product.repository('acme/nothing'))!.surfaces.map(({ state }) => state)).toEqual(
    Array.from({ length: 9 }, () => 'unreadable'),
  )
  expect((await product.search({ query: 'anything at all' })).length).toBe(0)
  await github.edit({ do: 'create_repository', repo: 'acme/nothing' })
  await github.edit({ do: 'open_issue', repo: 'acme/nothing', title: 'The lamp flickers', body: 'Only at dusk.' })
  await product.pollToEnd('?force=true')
  expect((await product.search({ query: 'lamp flickers' }))[0]).toMatchObject({ number: 1 })
})

test('a private repository that the token may not read looks like one that does not exist, and leaks nothing', async () => {
  const github = await world.createGitHub()
  await github.edit({ do: 'create_repository', repo: 'acme/app', private: true })
  await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Secret plan', body: 'Never shown.' })
  await github.grant('github_pat_other', { repositories: [], permissions: 'all', push: false, login: 'ren' })
  const started = startWithGitHub(dataFolder(), github, ['--github', 'acme/app'], { GITHUB_TOKEN: 'github_pat_other' })
  const product = new StartedProduct(await started.serves())
  await started.says('acme/app: nothing is read: GitHub has no repository acme/app')
  expect((await product.search({ query: 'secret plan' })).length).toBe(0)
  expect(started.out() + started.err()).not.toContain('github_pat_other')
  expect((await product.repository())!.surfaces[0]!.last_error).toContain('GitHub has no repository acme/app')
})

test('a token that GitHub refuses is named as the cause, and the token is not shown', async () => {
  const github = await world.createSample()
  const started = startWithGitHub(dataFolder(), github, ['--github', 'acme/app'], { GITHUB_TOKEN: 'github_pat_wrong' })
  const product = new StartedProduct(await started.serves())
  await started.says(/401|Bad credentials|credential/)
  expect(started.out() + started.err()).not.toContain('github_pat_wrong')
  const { surfaces } = (await product.repository())!
  expect(surfaces.every(({ last_error: error }) => error !== undefined)).toBe(true)
})

test('without a token start says so, stays within 60 requests an hour, and says when it goes on', async () => {
  const github = await world.createSample(3)
  const started = startWithGitHub(dataFolder(), github, ['--github', 'acme/app'], {
    GITHUB_TOKEN: '',
    PATH: '/nonexistent',
  })
  const product = new StartedProduct(await started.serves())
  await started.says('no token: public repositories only, 60 requests an hour')
  await until('it waits for the limit', async () => {
    const { surfaces } = (await product.repository()) ?? { surfaces: [] }
    return surfaces.some(({ state, retry_at: retryAt }) => state === 'waiting' && retryAt !== undefined)
  })
  const requests = await github.requests()
  expect(requests.length).toBeLessThanOrEqual(60)
  expect(requests.every(({ authorization }) => authorization === undefined)).toBe(true)
  expect(requests.some(({ path }) => path.includes('/graphql'))).toBe(false)
  // Rows of before the limit are found.
  expect((await product.search({ query: 'parser crashes on an empty file' })).length).toBeGreaterThan(0)
  await started.says(/\d\d:\d\d/)
})

test('start serves while GitHub is down, and reads once it is back', async () => {
  // A port without a listener, until GitHub is back there.
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const urls = (id: string) => {
    const origin = `http://127.0.0.1:${port}/w/${id}`
    return {
      GITHUB_API_URL: `${origin}/api/v3`,
      GITHUB_GRAPHQL_URL: `${origin}/api/graphql`,
      GITHUB_SERVER_URL: origin,
      GITHUB_RAW_URL: `${origin}/raw`,
      GITHUB_TOKEN: 'github_pat_scripted',
    }
  }
  const started = startServer(dataFolder(), ['--github', 'acme/app'], urls('later'))
  const product = new StartedProduct(await started.serves())
  await started.says(/acme\/app: .*is read: |GitHub: not read/)
  expect((await product.search({ query: 'anything' })).length).toBe(0)
  const server = await startScriptedServer(port)
  try {
    const github = await ScriptedGitHub.create(server.url, { id: 'later' })
    await github.fillSample(1)
    await product.pollToEnd('?force=true')
    const { documents } = await github.expected()
    const rows = (await product.repository())!.documents
    expect(Object.values(rows).reduce((sum, count) => sum + count, 0)).toBe(documents.length)
    expect((await product.repository())!.surfaces.filter(({ last_error: error }) => error !== undefined)).toEqual([])
  } finally {
    await server.close()
  }
})

test('repositories of GITHUB_REPOSITORIES are read beside a checkout, and --github adds to them', async () => {
  const checkout = new GitSandbox('lantern')
  onTestFinished(() => checkout.remove())
  checkout.commit('Describe the lamp', { 'README.md': '# Lantern\n\nA lamp that remembers who lit it.\n' })
  const github = await world.createSample()
  await github.edit({ do: 'create_repository', repo: 'acme/tools' })
  await github.edit({ do: 'open_issue', repo: 'acme/tools', title: 'The hammer is too heavy', body: 'For a child.' })
  const args = ['--repo', checkout.folder, '--github', 'acme/tools,ACME/App']
  const started = startWithGitHub(dataFolder(), github, args, { GITHUB_REPOSITORIES: ' acme/app ' })
  const product = new StartedProduct(await started.serves())
  await started.says(/local\/lantern: \d+ written/)
  await started.says(/acme\/app: 40 issues/)
  await started.says(/acme\/tools: 1 issues?/)
  const { repositories } = await product.status()
  expect(repositories.map(({ repo, configured }) => [repo, configured])).toEqual([
    ['acme/app', true],
    ['acme/tools', true],
    ['local/lantern', false],
  ])
})
