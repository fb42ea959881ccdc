/** A comparison that goes on after a push that a poll has read in between. */
import { expect, test } from 'vitest'
import { expectLines, toLines } from '../../support/github/compared-lines.ts'
import { useStartWorld } from '../../support/github/start-world.ts'

const world = useStartWorld()

test.each([8, 12, 25, 30])('a push after %i runs of a comparison stays in the index', async (runs) => {
  const github = await world.createSample()
  const { product } = await world.serve(github)
  await product.pollToEnd()
  for (let run = 0; run < runs; run += 1) await product.admin('POST', 'reconcile?requests=1')
  const files = { 'docs/kettle.md': '# Kettle\n\nIt whistles.\n' }
  await github.edit({ do: 'commit', repo: 'acme/app', message: 'Teach the kettle', files, author: 'aoi' })
  await product.heal()
  expectLines(toLines(await product.export()), await github.expected())
  expect((await product.search({ query: 'kettle whistles' })).length).toBeGreaterThan(0)
})
