import { afterAll, beforeAll, expect, test } from 'vitest'
import { clonesIn } from '../../../scripts/bench/sets/clone.ts'
import { pick } from '../../../scripts/bench/sets/pick.ts'
import { makeSet, readRepositorySets } from '../../../scripts/bench/sets/repository-sets.ts'
import { firstSentences, sectionsOf } from '../../../scripts/bench/sets/sections.ts'
import { GitSandbox } from '../../support/git-sandbox.ts'

const LONG = 'The kettle boils over when the lid is closed, because steam cannot leave it. '.repeat(8)

let git: GitSandbox
const shas: Record<'kettle' | 'lid' | 'whistle' | 'sweep' | 'head', string> = {
  kettle: '',
  lid: '',
  whistle: '',
  sweep: '',
  head: '',
}

beforeAll(() => {
  git = new GitSandbox('kitchen')
  shas.kettle = git.commit('kettle: close the lid\n\nIt stays warm for longer.', { 'src/kettle.c': 'int lid = 1;\n' })
  shas.lid = git.commit(
    `lid: let steam out\n\n${LONG}\n\nIn commit ${shas.kettle.slice(0, 9)} (kettle: close the\nlid, 2023-11-14) the gap was closed.\n\nSigned-off-by: Aoi <aoi@example.com>`,
    { 'src/lid.c': 'int gap = 2;\n', 'src/kettle.c': 'int lid = 2;\n' },
  )
  shas.whistle = git.commit(
    `whistle: two notes\n\n${LONG}\nSince ${shas.kettle.slice(0, 9)} (kettle: close the lid, 2023-11-14) and ${shas.lid.slice(0, 9)} (lid: let steam out, 2023-11-14) it is silent.`,
    { 'src/whistle.c': 'int notes = 2;\n' },
  )
  shas.sweep = git.commit(
    `all: a licence in every file\n\n${LONG}`,
    Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`src/part-${at}.c`, `int part = ${at};\n`])),
  )
  shas.head = git.commit('docs: everything else', {
    'archive.json': JSON.stringify({
      issues: [
        { number: 1, title: 'Water on the stove', body: LONG },
        { number: 2, title: 'Too hot', body: 'Too hot.' },
        { number: 3, title: 'Nobody closes this', body: LONG },
        { number: 4, title: 'A reply of three words', body: LONG },
      ],
      pulls: [
        {
          number: 5,
          title: 'Let the steam leave through a gap in the lid',
          body: 'Fixes #1 and closes: #2, see #3. Done.'.padEnd(99, ' More.'),
        },
        { number: 6, title: 'Tidy', body: 'Closes #4' },
        { number: 7, title: 'Words', body: null },
      ],
    }),
    'docs/de/tee.md': `# Tee kochen { #make-tea }\n\n${LONG}\n\n## Wasser langsam kochen {#boil}\n\n${LONG}\n\n## Tee\n\n${LONG}`,
    'docs/en/faq.rst': `FAQ\n===\n\nWhy does it whistle?\n--------------------\n\n${LONG}\n\n.. _lid:\n\nThe lid\n-------\n\n${LONG}\n\nMay I open it?\n--------------\n\nNo.\n`,
    'manual/tea.md':
      '# Tea\n\nLeaves in water.\n\n## Hot\n\nBoil it.\n\n## Cold\n\nWait.\n\n### Hot\n\nWarm it again.\n',
    'manual/notes.txt': '# Tea\n\nNot a document.',
    'proposals/0007-lids.md': `- Feature: lids\n\n# Summary\n[summary]: #s\n\nA lid has a gap, from which steam leaves the kettle before the water boils over the rim.\n\n# Motivation\n\nPeople [burn](x) their hands on \`kettles\` that are far too hot to touch. They would like to see when the water boils. A gap shows it at once. A fourth sentence.\n`,
    'proposals/0008-short.md': '# Summary\n\nShort.\n\n# Motivation\n\nNone.\n',
    'proposals/0009-plain.rst': `Abstract\n========\n\nTwo notes tell the cook apart from the guests who wait for their tea in the garden outside.\n\nMotivation\n==========\n\nNone.\n`,
  })
})

