/** One life of a product beside a project: performs actions and watches what the index shows meanwhile. */
import { env } from 'cloudflare:workers'
import { brokenInvariants, clearIndex } from '../index-world.ts'
import { KilledDatabase } from './killed-database.ts'
import { keyOf, type Line } from './compared-lines.ts'
import { expectConverged, Product } from './product.ts'
import type { LifeAction } from './random-life.ts'
import { listReported } from './reported-things.ts'
import { ScriptedGitHub, type SignedDelivery } from './scripted-github.ts'

/** A killed run's lease lasts no longer. */
const LEASE_MS = 31_000

/** Types whose time of update moves with every change. */
const CLOCKED = ['issue', 'pull_request', 'issue_comment', 'pr_review_comment']

/** Fields of the repository, and those that come from another answer than the rest of a document. */
const APART = ['repo', 'repo_private', 'url', 'previous_tag', 'commit_count', 'released', 'generated', 'file_count']

export class Life {
  readonly github: ScriptedGitHub
  /** Invariants that were broken on the way. */
  readonly broken: string[] = []
  readonly #killed = new KilledDatabase(env.DB)
  #product: Product
  #nowMs = Date.now()
  #deliveries: SignedDelivery[] = []
  readonly #delivered: SignedDelivery[] = []
  /** Keys of things that a delivery reported as gone. */
  readonly #gone = new Set<string>()
  /** The newest update of each key that was delivered or shown. */
  readonly #newest = new Map<string, number>()
  /** Every state that ever was, by key. */
  readonly #states = new Map<string, Set<string>>()
  #taken = 0

  static async begin(address: string): Promise<Life> {
    await clearIndex()
    const life = new Life(await ScriptedGitHub.create(address))
    await life.github.edit({ do: 'create_repository', repo: 'acme/app' })
    await life.#noteStates()
    return life
  }

  private constructor(github: ScriptedGitHub) {
    this.github = github
    this.#product = this.#newProduct()
  }

  get product(): Product {
    return this.#product
  }

  async act(action: LifeAction): Promise<void> {
    switch (action.do) {
      case 'edit':
        await this.github.randomEdits([action.step])
        return this.#noteStates()
      case 'kill':
        return this.#killed.killAt(action.writes, action.isAfter)
      case 'pass':
        this.#nowMs += action.seconds * 1000
        return
      case 'fault':
        return this.github.fault(action.fault)
      default:
        await this.#run(action)
        return this.#watch()
    }
  }

  /** One healthy pass; then the index is compared with the truth. */
  async end(): Promise<void> {
    await this.github.clearFaults()
    this.#restart()
    // A limit lasts no longer than this.
    this.#nowMs += 3_600_000
    await this.#product.heal()
    await this.#watch()
    await expectConverged(this.#product, this.github)
    this.broken.push(...(await brokenInvariants()))
  }

  async #run(
    action: Extract<
      LifeAction,
      { do: 'poll' | 'reconcile' | 'maintain' | 'together' | 'vanish' | 'deliver' | 'redeliver' }
    >,
  ) {
    try {
      if (action.do === 'maintain') await this.#product.maintain()
      else if (action.do === 'together') await this.#together(action)
      else if (action.do === 'vanish') await this.#vanish(action)
      else if (action.do === 'deliver') await this.#deliverNext(action.pick, action.times)
      else if (action.do === 'redeliver') await this.#deliver(this.#delivered[action.pick % this.#delivered.length])
      else await this.#product[action.do](`?requests=${action.requests}`)
    } catch (error) {
      if (!this.#killed.isDead) throw error
    }
    this.#restart()
  }

  async #together({ run, step, skip }: Extract<LifeAction, { do: 'together' }>): Promise<void> {
    await this.github.fault({ match: '.', skip, action: { do: 'late', ms: 60 } })
    const running = this.#product[run]().catch((error: unknown) => {
      if (!this.#killed.isDead) throw error
    })
    await new Promise((resolve) => setTimeout(resolve, 10 * skip))
    await this.github.randomEdits([step])
    await this.#noteStates()
    for (const delivery of await this.#takeDeliveries()) await this.#deliver(delivery)
    await running
  }

