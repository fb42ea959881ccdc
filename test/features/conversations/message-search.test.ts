/** Search through the store: which messages are found, in which order, and what a result contains. */
import { describe, expect, test } from 'vitest'
import { MAX_ANSWER_BYTES } from '../../../src/memory/limits.ts'
import { utf8Bytes } from '../../../src/base/utf8.ts'
import { codeOf, NO_FILTERS, TestStore, value } from '../../support/memory-world.ts'

const MIB = 1_048_576

describe('a query is plain text', () => {
  test.each([
    'say "hi" AND (NEAR* : - %',
    '"',
    'a" OR "b',
    'NEAR(a b, 2)',
    'content:lamp',
    '^lamp*',
    'lamp NOT lamp',
    '{content summary} : lamp',
    "'; DROP TABLE messages; --",
    'x'.repeat(4096),
    'AND OR NOT',
    '\u0000lamp\u0000',
    '%_',
  ])('the query %j is plain text without operators', async (query) => {
    const store = new TestStore()
    await store.write("Ticket POL-358: the lamp isn't safe (see manual).")
    expect(codeOf(await store.search(query))).toBe('ok')
    expect(await store.found('POL-358')).toHaveLength(1)
  })
})

describe('words are found', () => {
  test.each([
    ['昨日は京都で抹茶を飲みました', ['抹茶', '茶', '京都', '京'], ['紅茶', '大阪']],
    ['先週は友達と奈良で鹿を見ました', ['鹿', '奈良', '友達'], ['馬']],
    ['오늘 도서관에서 책을 빌렸다', ['도서관', '책', '빌렸다'], ['학교']],
    ['วันนี้ฝนตกหนักมาก', ['ฝน'], ['หิมะ']],
    ['Ｃｌｏｕｄ ﬁle', ['cloud', 'file', 'ＣＬＯＵＤ'], ['clown']],
    ['I like the café on Straße 5', ['cafe', 'cafe\u0301', 'CAFÉ', 'strasse'], ['coffee']],
    ['party 🎉 tonight 👩‍💻', ['🎉', '👩‍💻'], ['🎂']],
    ['Ticket POL-358 is open', ['POL-358', 'pol 358', '358'], ['ABC-359']],
    ['we went and bought two mice', ['go', 'buying', 'mouse'], ['sell']],
    ['the userName is in getUserName()', ['username', 'user name', 'getUserName'], ['password']],
  ])('the words of "%s" are found', async (content, present, absent) => {
    const store = new TestStore()
    await store.write(content)
    await store.write('nothing to see here')
    for (const query of present) expect([query, await store.found(query)]).toEqual([query, [content]])
    for (const query of absent) expect([query, await store.found(query)]).toEqual([query, []])
  })

  test('words of a summary or a tag are found, and matched_fields names the field', async () => {
    const store = new TestStore()
    await store.write('plain', { metadata: { tags: ['kitchen', 'zebra crossing'], summary: 'about lamps' } })
    await store.write('a lamp')
    const found = async (query: string) =>
      value(await store.search(query)).results.map(({ content, matched_fields }) => [content, matched_fields])
    expect(await found('zebra')).toEqual([['plain', ['tags']]])
    expect(await found('lamp')).toEqual(
      expect.arrayContaining([
        ['plain', ['summary']],
        ['a lamp', ['content']],
      ]),
    )
    expect(await found('plain lamp kitchen')).toContainEqual(['plain', ['content', 'summary', 'tags']])
  })

  test('words of a former revision are not found', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('apple', { metadata: { tags: ['red'], summary: 'round' } })
    await store.update(message_id, { content: 'pear', metadata: { tags: ['green'], summary: 'long' } })
    for (const old of ['apple', 'red', 'round']) expect(await store.found(old)).toEqual([])
    for (const now of ['pear', 'green', 'long']) expect(await store.found(now)).toEqual(['pear'])
  })

  test('a short message is found beside a long one whose chunks all match', async () => {
    const store = new TestStore()
    await store.write('a heron at the pond, and then another one.\n'.repeat(20_000))
    for (let at = 0; at < 12; at += 1) await store.write(`${at} heron`)
    expect(await store.found('heron', { limit: 10, preview_chars: 5 })).toHaveLength(10)
    expect(await store.found('heron', { limit: 100, preview_chars: 5 })).toHaveLength(13)
  })

  test('a query of thirty words finds a message for each of them', async () => {
    const store = new TestStore()
    const words = Array.from({ length: 30 }, (_, at) => `w${at}${'abcdefghij'[at % 10]}`)
    for (const word of words) await store.write(word, { session_id: word })
    expect((await store.found(words.join(' '), { limit: 100 })).toSorted()).toEqual(words.toSorted())
  })

  test('a word anywhere in a mebibyte is found', async () => {
    const store = new TestStore()
    const filler = 'nothing of interest here. '.repeat(20_000)
    await store.write(`${filler} the heron stood still. ${filler}`)
    const [result] = value(await store.search('heron', { preview_chars: 10 })).results
    expect(result).toMatchObject({ content: 'nothing of', content_truncated: true, matched_fields: ['content'] })
    expect(result?.snippet).toContain('**heron**')
    expect(result!.snippet!.length).toBeLessThanOrEqual(240)
  })
})

