/** Repositories as they are renamed, hidden, taken over and deleted, and what their rows become. */
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { clearIndex, put } from '../../support/index-world.ts'
import { expectConverged, Product } from '../../support/github/product.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'
import { LINES } from '../../support/lines.ts'

beforeEach(clearIndex)

async function filled(options: ConstructorParameters<typeof Product>[1] = {}) {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.edit({ do: 'create_repository', repo: 'acme/app' })
  await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'An issue', body: 'words' })
  await github.edit({ do: 'commit', repo: 'acme/app', message: 'First', files: { 'README.md': '# One\n' } })
  const product = new Product(github, options)
  await product.heal()
  return { github, product }
}

async function deliverNew(github: ScriptedGitHub, product: Product, from: number) {
  const answers = []
  for (const delivery of await github.deliveries(from)) answers.push((await product.deliver(delivery)).body)
  return answers
}

describe('rows follow the id', () => {
  test.each(['by its delivery', 'by the next poll'])('a renamed repository is one repository, %s', async (how) => {
    const { github, product } = await filled()
    const from = (await github.deliveries()).length
    await github.edit({ do: 'rename_repository', repo: 'acme/app', to: 'renamed' })
    if (how === 'by its delivery') await deliverNew(github, product, from)
    else await product.pollToEnd()
    expect(new Set((await product.lines()).map(({ repo }) => repo))).toEqual(new Set(['acme/renamed']))
    const { repositories } = await product.status()
    expect(repositories).toMatchObject([{ repo: 'acme/renamed', configured: true }])
    await product.heal()
    await expectConverged(product, github)
  })

  test('a transferred repository is read on under its new owner', async () => {
    const { github, product } = await filled()
    const from = (await github.deliveries()).length
    await github.edit({ do: 'transfer_repository', repo: 'acme/app', to: 'other' })
    await deliverNew(github, product, from)
    await github.edit({ do: 'open_issue', repo: 'other/app', title: 'After', body: 'the transfer' })
    await deliverNew(github, product, from)
    await expectConverged(product, github)
  })

  test('a name that another repository has taken means that one, and mixes nothing', async () => {
    const { github, product } = await filled()
    await github.edit({ do: 'rename_repository', repo: 'acme/app', to: 'former' })
    await github.edit({ do: 'create_repository', repo: 'acme/app' })
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Of the new one', body: 'words' })
    await product.heal()
    const { repositories } = await product.status()
    expect(repositories.filter(({ configured }) => configured)).toHaveLength(1)
    const lines = await product.lines()
    const issues = lines.filter(({ type }) => type === 'issue')
    expect(new Set(issues.map((line) => line['repo_id'])).size).toBe(2)
    expect(issues.map(({ title }) => title).sort()).toEqual(['An issue', 'Of the new one'])
  })

  test('an imported checkout is adopted by its GitHub id, and keeps every row once', async () => {
    const github = await ScriptedGitHub.create(inject('githubUrl'))
    await github.edit({ do: 'create_repository', repo: 'acme/app' })
    await github.edit({ do: 'commit', repo: 'acme/app', message: 'First', files: { 'README.md': '# One\n' } })
    await put([
      { ...LINES.doc, repo: 'acme/app', doc_path: 'README.md', body: '# One\n' },
      { ...LINES.issue, repo: 'acme/app', number: 1 },
    ])
    const product = new Product(github)
    await product.pollToEnd()
    const { repositories } = await product.status()
    expect(repositories).toHaveLength(1)
    expect(repositories[0]?.repo_id).toBeGreaterThan(0)
    expect((await product.lines()).filter(({ type }) => type === 'doc')).toHaveLength(1)
  })
})

