import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { importCheckout } from '../../../mcp-server/src/import/import-checkout.ts'
import type { Summary } from '../../../mcp-server/src/import/import-options.ts'
import type { Document } from '../../../src/documents/document.ts'
import { AdminModel, TOKEN, type Fault } from '../../support/admin-model.ts'
import { GitSandbox } from '../../support/git-sandbox.ts'
import { runs } from '../../support/runs.ts'

process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'

/** A run takes about a second. */
const RUNS = runs(6)

/** How one import ends early: its nth page fails, or it is stopped after n pages. */
type Interruption =
  | { readonly kind: 'drop-before' | 'drop-after'; readonly page: number }
  | { readonly kind: 'abort'; readonly page: number }
  | { readonly kind: 'limit'; readonly page: number }

/** A change of the history between two imports, and how the import after it ends. */
interface Step {
  readonly event: (typeof EVENTS)[number]
  readonly interruption: Interruption | undefined
}

const EVENTS = ['grow', 'merge', 'branch', 'back', 'rebase', 'amend', 'reset', 'revert', 'remove', 'retag'] as const

const interruption: fc.Arbitrary<Interruption> = fc.record({
  kind: fc.constantFrom('drop-before', 'drop-after', 'abort', 'limit'),
  page: fc.integer({ min: 1, max: 6 }),
})
const step: fc.Arbitrary<Step> = fc.record({
  event: fc.constantFrom(...EVENTS),
  interruption: fc.option(interruption, { nil: undefined }),
})

class History {
  readonly sandbox: GitSandbox
  #count = 10

  constructor(start: GitSandbox) {
    this.sandbox = new GitSandbox('project', 'sha1', start)
  }

  happen(event: Step['event']): void {
    const { sandbox } = this
    switch (event) {
      case 'grow':
        return this.#grow()
      case 'merge':
        this.#may('checkout', '-q', '-B', 'topic', 'HEAD~1')
        this.#grow()
        sandbox.git('checkout', '-q', 'main')
        if (this.#may('merge', '-q', '-X', 'ours', '--no-ff', '-m', 'merge', 'topic')) return undefined
        // A file deleted here and changed there.
        sandbox.git('add', '-A')
        return void sandbox.git('commit', '-q', '-m', 'merge by hand')
      case 'branch':
        sandbox.git('checkout', '-q', 'other')
        return this.#grow()
      case 'back':
        return void sandbox.git('checkout', '-q', 'main')
      case 'rebase':
        this.#grow()
        sandbox.wait(3)
        // Git refuses it where there are not two commits, and stops at a conflict.
        if (!this.#may('rebase', '-q', '-X', 'theirs', '--force-rebase', 'HEAD~2')) this.#may('rebase', '--abort')
        return undefined
      case 'amend':
        sandbox.wait(1)
        return void sandbox.git('commit', '-q', '--amend', '--allow-empty', '-m', `amended ${(this.#count += 1)}`)
      case 'reset':
        return void this.#may('reset', '-q', '--hard', 'HEAD~1')
      case 'revert':
        this.#grow()
        sandbox.wait(1)
        return void sandbox.git('revert', '--no-edit', 'HEAD')
      case 'remove':
        sandbox.git('rm', '-q', '-r', '--ignore-unmatch', 'docs')
        return void sandbox.commit('remove')
      case 'retag':
        sandbox.git('tag', '-f', 'latest')
        sandbox.git('tag', '-d', 'latest')
        return void this.#may('tag', '-f', this.#count % 2 === 0 ? 'even' : 'odd', 'HEAD~1')
    }
  }

  /** Runs a command that git may refuse, for lack of a parent or because of a conflict. */
  #may(...args: string[]): boolean {
    try {
      this.sandbox.git(...args)
      return true
    } catch {
      return false
    }
  }

  #grow(): void {
    const number = (this.#count += 1)
    this.sandbox.commit(`commit ${number}`, {
      'README.md': `read ${number}\n`,
      [`docs/${number % 4}.md`]: `doc ${number}\n`,
      [`src/${number % 3}.ts`]: `code ${number}\n`,
    })
  }
}

function run(history: History, endpoint: string, more: object = {}): Promise<Summary> {
  const { folder } = history.sandbox
  return importCheckout({ path: folder, endpoint, adminToken: TOKEN, pageLines: 3, retryPausesMs: [], ...more })
}

async function runInterrupted(history: History, model: AdminModel, endpoint: string, how: Interruption): Promise<void> {
  const first = model.posts
  const controller = new AbortController()
  const fault = (page: number): Fault => {
    if (how.kind === 'abort' && page - first >= how.page) controller.abort()
    return (how.kind === 'drop-before' || how.kind === 'drop-after') && page - first === how.page ? how.kind : undefined
  }
  model.fault = fault
  await run(history, endpoint, { signal: controller.signal, ...(how.kind === 'limit' ? { maxCommits: how.page } : {}) })
  model.fault = () => undefined
}

/** The first page of an import always arrives: the server never hears of a HEAD whose import sent no page. */
test(
  'an import that is killed at any point and run again stores what an uninterrupted one stores',
  { timeout: 60_000 + RUNS * 30_000 },
  async () => {
    const start = new GitSandbox()
    for (const number of [1, 2, 3])
      start.commit(`start ${number}`, { 'README.md': `${number}\n`, 'docs/1.md': `${number}\n` })
    start.git('branch', 'other')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const history = new History(start)
        const [killed, calm] = [new AdminModel(), new AdminModel()]
        try {
          const [killedAt, calmAt] = [await killed.start(), await calm.start()]
          for (const { event, interruption: how } of steps) {
            history.happen(event)
            if (how === undefined) await run(history, killedAt)
            else await runInterrupted(history, killed, killedAt, how)
            expect((await run(history, calmAt)).outcome).not.toBe('failed')
          }
          const last = await run(history, killedAt)
          expect(['complete', 'unchanged']).toContain(last.outcome)
          expect(last.done).toBe(last.total)
          expect(killed.contents('local/project')).toEqual(calm.contents('local/project'))
          expect((await run(history, killedAt)).outcome).toBe('unchanged')
          await expectTruth(history, killed)
        } finally {
          await Promise.all([killed.stop(), calm.stop()])
          history.sandbox.remove()
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    start.remove()
  },
)

/** Compares with an index that imports the checkout for the first time: the same documents and tags, and all of HEAD's commits. */
async function expectTruth(history: History, model: AdminModel): Promise<void> {
  const other = new AdminModel()
  try {
    await run(history, await other.start())
    const here = model.contents('local/project')
    const truth = other.contents('local/project')
    const isOfTree = ({ identity }: Document): boolean => identity.type !== 'diff' && identity.type !== 'commit'
    expect(here.filter(isOfTree)).toEqual(truth.filter(isOfTree))
    expect(here).toEqual(expect.arrayContaining(truth))
  } finally {
    await other.stop()
  }
}
