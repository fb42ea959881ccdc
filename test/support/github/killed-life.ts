/**
 * A life of the whole product beside a project: episodes of edits and work, in
 * which the product and its runtime are killed at any moment and started again on
 * the same folder. Each export in between is watched.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { StartedServer } from '../started-server.ts'
import { expectLines, keyOf, toLines, type Line } from './compared-lines.ts'
import { randomStep } from './random-sequences.ts'
import { listReported } from './reported-things.ts'
import type { ScriptedGitHub, SignedDelivery } from './scripted-github.ts'
import { StartedProduct, startWithGitHub } from './started-product.ts'
import type { RandomStep } from './truth/random-step.ts'

type Work =
  | { readonly do: 'poll' | 'reconcile'; readonly requests: number }
  | { readonly do: 'maintain' }
  /** The next ones that GitHub would send; 0 of `times` loses one. */
  | { readonly do: 'deliver'; readonly count: number; readonly times: number }
  | { readonly do: 'redeliver'; readonly pick: number }

export interface Episode {
  readonly edits: readonly RandomStep[]
  readonly works: readonly Work[]
  /** After the works began; undefined for an episode that nothing kills. */
  readonly killedAfterMs: number | undefined
  /** The product reads GitHub by itself from its start on. */
  readonly readsItself: boolean
}

const requests = fc.constantFrom(1, 5, 400, 400)

const work: fc.Arbitrary<Work> = fc.oneof(
  { weight: 3, arbitrary: requests.map((count): Work => ({ do: 'poll', requests: count })) },
  { weight: 1, arbitrary: requests.map((count): Work => ({ do: 'reconcile', requests: count })) },
  { weight: 1, arbitrary: fc.constant<Work>({ do: 'maintain' }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ count: fc.integer({ min: 1, max: 8 }), times: fc.constantFrom(0, 1, 1, 2) })
      .map((one): Work => ({ do: 'deliver', ...one })),
  },
  { weight: 1, arbitrary: fc.nat(60).map((pick): Work => ({ do: 'redeliver', pick })) },
)

const episode: fc.Arbitrary<Episode> = fc.record({
  edits: fc.array(randomStep, { minLength: 1, maxLength: 8 }),
  works: fc.array(work, { minLength: 1, maxLength: 5 }),
  killedAfterMs: fc.oneof({ weight: 3, arbitrary: fc.nat(2_000) }, { weight: 1, arbitrary: fc.constant(undefined) }),
  readsItself: fc.boolean(),
})

/** The first episode is a fill that is killed. */
export const killedLife: fc.Arbitrary<Episode[]> = fc
  .tuple(fc.integer({ min: 100, max: 2_500 }), fc.array(episode, { minLength: 2, maxLength: 4 }))
  .map(([killedAfterMs, episodes]) => [
    { edits: [], works: [{ do: 'poll', requests: 400 }], killedAfterMs, readsItself: false },
    ...episodes,
  ])

export class KilledLife {
  readonly github: ScriptedGitHub
  readonly #folder: string
  #server: StartedServer | undefined
  #product: StartedProduct | undefined
  readonly #delivered: SignedDelivery[] = []
  #taken = 0
  /** Keys of things whose removal was delivered and answered with 202. */
  readonly #gone = new Set<string>()
  /** Things that were shown although they were gone. */
  readonly broken: string[] = []

  constructor(github: ScriptedGitHub, folder: string) {
    this.github = github
    this.#folder = folder
  }

  async live({ edits, works, killedAfterMs, readsItself }: Episode): Promise<void> {
    await this.github.randomEdits(edits)
    const product = await this.#serve(readsItself)
    let isKilled = false
    const working = (async () => {
      for (const one of works) {
        try {
          await this.#work(product, one)
        } catch (error) {
          if (!isKilled) throw error
        }
      }
    })()
    if (killedAfterMs !== undefined) {
      await sleep(killedAfterMs)
      isKilled = true
      await this.#kill()
    }
    await working
    await this.#watch(await this.#serve(false))
  }

  /** One healthy pass; then the index equals the truth, and one that is filled in one go. */
  async end(filledInOneGo: () => Promise<StartedProduct>): Promise<void> {
    const product = await this.#serve(false)
    await product.heal()
    await this.#watch(product)
    expect(this.broken).toEqual([])
    const expected = await this.github.expected()
    const text = await product.export()
    expectLines(toLines(text), expected)
    const other = await filledInOneGo()
    await other.pollToEnd()
    // Commits that pull requests hold are in an index only if it read them when the branch still led to them.
    const held = new Set(expected.heldCommits)
    const sure = (all: string): string[] =>
      all.split('\n').filter((line) => line === '' || !held.has(String((JSON.parse(line) as Line)['commit_sha'])))
    expect(sure(text)).toEqual(sure(await other.export()))
  }

  async #serve(readsItself: boolean): Promise<StartedProduct> {
    if (this.#product !== undefined) return this.#product
    const args = readsItself ? ['--github', 'acme/app'] : ['--no-index']
    const settings = { GITHUB_REPOSITORIES: 'acme/app' }
    this.#server = startWithGitHub(join(this.#folder, 'data'), this.github, args, settings)
    this.#product = new StartedProduct(await this.#server.serves())
    return this.#product
  }

  async #kill(): Promise<void> {
    const { process: child, ends } = this.#server!
    // The whole group: the command and the runtime that it started.
    process.kill(-child.pid!, 'SIGKILL')
    await ends()
    this.#server = undefined
    this.#product = undefined
  }

  async #work(product: StartedProduct, one: Work): Promise<void> {
    switch (one.do) {
      case 'poll':
      case 'reconcile':
        await product.admin('POST', `${one.do}?requests=${one.requests}`)
        return
      case 'maintain':
        await product.maintain()
        return
      case 'redeliver':
        return this.#deliver(product, this.#delivered[one.pick % this.#delivered.length])
      case 'deliver': {
        const next = (await this.github.deliveries(this.#taken)).slice(0, one.count)
        this.#taken += next.length
        this.#delivered.push(...next)
        for (const delivery of next) {
          for (let time = 0; time < one.times; time += 1) await this.#deliver(product, delivery)
        }
        return
      }
      default:
        one satisfies never
    }
  }

  async #deliver(product: StartedProduct, delivery: SignedDelivery | undefined): Promise<void> {
    if (delivery === undefined) return
    const { status, body } = await product.deliver(delivery)
    if (status !== 202) throw new Error(`a delivery is refused: ${status} ${JSON.stringify(body)}`)
    if (body.ignored === true) return
    for (const { key, isGone } of listReported(delivery)) if (isGone) this.#gone.add(key)
  }

  async #watch(product: StartedProduct): Promise<void> {
    for (const line of toLines(await product.export())) {
      if (this.#gone.has(keyOf(line))) this.broken.push(`${keyOf(line)} is shown, although it is gone`)
    }
  }
}
