/** Search through the store: quoted phrases, words that are alike, and results from many sessions. */
import { describe, expect, test } from 'vitest'
import { TestStore, value } from '../../support/memory-world.ts'

const MIB = 1_048_576

describe('a quoted phrase', () => {
  const CONTENTS = [
    'the blue lamp stands in the hall',
    'the lamp in the hall is blue',
    'a blue one, and a lamp',
    'nothing of that kind',
  ]

  test.each([
    ['"blue lamp"', ['the blue lamp stands in the hall']],
    ['hall "blue lamp" blue', ['the blue lamp stands in the hall']],
    ['“Blue Lamp”', ['the blue lamp stands in the hall']],
    ['＂blue lamp＂', ['the blue lamp stands in the hall']],
    ['"in the"', ['the lamp in the hall is blue', 'the blue lamp stands in the hall']],
    ['"in the" lamp "is blue"', ['the lamp in the hall is blue']],
    ['"nothing of" lamp', ['nothing of that kind']],
    ['lamp "in the house"', []],
    ['"blue lamp', CONTENTS.slice(0, 3)],
    ['blue lamp"', CONTENTS.slice(0, 3)],
    ['lamp" OR "blue', CONTENTS.slice(0, 3)],
    ['"***" blue lamp', CONTENTS.slice(0, 3)],
    ['""blue lamp', CONTENTS.slice(0, 3)],
  ])('the query %s finds the messages with its phrases', async (query, expected) => {
    const store = new TestStore()
    for (const content of CONTENTS) await store.write(content)
    expect((await store.found(query)).toSorted()).toEqual(expected.toSorted())
  })

  test('words of a phrase are compared as written, those outside of it by their stems', async () => {
    const store = new TestStore()
    for (const content of ['two blue lamps', 'the Blue Lamp', 'she went home', 'go home now', 'a résumé of mine']) {
      await store.write(content)
    }
    expect(await store.found('"blue lamps"')).toEqual(['two blue lamps'])
    expect(await store.found('"blue lamp"')).toEqual(['the Blue Lamp'])
    expect(await store.found('lamps "blue lamp"')).toEqual(['the Blue Lamp'])
    expect((await store.found('blue lamps')).toSorted()).toEqual(['the Blue Lamp', 'two blue lamps'])
    expect(await store.found('"go home"')).toEqual(['go home now'])
    expect(await store.found('"went home"')).toEqual(['she went home'])
    expect(await store.found('"lamps"')).toEqual(['two blue lamps'])
    expect(await store.found('"Resume of"')).toEqual(['a résumé of mine'])
    expect(await store.found('"blue lampshade"')).toEqual([])
  })

  test('a phrase does not reach from one tag into the next', async () => {
    const store = new TestStore()
    await store.write('x', { metadata: { tags: ['blue', 'lamp'] } })
    await store.write('y', { metadata: { tags: ['lamp', 'blue lamp'] } })
    expect(await store.found('"blue lamp"')).toEqual(['y'])
    expect((await store.found('blue lamp')).toSorted()).toEqual(['x', 'y'])
  })

  test('a phrase is one of the content, the summary or a tag, and neighbours do not count', async () => {
    const store = new TestStore()
    await store.write('a blue')
    await store.write('lamp of mine', { metadata: { summary: 'the blue lamp' } })
    await store.write('lamp', { metadata: { tags: ['blue lamp'] } })
    await store.write('lamp', { metadata: { tags: ['blue'], summary: 'lamp' } })
    expect((await store.found('"blue lamp"')).toSorted()).toEqual(['lamp', 'lamp of mine'])
  })

  test('a phrase holds in scripts without spaces, also between other characters', async () => {
    const store = new TestStore()
    await store.write('昨日は京都で抹茶を飲みました')
    await store.write('京都は昨日、抹茶は今日')
    expect(await store.found('"京都で抹茶"')).toEqual(['昨日は京都で抹茶を飲みました'])
    expect(await store.found('昨日"京都で抹茶"を')).toEqual(['昨日は京都で抹茶を飲みました'])
    expect(await store.found('"茶"')).toHaveLength(2)
  })

  test('phrases in different parts of a long message both hold', async () => {
    const store = new TestStore()
    const filler = 'nothing of interest here, and then some more. '.repeat(100)
    await store.write(`the blue lamp. ${filler} the red chair.`)
    await store.write('the blue lamp and a chair in red')
    for (let at = 0; at < 120; at += 1) await store.write(`the blue lamp, number ${at}`)
    const found = await store.found('"blue lamp" "red chair"', { preview_chars: 13 })
    expect(found).toEqual(['the blue lamp'])
  })
})