describe('a question without a searchable word', () => {
  test('signs are searched for literally in content, summary and tags', async () => {
    const store = new TestStore()
    await store.write('rating: *** of five')
    await store.write('no stars', { metadata: { summary: '***' } })
    await store.write('no stars', { metadata: { tags: ['***'] } })
    await store.write('** two')
    const { results } = value(await store.search('  ***  '))
    expect(results.map(({ matched_fields }) => matched_fields).toSorted()).toEqual([['content'], ['summary'], ['tags']])
    for (const { score } of results) expect(score).toBeGreaterThan(0)
    expect(results.map(({ snippet }) => snippet)).toContain('rating: * of five')
    expect(await store.found('***', { session_id: 'other' })).toEqual([])
    expect(await store.found('***', { filters: { ...NO_FILTERS, tags: ['***'] } })).toEqual(['no stars'])
  })

  test('a question of blanks finds nothing', async () => {
    const store = new TestStore()
    await store.write('a b')
    expect(await store.found('  \t ')).toEqual([])
  })
})

describe('the order of results', () => {
  test('results are ordered by score, then importance, then the newer, then the id', async () => {
    const store = new TestStore()
    await store.write('heron', { session_id: 'a', metadata: { importance: 10 } })
    const first = await store.write('heron', { session_id: 'b', metadata: { importance: 90 } })
    await store.write('heron', { session_id: 'c', metadata: { importance: 50 } })
    const { results } = value(await store.search('heron'))
    expect(results.map(({ metadata }) => metadata.importance)).toEqual([90, 50, 10])
    expect(results[0]?.message_id).toBe(first.message_id)
    expect(new Set(results.map(({ score }) => score)).size).toBe(1)
  })

  test('neighbours raise a message, but only a message that matches is a result', async () => {
    const store = new TestStore()
    for (let at = 0; at < 12; at += 1) await store.write(`talk of other things, part ${at}`)
    await store.write('How was the regatta in Kiel?')
    await store.write('We came in third, the wind was strong.')
    for (let at = 0; at < 12; at += 1) await store.write(`more talk of this and that, part ${at}`)
    await store.write('A strong wind kept us at home.')
    const found = await store.found('wind at the regatta in Kiel')
    expect(found.slice(0, 2).toSorted()).toEqual([
      'How was the regatta in Kiel?',
      'We came in third, the wind was strong.',
    ])
    expect(found).toHaveLength(3)
  })

  test('an answer is found beside a question although it shares only a common name with the query', async () => {
    const store = new TestStore()
    const talk = async (from: number, to: number) => {
      for (let at = from; at < to; at += 1) await store.write(`${at % 2 === 0 ? 'Ann' : 'Bob'}: so, part ${at}`)
    }
    await talk(0, 60)
    await store.write('Bob: What did you find at the flea market?')
    const answer = await store.write(
      'Ann: A red scarf and two very old plates, and I am so glad that I went there after all!',
    )
    await talk(60, 120)
    const query = 'What did Ann get at the flea market?'
    expect((await store.found(query, { limit: 2 })).toSorted()[0]).toBe(answer.content)
    // Filters apply to neighbours too.
    await store.update(answer.message_id, { metadata: { tags: ['shown'] } })
    expect(await store.found(query, { filters: { ...NO_FILTERS, tags: ['shown'] } })).toEqual([answer.content])
    const untagged = await store.found(query, {
      filters: { ...NO_FILTERS, kinds: ['conversation'] },
      min_importance: 50,
    })
    expect(untagged).toContain(answer.content)
    await store.update(answer.message_id, { metadata: { importance: 10 } })
    expect(await store.found(query, { min_importance: 50 })).not.toContain(answer.content)
  })

  test('scores are finite and have a breakdown', async () => {
    const store = new TestStore()
    await store.write('a heron and a heron', { metadata: { tags: ['heron'] } })
    const [result] = value(await store.search('heron')).results
    expect(result?.score).toBeGreaterThan(0)
    const { content, summary, tags } = result!.score_breakdown
    expect([content > 0, summary, tags > 0]).toEqual([true, 0, true])
    expect([content, tags, result!.score].every(Number.isFinite)).toBe(true)
  })
})

