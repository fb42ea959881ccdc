/** A repository read from GitHub into an empty index, over HTTP, by the routes of an operator. */
import { beforeEach, inject, test } from 'vitest'
import { clearIndex } from '../../support/index-world.ts'
import { expectConverged, Product } from '../../support/github/product.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'

beforeEach(clearIndex)

test('a project of all surfaces is in the index after one round', async () => {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.fillSample(1)
  const product = new Product(github)
  const answers = await product.pollToEnd()
    JSON.stringify(answers.map(({ surfaces, ...a }) => a)),
    JSON.stringify(answers.at(-1)!.surfaces.map((s) => [s.surface, s.state, s.error])),
  )
  await product.maintain()
  await expectConverged(product, github)
})