afterAll(() => git.remove())

const open = () => clonesIn(git.root)
const source = () => ({ repository: 'owner/kitchen', commit: shas.head })

test('an issue asks with its whole text, and the pull requests that close it answer', async () => {
  const set = await makeSet(open(), {
    kind: 'issues',
    sources: [{ ...source(), archive: 'archive.json' }],
    questions: 9,
  })
  expect(set.queries).toEqual([{ id: 'owner/kitchen#1', text: `Water on the stove\n\n${LONG}` }])
  expect(set.qrels).toEqual({ 'owner/kitchen#1': { 'owner/kitchen#5': 1 } })
  expect(set.docs.map(({ id, title, path }) => [id, title, path])).toEqual([
    ['owner/kitchen#5', 'Let the steam leave through a gap in the lid', ''],
    ['owner/kitchen#6', 'Tidy', ''],
    ['owner/kitchen#7', 'Words', ''],
  ])
})

test('the long body of a commit asks for its diffs, and a sweep over many files is no document', async () => {
  const set = await makeSet(open(), { kind: 'changes', source: source(), commits: 4, questions: 9 })
  expect(set.queries.map(({ id }) => id)).toEqual([shas.whistle, shas.lid])
  expect(set.queries[1]?.text).not.toContain('lid: let steam out')
  expect(set.queries[1]?.text).not.toContain('Signed-off-by')
  expect(set.qrels[shas.lid]).toEqual({ [`${shas.lid} src/kettle.c`]: 1, [`${shas.lid} src/lid.c`]: 1 })
  expect(set.docs.map(({ id }) => id)).not.toContain(`${shas.sweep} src/part-0.c`)
  expect(set.docs.find(({ id }) => id === `${shas.lid} src/lid.c`)?.text).toContain('+int gap = 2;')
})

test('a message asks for the one earlier commit that it refers to, without the reference', async () => {
  const recipe = { kind: 'mentions', source: source(), commits: 9, documents: 3, questions: 9 } as const
  const set = await makeSet(open(), recipe)
  expect(set.queries.map(({ id }) => id)).toEqual([shas.lid])
  expect(set.queries[0]?.text).toMatch(/^lid: let steam out\n\nThe kettle boils over/)
  expect(set.queries[0]?.text).not.toContain(shas.kettle.slice(0, 7))
  expect(set.queries[0]?.text).not.toContain('2023-11-14')
  expect(set.qrels).toEqual({ [shas.lid]: { [shas.kettle]: 1 } })
  expect(set.docs).toContainEqual({
    id: shas.kettle,
    title: 'kettle: close the lid',
    path: '',
    text: 'It stays warm for longer.',
  })
  expect(set.docs.map(({ id }) => id)).not.toContain(shas.lid)
})

test('a heading of several words asks for its passage, which does not contain it', async () => {
  const sources = [{ ...source(), tag: 'de', under: 'docs/de/' }]
  const set = await makeSet(open(), { kind: 'headings', ask: 'headings', sources, documents: 9, questions: 9 })
  expect(set.queries).toEqual([
    { id: 'owner/kitchen/docs/de/tee.md#0', text: 'Tee kochen', tag: 'de' },
    { id: 'owner/kitchen/docs/de/tee.md#1', text: 'Wasser langsam kochen', tag: 'de' },
  ])
  expect(set.docs.map(({ text }) => text)).toEqual([LONG.trim(), LONG.trim(), LONG.trim()])
})

test('of a manual only the headings that are questions ask, where their passages say something', async () => {
  const sources = [{ ...source(), under: 'docs/en/' }]
  const set = await makeSet(open(), { kind: 'headings', ask: 'questions', sources, documents: 9, questions: 9 })
  expect(set.queries.map(({ text }) => text)).toEqual(['Why does it whistle?'])
  expect(set.docs.map(({ text }) => text)).toEqual([LONG.trim(), LONG.trim()])
})

