import { expect, test } from 'vitest'
import { checkFragments, listFragments } from '../../../scripts/check/words.ts'

/** The offences of a text as `line: subject`. */
function found(file: string, text: string): string[] {
  return checkFragments(file, listFragments(file, text)).map(({ line, subject }) => `${line}: ${subject}`)
}

test.each([
  ['the row owes its words', 'owes'],
  ['retried, or put off', 'put off'],
  ['run the pump', 'pump'],
  ['an exact lane', 'lane'],
  ['results by meaning', 'by meaning'],
  ['the pool of a search', 'pool'],
  ['both rankings in step', 'in step'],
  ['a piece of the text', 'piece'],
  ['the caller is told', 'told'],
  ['files that are left out', 'left out'],
  ['nobody asks', 'nobody'],
  ['a pair of characters', 'pair of characters'],
])('a comment with "%s" is refused', (text, subject) => {
  expect(found('src/search/a.ts', `/** Some ${text}. */`)).toEqual([`1: ${subject}`])
})

test('words of another sense pass', () => {
  const good = [
    'The webhook signature is verified, and a byte order mark stays.',
    'A turn of the conversation returns to the client side.',
    'Markdown, benchmarks and files beside it; the fields `put_off` and `settled`.',
    'Beginning with step 2, a question mark ends the question; its meaning is plain.',
    'Rows are told', // the last word is caught: the test reads every line
  ]
  expect(found('src/search/a.ts', `/*\n${good.map((line) => ` * ${line}`).join('\n')}\n */`)).toEqual(['6: told'])
})

test('names are read as their words, each once, and contracted names pass', () => {
  const text = [
    '/** Opens. */',
    'const chosenLane = 1',
    'const MAX_ROOM = chosenLane',
    'const settled = { put_off: 1 }',
    'const planet = Promise.allSettled([])',
    'class Sink { #told = 1 }',
  ].join('\n')
  expect(found('src/search/a.ts', text)).toEqual(['2: chosenLane', '3: MAX_ROOM', '6: Sink', '6: told'])
})

test('a word that breaks over two lines of a comment is found', () => {
  expect(found('src/search/a.ts', '/**\n * Retried, or put\n * off for a while.\n */')).toEqual(['2: put off'])
  expect(found('docs/a.md', 'Retried, or put\noff for a while.')).toEqual(['1: put off'])
})

test('texts of the product are read, and of a test only its titles', () => {
  expect(found('src/search/a.ts', "const text = 'is told'")).toEqual(['1: told'])
  expect(found('src/search/a.ts', 'const text = `\n${1} is told`')).toEqual(['2: told'])
  const inTest = [
    "const text = 'is told'",
    "test('a caller is told', () => {})",
    "test.each([1])('nobody gets %s', () => {})",
  ].join('\n')
  expect(found('test/search/a.test.ts', inTest)).toEqual(['2: told', '3: nobody'])
})

test.each([
  ['/** What a question is narrowed by. */', 'What a question is narrowed'],
  ['/** Rows. Whatever fails is kept. */', 'Whatever fails is kept.'],
  ['/** That nobody takes it is reported. */', 'That nobody takes it is'],
])('%s opens with a relative clause and is refused', (text, subject) => {
  expect(found('src/text/a.ts', text)).toContain(`1: ${subject}`)
})

test('questions, demonstratives, headings and heads of tables are no relative openings', () => {
  expect(found('src/text/a.ts', '/** What is it? That is a row. That file ends here. */')).toEqual([])
  const document = ['# What is stored', '', '| What | Why |', '|---|---|', '| rows | search |', '', 'A row.']
  expect(found('docs/a.md', document.join('\n'))).toEqual([])
  expect(found('docs/a.md', '| a | b |\n|---|---|\n| row | What it is |')).toEqual(['3: What it is'])
})

test('a document is read without its fenced examples and addresses', () => {
  expect(found('docs/a.md', '```\ntold\n```\n\n[text](told.md) told\n')).toEqual(['5: told'])
})

test('SQL is read whole', () => {
  expect(found('migrations/0001.sql', 'CREATE TABLE a (\n  words_mark INTEGER -- told\n)')).toEqual([
    '2: words_mark',
    '2: told',
  ])
})
