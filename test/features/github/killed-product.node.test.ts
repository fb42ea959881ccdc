/**
 * The whole product, its runtime included, is killed in the middle of fills and
 * deliveries and started again on the same folder. In the end its export equals
 * the truth, byte for byte that of an index filled in one go, and nothing that is
 * gone was shown in between.
 */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KilledLife, killedLife } from '../../support/github/killed-life.ts'
import { useStartWorld } from '../../support/github/start-world.ts'
import { runs } from '../../support/runs.ts'

/** In `npm test`, and at most in `npm run soak`. */
const [TIMES, MOST_TIMES] = [2, 20]
const numRuns = Math.min(MOST_TIMES, runs(TIMES))

const world = useStartWorld()

/** `KOTODAMA_SEED=N` repeats one life. */
const given = process.env['KOTODAMA_SEED']
const first = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
const seeds = Array.from({ length: given === undefined ? numRuns : 1 }, (_, at) => first + at)

test.each(seeds)(
  'a product that is killed again and again converges (seed %i)',
  async (seed) => {
    const [episodes] = fc.sample(killedLife, { seed, numRuns: 1 })
    const kills = episodes!.filter(({ killedAfterMs }) => killedAfterMs !== undefined).length
    console.log(`seed ${seed}: ${episodes!.length} episodes, ${kills} kills`)
    const github = await world.createSample()
    await github.set({ latencyMs: 5 })
    const life = new KilledLife(github, world.folder)
    for (const episode of episodes!) await life.live(episode)
    await life.end(async () => (await world.serve(github, { data: 'other' })).product)
    expect(life.broken).toEqual([])
  },
  600_000,
)