describe('visibility', () => {
  test('a privatized repository is private at once, and a late delivery makes it public no more', async () => {
    const { github, product } = await filled()
    await github.edit({ do: 'edit_repository', repo: 'acme/app', private: true })
    await github.edit({ do: 'edit_repository', repo: 'acme/app', private: false })
    await github.edit({ do: 'edit_repository', repo: 'acme/app', private: true })
    const events = (await github.deliveries()).filter(({ event }) => event === 'repository')
    const [first, publicized, last] = events.slice(-3)
    await github.fault({ match: '.', times: 'always', action: { do: 'answer', status: 500 } })
    for (const delivery of [last!, publicized!, first!, publicized!]) {
      await product.deliver(delivery)
      expect((await product.repository()).private).toBe(true)
    }
    await github.clearFaults()
    await product.maintain()
    expect((await product.repository()).private).toBe(true)
  })

  test('a publicized repository is public as soon as GitHub confirms it', async () => {
    const { github, product } = await filled()
    await github.edit({ do: 'edit_repository', repo: 'acme/app', private: true })
    await product.pollToEnd()
    expect((await product.repository()).private).toBe(true)
    const from = (await github.deliveries()).length
    await github.edit({ do: 'edit_repository', repo: 'acme/app', private: false })
    await deliverNew(github, product, from)
    expect((await product.repository()).private).toBe(false)
  })

  test('an archived repository says so, and another default branch is read', async () => {
    const { github, product } = await filled()
    await github.edit({
      do: 'commit',
      repo: 'acme/app',
      branch: 'next',
      message: 'Next',
      files: { 'NEXT.md': 'next\n' },
    })
    const from = (await github.deliveries()).length
    await github.edit({ do: 'edit_repository', repo: 'acme/app', archived: true })
    await github.edit({ do: 'edit_repository', repo: 'acme/app', defaultBranch: 'next' })
    await deliverNew(github, product, from)
    await product.maintain()
    expect(await product.repository()).toMatchObject({ archived: true, default_branch: 'next' })
    await expectConverged(product, github)
  })
})

describe('repositories that are gone', () => {
  test('a deleted repository loses all rows at once', async () => {
    const { github, product } = await filled()
    const from = (await github.deliveries()).length
    await github.edit({ do: 'delete_repository', repo: 'acme/app' })
    const [answer] = await deliverNew(github, product, from)
    expect(answer).toMatchObject({ event: 'repository', action: 'deleted', repo: 'acme/app' })
    expect(answer.removed).toBeGreaterThan(0)
    expect(await product.lines()).toEqual([])
    // Sent again it has no effect, and other late deliveries bring nothing back.
    for (const delivery of await github.deliveries()) await product.deliver(delivery)
    expect(await product.lines()).toEqual([])
    const { repositories } = await product.status()
    expect(repositories).toMatchObject([{ repo: 'acme/app', configured: true, documents: {} }])
  })

  test('a repository out of reach keeps its rows, and status says why', async () => {
    const { github, product } = await filled()
    const before = await product.lines()
    await github.fault({
      match: '/repos/acme/app',
      times: 'always',
      action: { do: 'answer', status: 404, body: '{"message":"Not Found"}' },
    })
    const { body } = await product.poll()
    expect(body).toMatchObject({ done: true, removed: 0 })
    expect(body.surfaces.every(({ state, error }) => state === 'unreadable' && error !== undefined)).toBe(true)
    await product.reconcile()
    expect(await product.lines()).toEqual(before)
    expect((await product.repository()).surfaces[0]?.last_error).toContain('acme/app')
    await github.clearFaults()
    await product.heal()
    expect((await product.repository()).surfaces[0]).toMatchObject({ state: 'current' })
    await expectConverged(product, github)
  })

  test('one that never was is named by status, and others are read', async () => {
    const { github, product } = await filled({ texts: { GITHUB_REPOSITORIES: 'acme/app,acme/nothing' } })
    const { repositories } = await product.status()
    expect(repositories).toMatchObject([
      { repo: 'acme/app', configured: true },
      { repo: 'acme/nothing', configured: true, documents: {} },
    ])
    expect(repositories[1]?.surfaces).toHaveLength(9)
    expect(repositories[1]?.surfaces[0]).toMatchObject({ state: 'unreadable', rows: 0 })
    await expectConverged(product, github)
  })

  test('one that is taken out of the setting keeps its rows, and its deliveries are ignored', async () => {
    const { github, product } = await filled()
    const before = await product.lines()
    await github.edit({ do: 'create_repository', repo: 'acme/lib' })
    const later = new Product(github, { texts: { GITHUB_REPOSITORIES: 'acme/lib' } })
    const from = (await github.deliveries()).length
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Not read', body: 'any more' })
    const answers = await deliverNew(github, later, from)
    expect(answers.every((answer) => answer.ignored === true)).toBe(true)
    await later.heal()
    expect(await later.lines()).toEqual(before)
    expect(await later.repository()).toMatchObject({ configured: false })
    await product.heal()
    await expectConverged(product, github, { repo: 'acme/app' })
  })
})
