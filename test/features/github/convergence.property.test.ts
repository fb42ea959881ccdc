/**
 * After any sequence of edits, faults, kills and deliveries, one healthy pass
 * makes the index equal the truth. Until then it shows nothing that was reported
 * as gone, nothing older than was reported, and nothing that never was.
 */
import * as fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { Life } from '../../support/github/life.ts'
import { randomLife } from '../../support/github/random-life.ts'
import { runs } from '../../support/runs.ts'

const TIMES = 100

test(
  'any life of a project ends with the index equal to it',
  async () => {
    await fc.assert(
      fc.asyncProperty(randomLife(40), async (actions) => {
        const life = await Life.begin(inject('githubUrl'))
        for (const action of actions) await life.act(action)
        await life.end()
        expect(life.broken).toEqual([])
      }),
      { numRuns: runs(TIMES) },
    )
  },
  600_000 * inject('soakTimes'),
)