describe('the filters', () => {
  const tagged = (tags: string[]) => ({ filters: { ...NO_FILTERS, tags } })

  test('a session filter hides messages of other sessions', async () => {
    const store = new TestStore()
    await store.write('heron one', { session_id: 'a' })
    await store.write('heron two', { session_id: 'b' })
    expect(await store.found('heron', { session_id: 'a' })).toEqual(['heron one'])
    expect(await store.found('heron', { session_id: 'A' })).toEqual([])
    expect(await store.found('heron', { session_id: 'nowhere' })).toEqual([])
  })

  test('a message must have all tags of the filter, compared exactly', async () => {
    const store = new TestStore()
    await store.write('heron', { metadata: { tags: ['a', 'b', "it's", 'two words'] } })
    await store.write('heron of no tag')
    for (const tags of [['a'], ['a', 'b'], ["it's"], ['two words']]) {
      expect([tags, await store.found('heron', tagged(tags))]).toEqual([tags, ['heron']])
    }
    for (const tags of [['a', 'c'], ['A'], ['two'], ['*']]) expect(await store.found('heron', tagged(tags))).toEqual([])
  })

  test('a message must have one of the kinds and one of the tiers, discard included', async () => {
    const store = new TestStore()
    await store.write('heron 1', { metadata: { memory_kind: 'episode', memory_tier: 'discard' } })
    await store.write('heron 2', { metadata: { memory_kind: 'preference', memory_tier: 'long' } })
    await store.write('heron 3')
    const found = async (filters: Partial<typeof NO_FILTERS>) =>
      (await store.found('heron', { filters: { ...NO_FILTERS, ...filters } })).toSorted()
    expect(await found({})).toEqual(['heron 1', 'heron 2', 'heron 3'])
    expect(await found({ kinds: ['episode', 'preference'] })).toEqual(['heron 1', 'heron 2'])
    expect(await found({ tiers: ['long', 'short'] })).toEqual(['heron 2', 'heron 3'])
    expect(await found({ kinds: ['episode'], tiers: ['long'] })).toEqual([])
  })

  test('results are filtered by importance and time', async () => {
    const store = new TestStore()
    for (const importance of [50, 60, 100]) await store.write(`heron ${importance}`, { metadata: { importance } })
    expect((await store.found('heron', { min_importance: 60 })).toSorted()).toEqual(['heron 100', 'heron 60'])
    await store.sql('UPDATE messages SET timestamp = sequence * 10')
    const between = async (times: { since?: number; until?: number }) =>
      (await store.found('heron', { filters: { ...NO_FILTERS, ...times } })).toSorted()
    expect(await between({ since: 20 })).toEqual(['heron 100', 'heron 60'])
    expect(await between({ until: 20 })).toEqual(['heron 50'])
  })

  test('hide_superseded excludes messages that a live message supersedes', async () => {
    const store = new TestStore()
    const old = await store.write('the heron stands')
    const relations = [{ type: 'supersedes' as const, message_id: old.message_id }]
    const { message_id } = await store.write('the heron flew', { metadata: { relations } })
    const hidden = { filters: { ...NO_FILTERS, hide_superseded: true } }
    expect(await store.found('heron', hidden)).toEqual(['the heron flew'])
    expect((await store.found('heron')).toSorted()).toEqual(['the heron flew', 'the heron stands'])
    await store.delete(message_id)
    expect(await store.found('heron', hidden)).toEqual(['the heron stands'])
  })

  test('a rare message that passes the filters is found among many that do not', async () => {
    const store = new TestStore()
    for (let at = 0; at < 400; at += 1) await store.write(`heron ${at}`)
    await store.write('a heron in a long tale of many other birds', {
      session_id: 'rare',
      metadata: { tags: ['rare'], importance: 99 },
    })
    for (let at = 0; at < 400; at += 1) await store.write(`heron ${at}`)
    const [tale] = ['a heron in a long tale of many other birds']
    expect(await store.found('heron', { session_id: 'rare', limit: 1 })).toEqual([tale])
    expect(await store.found('heron', { ...tagged(['rare']), limit: 1 })).toEqual([tale])
    expect(await store.found('heron', { min_importance: 99, limit: 1 })).toEqual([tale])
    expect(await store.found('heron', { limit: 100 })).toHaveLength(100)
  })
})