describe('words that are alike', () => {
  test.each([
    ['one', ['the ones I like', 'number One'], ['put it on the table', 'going on']],
    ['use', ['she used it', 'using both', 'it has uses'], ['let us go', 'US mail']],
    ['IDE', ['two IDEs', 'an ide'], ['my id', 'the IDs']],
    ['ice', ['icing', 'iced tea'], ['the IC on the board']],
    ['add', ['added', 'adding it'], ['one ad', 'the ads']],
    ['hi', ['say Hi'], ['it is his']],
    ['id', ['all ids'], ['an IDE']],
    ['age', ['aged', 'the ages'], ['Ag is silver']],
  ])('the query %s finds its own forms and no other word', async (query, present, absent) => {
    const store = new TestStore()
    for (const content of [...present, ...absent]) await store.write(content, { session_id: content })
    expect((await store.found(query)).toSorted()).toEqual(present.toSorted())
  })

  test.each([
    ['iPhone', ['my iPhone15 broke', 'the iphone 12'], ['a phony']],
    ['oauth', ['set up OAuth2'], ['the author']],
    ['Python', ['use python3'], ['a pylon']],
    ['12000', ['it was ¥12,000', '12_000 in all', '１２，０００円'], ['12 and 000', '120,001']],
    ['らーめん', ['ラーメンを食べた'], ['メロン']],
    ['こーひー', ['熱いコーヒー'], ['コピー']],
    ['1,500', ['1500 of them', '1 500'], ['15 of 50']],
  ])('the query %s finds other spellings', async (query, present, absent) => {
    const store = new TestStore()
    for (const content of [...present, ...absent]) await store.write(content, { session_id: content })
    expect((await store.found(query)).toSorted()).toEqual(present.toSorted())
  })
})

describe('many sessions', () => {
  /** Sessions that speak of a heron in every message, and others that mention it once. */
  async function talks(store: TestStore, many: number, few: number): Promise<void> {
    for (let session = 0; session < many; session += 1) {
      for (let at = 0; at < 8; at += 1) {
        await store.write(`the heron at the pond, part ${at}`, { session_id: `many ${session}` })
      }
    }
    for (let session = 0; session < few; session += 1) {
      await store.write('we spoke of the garden', { session_id: `few ${session}` })
      await store.write('and of the heron that stands in it', { session_id: `few ${session}` })
    }
    for (let at = 0; at < 60; at += 1) await store.write(`talk of other things, part ${at}`, { session_id: 'other' })
  }

  test('the first ten results come from many sessions, not from those that say most', async () => {
    const store = new TestStore()
    await talks(store, 7, 8)
    const { results } = value(await store.search('heron', { limit: 10 }))
    expect(new Set(results.map(({ session_id }) => session_id)).size).toBeGreaterThanOrEqual(7)
  })

  test('session_more is the number of further messages of the session that match', async () => {
    const store = new TestStore()
    await talks(store, 2, 3)
    const { results } = value(await store.search('heron', { limit: 12 }))
    const shown = Map.groupBy(results, ({ session_id }) => session_id)
    for (const { session_id, session_more } of results) {
      const all = session_id.startsWith('many') ? 8 : 1
      expect([session_id, session_more]).toEqual([session_id, all - shown.get(session_id)!.length])
    }
    expect(shown.size).toBeGreaterThan(2)
  })

  test('session_more counts what one session holds beyond the limit, and 0 when all is shown', async () => {
    const store = new TestStore()
    await talks(store, 1, 2)
    const more = async (limit: number) =>
      value(await store.search('heron', { limit, session_id: 'many 0' })).results.map((one) => one.session_more)
    expect(await more(3)).toEqual([5, 5, 5])
    expect(await more(20)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  })

  test('a session that stands out fills the list', async () => {
    const store = new TestStore()
    await talks(store, 1, 1)
    const { results } = value(await store.search('heron at the pond', { limit: 8 }))
    expect(results.filter(({ session_id }) => session_id === 'many 0').length).toBeGreaterThanOrEqual(7)
  })

  test('results that the response budget excludes count as more', async () => {
    const store = new TestStore()
    for (let at = 0; at < 12; at += 1) await store.write(`heron ${'x'.repeat(MIB - 100)}`)
    const { results } = value(await store.search('heron', { limit: 100 }))
    expect(results.map(({ session_more }) => session_more)).toEqual(results.map(() => 12 - results.length))
  })
})