test('a question of our own names the passage that answers it by the headings above it', async () => {
  const ask = 'How do I warm up what has become cold?'
  const recipe = (answer: string) =>
    ({ kind: 'faq', source: source(), under: 'manual/', questions: [{ ask, answers: [answer] }] }) as const
  const set = await makeSet(open(), recipe('manual/tea.md: Cold > Hot'))
  expect(set.docs).toHaveLength(4)
  expect(set.qrels).toEqual({ [ask]: { 'manual/tea.md#3': 1 } })
  expect(set.docs[3]?.text).toBe('### Hot\n\nWarm it again.')
  await expect(makeSet(open(), recipe('manual/tea.md: Hot'))).rejects.toThrow('names 2 passages')
  await expect(makeSet(open(), recipe('manual/tea.md: Lukewarm'))).rejects.toThrow('names 0 passages')
})

test('the first sentences of a motivation ask for the abstract of their proposal', async () => {
  const sources = [
    { ...source(), tag: 'lid', under: 'proposals/', abstract: ['abstract', 'summary'], motivation: ['motivation'] },
  ]
  const set = await makeSet(open(), { kind: 'abstracts', sources, documents: 9, questions: 9 })
  expect(set.docs.map(({ id }) => id)).toEqual(['lid/0007', 'lid/0009'])
  expect(set.queries).toEqual([
    {
      id: 'lid/0007',
      tag: 'lid',
      text: 'People burn their hands on kettles that are far too hot to touch. They would like to see when the water boils. A gap shows it at once.',
    },
  ])
})

test('a clone or a commit that is not there is reported with the command that makes it', async () => {
  const recipe = (repository: string, commit: string) =>
    ({ kind: 'changes', source: { repository, commit }, commits: 1, questions: 1 }) as const
  await expect(makeSet(open(), recipe('owner/garden', shas.head))).rejects.toThrow(
    'git clone https://github.com/owner/garden',
  )
  await expect(makeSet(open(), recipe('owner/kitchen', '0'.repeat(40)))).rejects.toThrow(`commit ${'0'.repeat(40)}`)
})

test('every set of the project is omitted with a reason when there are no clones', async () => {
  const missing: string[] = []
  for await (const { name } of readRepositorySets(git.root, undefined, (name) => missing.push(name))) {
    throw new Error(`${name} was made of nothing`)
  }
  expect(missing).toEqual(['abstracts', 'changes', 'faq', 'faq-headings', 'headings', 'issues', 'mentions'])
  await expect(readRepositorySets(git.root, ['poems'], () => undefined).next()).rejects.toThrow(
    'there is no set "poems"; the sets are abstracts',
  )
})

test('headings inside code do not divide a document', () => {
  const text = '# One\n\n```sh\n# a comment\n~~~\n# another\n```\n\nafter\n\n### Three ###\n\nend'
  expect(sectionsOf('a.md', text)).toEqual([
    { headings: ['One'], text: '```sh\n# a comment\n~~~\n# another\n```\n\nafter' },
    { headings: ['One', 'Three'], text: 'end' },
  ])
})

test('a heading of reStructuredText may have a line above it, and a table has none', () => {
  const text = '=====\nTitle\n=====\n\nfirst\n\nPart\n~~~~\n\n===  ===\na    b\n===  ===\n'
  expect(sectionsOf('a.rst', text)).toEqual([
    { headings: ['Title'], text: 'first' },
    { headings: ['Part'], text: '===  ===\na    b\n===  ===' },
  ])
})

test('sentences are taken from prose, not from code, lists of links or notes', () => {
  const text = '[m]: #m\n\n```\ncode. code.\n```\n\nSee [the *plan*](x) for `more`. Then\nstop! Why? Because.'
  expect(firstSentences(text, 2)).toBe('See the plan for more. Then stop!')
})

test('a sample keeps its order, and mostly its members when items are added', () => {
  const items = Array.from({ length: 100 }, (_, at) => `item ${at}`)
  const few = pick(items, 10, (item) => item)
  const more = pick([...items, 'item 100'], 10, (item) => item)
  expect(few).toHaveLength(10)
  expect(few).toEqual(items.filter((item) => few.includes(item)))
  expect(few.filter((item) => more.includes(item)).length).toBeGreaterThanOrEqual(9)
  expect(pick(items, 200, (item) => item)).toEqual(items)
})