describe('a result', () => {
  test('a result has as many neighbours as requested', async () => {
    const store = new TestStore()
    for (const content of ['1', '2', 'heron', '4', '5']) await store.write(content)
    await store.write('elsewhere', { session_id: 't' })
    const preview = async (context_size: number) => {
      const [result] = value(await store.search('heron', { context_size })).results
      if (!('context_preview' in result!)) return undefined
      const { before, after } = result.context_preview!
      return [before, after].map((side) => side.map(({ content }) => content).join(''))
    }
    expect(await preview(0)).toBeUndefined()
    expect(await preview(1)).toEqual(['2', '4'])
    expect(await preview(3)).toEqual(['12', '45'])
  })

  test('relation_count includes declared relations and those of live messages', async () => {
    const store = new TestStore()
    const target = await store.write('heron')
    const relations = [{ type: 'related_to' as const, message_id: target.message_id }]
    const source = await store.write('points', { metadata: { relations } })
    await store.update(target.message_id, {
      metadata: { relations: [{ type: 'depends_on', message_id: source.message_id }] },
    })
    const count = async () => value(await store.search('heron')).results[0]?.relation_count
    expect(await count()).toBe(2)
    await store.delete(source.message_id)
    expect(await count()).toBe(1)
  })

  test('results take the response budget before neighbours do', async () => {
    const store = new TestStore()
    for (let at = 0; at < 12; at += 1) await store.write(`heron ${'x'.repeat(MIB - 100)}`)
    const { results } = value(await store.search('heron', { limit: 100, context_size: 3 }))
    expect(results).toHaveLength(7)
    expect(results.every((result) => result.context_preview?.before.length === 0)).toBe(true)
  })

  test('an answer stays within the size of a response when every character is escaped twice', async () => {
    const store = new TestStore()
    for (let at = 0; at < 6; at += 1) await store.write('"'.repeat(MIB))
    const text = JSON.stringify(value(await store.history()))
    const sent = utf8Bytes(text) + utf8Bytes(JSON.stringify(text))
    expect(sent).toBeLessThanOrEqual(2.2 * MAX_ANSWER_BYTES)
  })

  test('results with neighbours stay within the size limit of an answer', async () => {
    const store = new TestStore()
    for (let at = 0; at < 12; at += 1) await store.write(`heron ${'\u0001'.repeat(MIB / 3)}`)
    const answer = value(await store.search('heron', { limit: 100, context_size: 3 }))
    expect(utf8Bytes(JSON.stringify(answer))).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
    expect(answer.results.length).toBeGreaterThan(0)
    expect(answer.results.length).toBeLessThan(12)
  })
})
