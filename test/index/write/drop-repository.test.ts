import { beforeEach, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/ingest/maintenance-run.ts'
import { dropRepository } from '../../../src/index/write/drop-repository.ts'
import { findRepository } from '../../../src/index/write/put-repository.ts'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { allDocuments, brokenInvariants, clearIndex, put } from '../../support/index-world.ts'
import { LINES } from '../../support/lines.ts'
import { ask, index, NOW } from '../../support/search-world.ts'

const log = { info: () => {}, error: () => {} }

beforeEach(clearIndex)

test('nothing of a dropped repository is found, before and after the maintenance run that purges it', async () => {
  const lines = [LINES.issue, LINES.commit, LINES.diff, LINES.issue_comment]
  await put([...lines, { ...LINES.doc, repo: 'acme/other', body: 'An agent of another launcher.' }])
  const { repoId } = (await findRepository(index, 'acme/widgets'))!
  expect(await dropRepository(index, repoId, NOW, () => true)).toEqual({ documents: 4, removed: 4, done: true })
  const questions = ['launcher agent', '#11', 'Start each agent once', 'repo:acme/widgets launcher', 'author:Ada']
  const find = async () => {
    const answers = await Promise.all(questions.map((query) => ask({ query })))
    return new Set(answers.flatMap(({ results }) => results.map(({ repo }) => repo)))
  }
  expect(await find()).toEqual(new Set(['acme/other']))
  for (let run = 0; run < 2; run += 1) {
    await runMaintenance({ index, vectors: d1Vectors(index), now: () => NOW, log })
  }
  expect(await find()).toEqual(new Set(['acme/other']))
  expect(await brokenInvariants()).toEqual([])
  expect(await allDocuments()).toHaveLength(1)
})

test('a repository of many documents goes in several calls, and nothing is lost in between', async () => {
  for (let page = 0; page < 11; page += 1) {
    await put(
      Array.from({ length: 500 }, (_, at) => ({ ...LINES.doc, doc_path: `d/${page * 500 + at}.md`, body: 'x' })),
    )
  }
  const { repoId } = (await findRepository(index, 'acme/widgets'))!
  expect(await dropRepository(index, repoId, NOW, () => false)).toEqual({
    documents: 5_500,
    removed: 5_000,
    done: false,
  })
  expect(await findRepository(index, 'acme/widgets')).toBeDefined()
  expect(await dropRepository(index, repoId, NOW, () => false)).toEqual({ documents: 500, removed: 500, done: true })
  expect(await findRepository(index, 'acme/widgets')).toBeUndefined()
})