  async #vanish({ what, order, isRead, skip }: Extract<LifeAction, { do: 'vanish' }>): Promise<void> {
    this.#deliveries.push(...(await this.#takeDeliveries()))
    const repo = 'acme/app'
    const { number } = await this.github.edit({
      do: 'open_issue',
      repo,
      title: 'Short',
      body: 'lived issue',
      afterS: 0,
    })
    const body = 'A comment with enough words in it.'
    const { id } = await this.github.edit({ do: 'comment', repo, number, body, afterS: 0 })
    await this.#noteStates()
    let running: Promise<unknown> | undefined
    if (isRead) {
      await this.github.fault({ match: '/issues', skip: skip % 3, times: 2, action: { do: 'late', ms: 120 } })
      running = this.#product.poll().catch((error: unknown) => {
        if (!this.#killed.isDead) throw error
      })
      await new Promise((resolve) => setTimeout(resolve, 15 * skip))
    }
    await this.github.edit(what === 'issue' ? { do: 'delete_issue', repo, number } : { do: 'delete_comment', repo, id })
    await this.#noteStates()
    const left = await this.#takeDeliveries()
    for (let at = order; left.length > 0; at += 1) await this.#deliver(left.splice(at % left.length, 1)[0])
    await running
  }

  /** Those that were not taken before. */
  async #takeDeliveries(): Promise<SignedDelivery[]> {
    const next = await this.github.deliveries(this.#taken)
    this.#taken += next.length
    return next
  }

  #restart(): void {
    if (!this.#killed.restart()) return
    this.#nowMs += LEASE_MS
    this.#product = this.#newProduct()
  }

  #newProduct(): Product {
    return new Product(this.github, { database: this.#killed.database, now: () => this.#nowMs })
  }

  async #deliverNext(pick: number, times: number): Promise<void> {
    this.#deliveries.push(...(await this.#takeDeliveries()))
    const [delivery] = this.#deliveries.splice(pick % Math.max(1, Math.min(this.#deliveries.length, 6)), 1)
    if (delivery === undefined) return
    if (times === 0) this.#delivered.push(delivery)
    for (let at = 0; at < times; at += 1) await this.#deliver(delivery)
  }

  async #deliver(delivery: SignedDelivery | undefined): Promise<void> {
    if (delivery === undefined) return
    if (!this.#delivered.includes(delivery)) this.#delivered.push(delivery)
    const { status, body } = await this.#product.deliver(delivery)
    if (status !== 202 && !this.#killed.isDead) throw new Error(`a delivery is refused: ${JSON.stringify(body)}`)
    if (status === 202 && body.ignored !== true) this.#noteDelivery(delivery)
  }

  #noteDelivery(delivery: SignedDelivery): void {
    for (const { key, isGone, updatedMs } of listReported(delivery)) {
      if (isGone) this.#gone.add(key)
      else this.#noteTime(key, updatedMs)
    }
  }

  #noteTime(key: string, updatedMs: number): void {
    this.#newest.set(key, Math.max(this.#newest.get(key) ?? 0, updatedMs))
  }

  async #noteStates(): Promise<void> {
    const { documents } = await this.github.expected()
    for (const line of documents) {
      const key = keyOf(line)
      const states = this.#states.get(key) ?? new Set()
      this.#states.set(key, states.add(stateOf(line)))
    }
  }

  /** Looks at everything that the index shows now. */
  async #watch(): Promise<void> {
    for (const line of await this.#product.lines()) {
      const key = keyOf(line)
      if (this.#gone.has(key)) this.broken.push(`${key} is shown, although a delivery reported it as gone`)
      if (!this.#states.get(key)?.has(stateOf(line))) {
        this.broken.push(
          `${key} is shown as it never was: ${stateOf(line)}, but ${[...(this.#states.get(key) ?? [])].join(' or ')}`,
        )
      }
      if (!CLOCKED.includes(String(line['type']))) continue
      const updatedMs = Date.parse(String(line['updated_at']))
      const newest = this.#newest.get(key) ?? 0
      if (updatedMs < newest) this.broken.push(`${key} is shown as it was before a delivery`)
      this.#noteTime(key, updatedMs)
    }
  }
}

/**
 * Fields of a type that change one by one, or come from another answer: an edit
 * of labels is several deliveries, reviews have another time by GraphQL, and the
 * commit of a release comes from its tag.
 */
const APART_OF: Readonly<Record<string, readonly string[]>> = {
  issue: ['labels', 'assignees', 'milestone'],
  pull_request: ['labels', 'assignees', 'milestone'],
  pr_review: ['updated_at'],
  release: ['commit_sha'],
}

function stateOf(line: Line): string {
  const apart = [...APART, ...(APART_OF[String(line['type'])] ?? [])]
  const kept = Object.entries(line).filter(([name]) => !apart.includes(name))
  return JSON.stringify(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
}
