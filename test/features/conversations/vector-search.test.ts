/** Search by words and vectors together: order, scores, and exact filters even where nearer messages do not pass. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { SearchMessagesArguments } from '../../../src/contracts/tools/search-messages.ts'
import { configure, VectorStore } from '../../support/message-vectors.ts'
import { memory, NO_FILTERS, value } from '../../support/memory-world.ts'

const QUESTION = 'biosynthesis'

beforeEach(() => configure())

describe('words and vectors together', () => {
  test('a message that words and vectors both find comes first, and one that either finds is found', async () => {
    const store = new VectorStore()
    await store.write('photosynthesis')
    await store.write('a long tale of this and that, of birds and bees, and of biosynthesis too')
    await store.write('biosynthesis')
    await store.allEmbedded()
    const [first, ...others] = await store.found(QUESTION)
    expect(first).toBe('biosynthesis')
    expect(others.toSorted()).toEqual([
      'a long tale of this and that, of birds and bees, and of biosynthesis too',
      'photosynthesis',
    ])
  })

  test('at equal weights the shares of both scores are added', async () => {
    configure({ EMBEDDER_MESSAGE_WEIGHT: '0.5' })
    const store = new VectorStore()
    await store.write('photosynthesis')
    await store.write('biosynthesis')
    await store.allEmbedded()
    const { results } = value(await store.search(QUESTION))
    expect(results.map(({ content }) => content)).toEqual(['biosynthesis', 'photosynthesis'])
    expect(results[0]?.score).toBeGreaterThan(0.5)
    expect(results[1]?.score).toBeLessThanOrEqual(0.5)
  })

  test('a message found by its vector matches in its content', async () => {
    const store = new VectorStore()
    await store.write('photosynthesis', { metadata: { tags: ['leaf'], summary: 'of light' } })
    await store.allEmbedded()
    const shown = async (query: string) => {
      const [result] = value(await store.search(query)).results
      return [result?.matched_fields, result?.snippet, result?.score, result?.score_breakdown.content]
    }
    expect(await shown(QUESTION)).toEqual([['content'], 'photosynthesis', 0.3, 0.3])
    const [fields] = await shown('leaf photosynthetic')
    expect(fields).toEqual(['content', 'tags'])
  })

  test('a message found by words alone is a result even at weight 1', async () => {
    configure({ EMBEDDER_MESSAGE_WEIGHT: '1' })
    const store = new VectorStore()
    await store.write('photosynthesis')
    await store.allEmbedded()
    await store.write(' \n ', { metadata: { tags: ['heron'] } })
    const { results } = value(await store.search('heron'))
    expect(results.map(({ matched_fields }) => matched_fields)).toContainEqual(['tags'])
    for (const { score } of results) expect(score).toBeGreaterThan(0)
  })

  test('messages with equal scores are ordered by importance, then the newer', async () => {
    for (const EMBEDDER_MESSAGE_WEIGHT of ['0.3', '0.5']) {
      configure({ EMBEDDER_MESSAGE_WEIGHT })
      const store = new VectorStore()
      for (const importance of [10, 90, 50]) {
        await store.write('photosynthesis', { session_id: `of ${importance}`, metadata: { importance } })
      }
      await store.allEmbedded()
      for (const query of ['photosynthesis', QUESTION]) {
        const { results } = value(await store.search(query))
        expect([query, results.map(({ metadata }) => metadata.importance)]).toEqual([query, [90, 50, 10]])
      }
    }
  })

  test('a message that only its vector finds is no result when it lacks the quoted phrase', async () => {
    const store = new VectorStore()
    for (const content of ['photosynthesis', 'of biosynthesis', 'biosynthesis of leaves']) await store.write(content)
    await store.allEmbedded()
    expect(await store.found(QUESTION)).toHaveLength(3)
    expect(await store.found(`${QUESTION} "photosynthesis"`)).toEqual(['photosynthesis'])
    expect((await store.found(`photosynthesis "${QUESTION}"`)).toSorted()).toEqual([
      'biosynthesis of leaves',
      'of biosynthesis',
    ])
    expect(await store.found(`"${QUESTION} here"`)).toEqual([])
  })

  test('session_more counts messages that words find and those that only vectors find', async () => {
    const store = new VectorStore()
    for (const content of ['photosynthesis', 'biosynthesis', 'chemosynthesis']) await store.write(content)
    await store.write('photosynthesis', { session_id: 't' })
    await store.allEmbedded()
    const { results } = value(await store.search(QUESTION, { limit: 1 }))
    expect(results.map(({ content, session_more }) => [content, session_more])).toEqual([['biosynthesis', 2]])
    const all = value(await store.search(QUESTION)).results
    expect(all.map(({ session_more }) => session_more)).toEqual([0, 0, 0, 0])
  })

  test('a question without a searchable word is not embedded', async () => {
    const store = new VectorStore()
    await store.write('***')
    await store.write('other')
    await store.allEmbedded()
    expect(await store.found('***')).toEqual(['***'])
  })
})

test('vectors of other users and sessions are not found', async () => {
  const [store, other] = [new VectorStore(), new VectorStore()]
  await store.write('photosynthesis', { session_id: 'a' })
  await store.write('chemosynthesis', { session_id: 'b' })
  await other.write('heron')
  await Promise.all([store.allEmbedded(), other.allEmbedded()])
  expect(await store.found(QUESTION, { session_id: 'a' })).toEqual(['photosynthesis'])
  expect(await store.found(QUESTION, { session_id: 'b' })).toEqual(['chemosynthesis'])
  expect(await store.found(QUESTION, { session_id: 'c' })).toEqual([])
  expect(await other.found(QUESTION)).not.toContain('photosynthesis')
})

describe('filters when hundreds of nearer messages do not pass', () => {
  const far = 'the photosynthesis of a plant, told with many other words about gardens and rain and soil'

  async function crowded(): Promise<VectorStore> {
    const store = new VectorStore()
    await store.write(far, {
      session_id: 'far',
      metadata: { memory_kind: 'episode', memory_tier: 'long', tags: ['a', 'b'], importance: 90 },
    })
    await store.write('marker')
    const [line] = value(await store.history()).history
    // Imported in one page, because there are hundreds.
    const lines = Array.from({ length: 250 }, (_, at) => ({
      ...line!,
      message_id: `01ARZ3NDEKTSV4RRFFQ${String(at).padStart(7, '0')}`,
      session_id: 'near',
      content: `photosynthesis ${at}`,
      timestamp: 1000,
      updated_at: 1000,
    }))
    value(await memory.importMessages(store.user, lines))
    await store.allEmbedded()
    return store
  }

  test('every filter of a vector search applies exactly, past hundreds of nearer messages', async () => {
    const store = await crowded()
    const near = await store.found(QUESTION, { limit: 1 })
    expect(near[0]).toMatch(/^photosynthesis \d+$/)
    const filtered: Partial<SearchMessagesArguments>[] = [
      { session_id: 'far' },
      { min_importance: 60 },
      { filters: { ...NO_FILTERS, kinds: ['episode'] } },
      { filters: { ...NO_FILTERS, tiers: ['long'] } },
      { filters: { ...NO_FILTERS, tags: ['a'] } },
      { filters: { ...NO_FILTERS, tags: ['a', 'b'] } },
      { filters: { ...NO_FILTERS, since: 2000, kinds: ['episode'] } },
    ]
    for (const more of filtered) {
      for (const limit of [1, 20]) {
        expect([more, await store.found(QUESTION, { ...more, limit })]).toEqual([more, [far]])
      }
    }
    for (const tags of [['a', 'c'], ['A']]) {
      expect(await store.found(QUESTION, { filters: { ...NO_FILTERS, tags } })).toEqual([])
    }
    expect(await store.found(QUESTION, { filters: { ...NO_FILTERS, until: 2000 }, session_id: 'far' })).toEqual([])
  })

  test('hide_superseded excludes superseded messages', async () => {
    const store = new VectorStore()
    const { message_id } = await store.write('photosynthesis')
    await store.write('chemosynthesis', { metadata: { relations: [{ type: 'supersedes', message_id }] } })
    await store.allEmbedded()
    expect((await store.found(QUESTION)).toSorted()).toEqual(['chemosynthesis', 'photosynthesis'])
    const filters = { ...NO_FILTERS, hide_superseded: true }
    expect(await store.found(QUESTION, { filters })).toEqual(['chemosynthesis'])
  })
})
