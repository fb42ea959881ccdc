/**
 * Random histories of two threads with comments: deliveries in any order, lost and
 * doubled, and reads whose answers are older than what was delivered meanwhile.
 * One healthy pass makes the index equal to the truth; in between nothing is
 * shown whose deletion was delivered, and no document goes back in time.
 */
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { listPendingReads } from '../../../src/index/ingestion/pending-reads.ts'
import { readMarker } from '../../../src/index/sql/markers.ts'
import { allDocuments, brokenInvariants, clearIndex, index, NOW } from '../../support/index-world.ts'
import { addRepository, deliver, read } from '../../support/ingest-pages.ts'
import { removalOf, type Line } from '../../support/lines.ts'
import { runs } from '../../support/runs.ts'

const THREADS = ['t1', 't2'] as const
const COMMENTS = { c1: 't1', c2: 't1', c3: 't2' } as const
type Thread = (typeof THREADS)[number]
type Comment = keyof typeof COMMENTS
type Item = Thread | Comment
const ITEMS: readonly Item[] = [...THREADS, 'c1', 'c2', 'c3']

/** The state of an item: its revision, which no other has, and the second of its change. */
interface State {
  readonly revision: number
  readonly second: number
}

type Action =
  | { readonly do: 'edit'; readonly item: Item; readonly later: boolean }
  | { readonly do: 'delete'; readonly item: Item }
  /** Delivers one of the events so far, also again. */
  | { readonly do: 'deliver'; readonly nth: number }
  | { readonly do: 'begin read' | 'end read' | 'fail' }

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('edit'), item: fc.constantFrom(...ITEMS), later: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), item: fc.constantFrom(...ITEMS) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('deliver'), nth: fc.nat(1000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('begin read') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end read') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail') }) },
) as fc.Arbitrary<Action>

function toLine(item: Item, { revision, second }: State): Line {
  const updated_at = new Date(Date.UTC(2026, 10, 1) + second * 1000).toISOString()
  const number = Number((isThread(item) ? item : COMMENTS[item]).slice(1))
  const words = { updated_at, repo: 'acme/widgets' }
  return isThread(item)
    ? { ...words, type: 'issue', number, title: `Revision ${revision}`, body: '' }
    : { ...words, type: 'issue_comment', number, comment_id: Number(item.slice(1)), body: `Revision ${revision}` }
}

function isThread(item: Item): item is Thread {
  return item.startsWith('t')
}

/** The model of the source, and what was delivered of it. */
class World {
  readonly truth = new Map<Item, State>()
  readonly events: Line[][] = []
  readonly reportedGone = new Set<Item>()
  readonly gone = new Set<Item>()
  readonly shown = new Map<Item, number>()
  #revision = 0
  #second = 0
  #reading: { readonly marker: number; readonly lines: readonly Line[] } | undefined

  async act(given: Action): Promise<void> {
    if (given.do === 'edit') this.#edit(given.item, given.later)
    if (given.do === 'delete') this.#delete(given.item)
    if (given.do === 'deliver' && this.events.length > 0) await this.#deliver(given.nth % this.events.length)
    if (given.do === 'begin read') this.#reading ??= { marker: await readMarker(index), lines: this.#lines() }
    if (given.do === 'end read' && this.#reading !== undefined) {
      const { marker, lines } = this.#reading
      this.#reading = undefined
      await read(lines, marker)
    }
    if (given.do === 'fail') await this.#fail()
    await this.check()
  }

  #lines(): Line[] {
    return [...this.truth].map(([item, state]) => toLine(item, state))
  }

  #edit(item: Item, later: boolean): void {
    if (this.gone.has(item) || (!isThread(item) && !this.truth.has(COMMENTS[item]))) return
    this.#revision += 1
    if (later) this.#second += 1
    const state = { revision: this.#revision, second: this.#second }
    this.truth.set(item, state)
    this.events.push([toLine(item, state)])
  }

  #delete(item: Item): void {
    const state = this.truth.get(item)
    if (state === undefined) return
    for (const one of ITEMS) if (one === item || (!isThread(one) && COMMENTS[one] === item)) this.#end(one)
    this.events.push([removalOf(toLine(item, state))])
  }

  #end(item: Item): void {
    this.truth.delete(item)
    this.gone.add(item)
  }

  async #deliver(at: number): Promise<void> {
    const lines = this.events[at]!
    await deliver(lines, {}, `event ${at}`)
    for (const line of lines) {
      if (line['deleted'] !== true) continue
      const item = (line['type'] === 'issue' ? `t${line['number']}` : `c${line['comment_id']}`) as Item
      for (const one of ITEMS)
        if (one === item || (!isThread(one) && COMMENTS[one] === item)) this.reportedGone.add(one)
    }
  }

  /** A page that fails in its last statements leaves nothing behind. */
  async #fail(): Promise<void> {
    await env.DB.exec(`CREATE TRIGGER broken BEFORE INSERT ON deliveries BEGIN SELECT raise(ABORT, 'killed'); END`)
    const event = this.events.at(-1) ?? []
    await expect(deliver(event, {}, `killed ${this.events.length}`)).rejects.toThrow(/killed/)
    await env.DB.exec('DROP TRIGGER broken')
  }

  async check(): Promise<void> {
    const stored = await readShown()
    for (const [item, revision] of stored) {
      expect(this.reportedGone.has(item), `${item} was reported gone`).toBe(false)
      expect(revision, `${item} went back`).toBeGreaterThanOrEqual(this.shown.get(item) ?? 0)
      this.shown.set(item, revision)
    }
  }

  /** Ends the read under way, reads what is pending, then everything, and removes what the source does not have. */
  async heal(): Promise<void> {
    await this.act({ do: 'end read' })
    for (let round = 0; round < 3; round += 1) {
      for (const pending of await listPendingReads(index, NOW, 100)) {
        const item = `${pending.kind === 'thread' ? 't' : 'c'}${pending.key}` as Item
        const state = this.truth.get(item)
        const known = toLine(item, { revision: 0, second: 0 })
        await read([state === undefined ? removalOf(known) : toLine(item, state)], undefined, { fetched: [pending] })
        await this.check()
      }
    }
    await read(this.#lines())
    const gone = [...(await readShown()).keys()].filter((item) => !this.truth.has(item))
    await read(gone.map((item) => removalOf(toLine(item, { revision: 0, second: 0 }))))
    await this.check()
  }
}

async function readShown(): Promise<Map<Item, number>> {
  const documents = await allDocuments()
  return new Map(
    documents.map(({ identity, title, body }) => {
      const revision = Number((title ?? body).replace('Revision ', ''))
      if (identity.type === 'issue') return [`t${identity.number}` as Item, revision]
      if (identity.type === 'issue_comment') return [`c${identity.commentId}` as Item, revision]
      throw new Error(identity.type)
    }),
  )
}

test('after any history one healthy pass makes the index equal to the truth, and in between nothing gone or older is shown', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40, size: 'max' }), async (actions) => {
      await clearIndex()
      await addRepository()
      const world = new World()
      for (const one of actions) await world.act(one)
      await world.heal()
      const truth = new Map([...world.truth].map(([item, { revision }]) => [item, revision]))
      expect(await readShown()).toEqual(truth)
      expect(await listPendingReads(index, NOW, 100)).toEqual([])
      expect(await brokenInvariants()).toEqual([])
    }),
    { numRuns: runs(40) },
  )
})
