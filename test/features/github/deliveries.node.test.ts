/** Signed deliveries to the whole product, and what a search finds after them. */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toLines } from '../../support/github/compared-lines.ts'
import { useStartWorld } from '../../support/github/start-world.ts'
import type { ScriptedGitHub, SignedDelivery } from '../../support/github/scripted-github.ts'
import { StartedProduct, startWithGitHub } from '../../support/github/started-product.ts'

const world = useStartWorld()

/** The deliveries of the edits of `act`. */
async function deliveriesOf(github: ScriptedGitHub, act: () => Promise<unknown>): Promise<SignedDelivery[]> {
  const before = (await github.deliveries()).length
  await act()
  return github.deliveries(before)
}

/** A payload of someone's own, signed with the world's secret. */
function sign(
  github: ScriptedGitHub,
  { headers }: SignedDelivery,
  body: string,
): Pick<SignedDelivery, 'body' | 'headers'> {
  const digest = createHmac('sha256', github.secret).update(body).digest('hex')
  return { body, headers: { ...headers, 'x-hub-signature-256': `sha256=${digest}` } }
}

test('a delivered issue and a delivered comment are found by their words in the next search', async () => {
  const github = await world.createSample()
  const { product } = await world.serve(github)
  await product.pollToEnd()
  const requests = (await github.requests()).length
  const [opened] = await deliveriesOf(github, () =>
    github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Marmalade overflows', body: 'The jar was too small.' }),
  )
  expect(await product.deliver(opened!)).toMatchObject({ status: 202, body: { received: true, written: 1 } })
  const [issue] = await product.search({ query: 'marmalade jar' })
  expect(issue).toMatchObject({ type: 'issue', title: 'Marmalade overflows' })
  const { number } = issue as { number: number }
  const written = await deliveriesOf(github, () =>
    github.edit({ do: 'comment', repo: 'acme/app', number, body: 'A quince would have fitted, perhaps.' }),
  )
  for (const delivery of written) expect((await product.deliver(delivery)).status).toBe(202)
  expect((await product.search({ query: 'quince' }))[0]).toMatchObject({ number })
  const removed = await deliveriesOf(github, () => github.edit({ do: 'delete_issue', repo: 'acme/app', number }))
  for (const delivery of removed) expect(await product.deliver(delivery)).toMatchObject({ status: 202 })
  expect(await product.search({ query: 'quince' })).toEqual([])
  expect(await product.search({ query: 'marmalade' })).toEqual([])
  // None of it asked GitHub.
  expect((await github.requests()).length).toBe(requests)
})

test('a push and an edit of the wiki are found after the next maintenance run', async () => {
  const github = await world.createSample()
  const { product } = await world.serve(github)
  await product.pollToEnd()
  const deliveries = await deliveriesOf(github, async () => {
    await github.edit({
      do: 'commit',
      repo: 'acme/app',
      message: 'Teach the kettle to whistle',
      files: {
        'docs/kettle.md': '# Kettle\n\nIt whistles in C major.\n',
        'src/kettle.ts': 'export const pitch = 523\n',
      },
      author: 'aoi',
    })
    await github.edit({ do: 'write_wiki', repo: 'acme/app', file: 'Teapots.md', text: 'Porcelain keeps the heat.\n' })
  })
  expect(deliveries.map(({ event }) => event)).toEqual(['push', 'gollum'])
  for (const delivery of deliveries) expect(await product.deliver(delivery)).toMatchObject({ status: 202 })
  // Until then it is pending, and status says so.
  expect((await product.repository())!.pending).toBe(3)
  expect(await product.search({ query: 'porcelain' })).toEqual([])
  expect((await product.maintain()).fetched).toBe(3)
  const found = await product.search({ query: 'kettle whistle' })
  expect(found.map(({ type }) => type)).toEqual(expect.arrayContaining(['commit', 'doc']))
  expect((await product.search({ query: 'porcelain' }))[0]).toMatchObject({ type: 'wiki_doc' })
  expect((await product.repository())!.pending).toBe(0)
})

test('a forged delivery changes nothing, and a replayed one is a duplicate', async () => {
  const github = await world.createSample()
  const { product } = await world.serve(github)
  await product.pollToEnd()
  const before = await product.export()
  const [opened] = await deliveriesOf(github, () =>
    github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Marmalade', body: 'A jar.' }),
  )
  const { body, headers } = opened!
  const forged = { body: body.replaceAll('Marmalade', 'Poison'), headers }
  expect((await product.deliver(forged)).status).toBe(401)
  const { 'x-hub-signature-256': _, ...unsigned } = headers
  expect((await product.deliver({ body, headers: unsigned })).status).toBe(401)
  expect(await product.export()).toBe(before)
  expect(await product.deliver(opened!)).toMatchObject({ status: 202, body: { written: 1 } })
  expect(await product.deliver(opened!)).toMatchObject({ status: 202, body: { duplicate: true } })
})

test('a payload of 25 MiB is answered and its issue is found, and a larger one is refused', async () => {
  const github = await world.createSample()
  const { product } = await world.serve(github)
  await product.pollToEnd()
  const [opened] = await deliveriesOf(github, () =>
    github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Marmalade overflows', body: 'PLACE' }),
  )
  const limit = 25 * 1024 * 1024
  const payload = (bytes: number): string => {
    const length = bytes - Buffer.byteLength(opened!.body) + 'PLACE'.length
    return opened!.body.replace('PLACE', 'a jar of words '.repeat(Math.ceil(length / 15)).slice(0, length))
  }
  const large = payload(limit)
  expect(Buffer.byteLength(large)).toBe(limit)
  const start = performance.now()
  expect(await product.deliver(sign(github, opened!, large))).toMatchObject({ status: 202, body: { written: 1 } })
  console.log(`25 MiB of payload answered in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
  expect((await product.search({ query: 'marmalade overflows' }))[0]).toMatchObject({ title: 'Marmalade overflows' })
  expect((await product.deliver(sign(github, opened!, payload(limit + 1)))).status).toBe(413)
})

test('runs of one request reach the same index as large ones', async () => {
  const github = await world.createSample()
  const { product } = await world.serve(github)
  const small = await product.pollToEnd('?requests=1')
  expect(small.length).toBeGreaterThan(15)
  const other = await world.serve(github, { data: 'other' })
  await other.product.pollToEnd()
  expect(await product.export()).toBe(await other.product.export())
  const { documents } = await github.expected()
  expect((await product.export()).split('\n').length - 1).toBe(documents.length)
})

test('a server below a path, as Enterprise Server has it, is read from its one setting', async () => {
  const github = await world.createSample()
  const settings = {
    GITHUB_REPOSITORIES: 'acme/app',
    GITHUB_TOKEN: github.token,
    GITHUB_API_URL: github.urls.api,
    GITHUB_GRAPHQL_URL: '',
    GITHUB_SERVER_URL: '',
    GITHUB_RAW_URL: '',
  }
  const started = startWithGitHub(join(world.folder, 'data'), github, ['--no-index'], settings)
  const product = new StartedProduct(await started.serves())
  await product.pollToEnd()
  const { documents } = await github.expected()
  expect(toLines(await product.export()).length).toBe(documents.length)
  expect((await product.status()).github.api_url).toBe(github.urls.api)
})
