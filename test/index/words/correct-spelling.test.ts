import { beforeAll, describe, expect, test } from 'vitest'
import { ask, guest, hits, owner, put, watched } from '../../support/search-world.ts'

beforeAll(async () => {
  await put([
    { type: 'doc', doc_path: 'docs/routing.md', title: 'Routing', body: 'The router matches middleware in order.' },
    { type: 'doc', doc_path: 'docs/route.md', title: 'Roster', body: 'A roster of people. The rooster crows.' },
    { type: 'doc', doc_path: 'docs/more.md', title: 'More', body: 'Another router, and yet a router.' },
    { type: 'issue', number: 1, title: 'Cookies', body: 'Lowercase attributes are refused', state: 'open' },
    { repo: 'secret/plans', type: 'issue', number: 1, title: 'Zeppelin', body: 'zeppelins over Wuppertal' },
    { type: 'issue', number: 2, title: 'Known', body: 'the word rooter is known here', state: 'open' },
  ])
})

describe('a misspelt word', () => {
  test('a misspelt word is searched together with its most frequent known neighbour, and the answer says so', async () => {
    const answer = await ask({ query: 'ruoter' })
    expect(answer.corrected).toEqual({ ruoter: 'router' })
    expect(hits(answer).toSorted()).toEqual(['doc:docs/more.md', 'doc:docs/routing.md'])
    expect(answer.results[0]?.snippet).toContain('**router**')
  })

  test('a misspelt word does not hide the other words of the question', async () => {
    const answer = await ask({ query: 'lowercase atributes in cookies' })
    expect(answer.corrected).toEqual({ atributes: 'attributes' })
    expect(hits(answer)[0]).toBe('issue#1')
  })

  test('a misspelt word costs one more round trip, and a known word none', async () => {
    const typed = watched()
    await ask({ query: 'ruoter order' }, owner, typed.index)
    expect(typed.trips).toHaveLength(3)
    const known = watched()
    await ask({ query: 'router order' }, owner, known.index)
    expect(known.trips).toHaveLength(2)
    // Hundreds of words are looked up, and only known ones are rows.
    expect(typed.rowsRead()).toBeLessThan(known.rowsRead() + 20)
  })
})

test('a known word is never corrected', async () => {
  expect(await ask({ query: 'rooter' })).not.toHaveProperty('corrected')
})

test.each(['zzgrtl', 'qqq', '検策', 'v9.9.9'])('no correction is made for %s', async (query) => {
  expect(await ask({ query })).not.toHaveProperty('corrected')
})

test('a word that only hidden rows contain is never a correction', async () => {
  expect((await ask({ query: 'zepelin' })).corrected).toEqual({ zepelin: 'zeppelin' })
  const answer = await ask({ query: 'zepelin' }, guest)
  expect(answer).not.toHaveProperty('corrected')
  expect(answer.count).toBe(0)
  const elsewhere = await ask({ query: 'zepelin', repo: 'acme/widget' })
  expect(elsewhere).not.toHaveProperty('corrected')
})

describe('a word that only rows out of scope contain', () => {
  beforeAll(async () => {
    await put([
      { repo: 'acme/typing', type: 'issue', number: 1, title: 'The databse connection drops', state: 'open' },
      { repo: 'acme/typed', type: 'issue', number: 1, title: 'The database connection drops', state: 'open' },
      { repo: 'acme/typed', type: 'issue', number: 2, title: 'Choose a color', state: 'open' },
      { repo: 'acme/typed', type: 'issue', number: 3, title: 'Serialize the cache', state: 'open' },
      {
        repo: 'secret/plans',
        type: 'issue',
        number: 2,
        title: 'Serialise, colour the gondla of the balloon',
        state: 'open',
      },
      { repo: 'acme/balloons', type: 'issue', number: 1, title: 'The gondola of the balloon', state: 'open' },
    ])
  })

  test.each([
    ['databse', 'acme/typed', { databse: 'database' }, 'issue#1'],
    ['databse connection', 'acme/typed', { databse: 'database' }, 'issue#1'],
    ['colour', 'acme/typed', { colour: 'color' }, 'issue#2'],
    ['serialise', 'acme/typed', { serialise: 'serialize' }, 'issue#3'],
    ['gondla', 'acme/balloons', { gondla: 'gondola' }, 'issue#1'],
    ['repo:acme/typed databse', undefined, { databse: 'database' }, 'issue#1'],
  ])('is unknown: %s in %s', async (query, repo, corrected, first) => {
    const answer = await ask({ query, ...(repo !== undefined && { repo }) })
    expect(answer.corrected).toEqual(corrected)
    expect(hits(answer)[0]).toBe(first)
  })

  test('stays as typed where its own repository is in scope', async () => {
    for (const repo of [undefined, 'acme/typing']) {
      const answer = await ask({ query: 'databse', ...(repo !== undefined && { repo }) })
      expect(answer).not.toHaveProperty('corrected')
      expect(answer.results[0]?.repo).toBe('acme/typing')
    }
  })

  test('is unknown to a guest when the rows are hidden, and known to the owner', async () => {
    const answer = await ask({ query: 'gondla' }, guest)
    expect(answer.corrected).toEqual({ gondla: 'gondola' })
    expect(answer.results.map(({ repo }) => repo)).toEqual(['acme/balloons'])
    expect(await ask({ query: 'gondla' }, owner)).not.toHaveProperty('corrected')
  })

  test('costs a hidden repository the same statements as one that does not exist', async () => {
    const statementsOf = async (repo: string) => {
      const typed = watched()
      const { warnings, ...answer } = await ask({ query: 'colour gondla databse', repo }, guest, typed.index)
      return { answer, trips: typed.trips, warnings: JSON.stringify(warnings)?.replaceAll(repo, 'X') }
    }
    const [hidden, absent] = [await statementsOf('secret/plans'), await statementsOf('secret/plums')]
    expect(JSON.stringify(hidden).replaceAll('secret/plans', 'X')).toBe(
      JSON.stringify(absent).replaceAll('secret/plums', 'X'),
    )
  })
})
