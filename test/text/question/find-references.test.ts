import { expect, test } from 'vitest'
import { MAX_REFERENCES } from '../../../src/text/limits.ts'
import { readExactReferences } from '../../../src/text/question/find-references.ts'

test('A GitHub link becomes a reference, and its words replace it in the question.', () => {
  const { references, rest } = readExactReferences('why https://github.com/acme/app/issues/12 ?')
  expect(references).toEqual([{ kind: 'number', number: 12, repo: 'acme/app' }])
  expect(rest).toBe('why  #12  ?')
})

test('Equal references count once, in the order of the question.', () => {
  const { references } = readExactReferences('#12 and #13, again #12')
  expect(references).toEqual([
    { kind: 'number', number: 12 },
    { kind: 'number', number: 13 },
  ])
})

test('The number of references is bounded.', () => {
  const text = Array.from({ length: 100 }, (_, at) => `#${at + 1}`).join(' ')
  expect(readExactReferences(text).references).toHaveLength(MAX_REFERENCES)
})

const ISSUE = 'https://github.com/acme/app/issues/12'

test.each([
  ['acme/app#12', true],
  ['acme/app#12, acme/app#13; 9f1c2d3', true],
  ['(9F1C2D3) 1234567', true],
  [ISSUE, true],
  [`${ISSUE}#issuecomment-9, github.com/acme/app/commit/9f1c2d3`, true],
  [`(${ISSUE}).`, true],
  [`(${ISSUE}), 9f1c2d3`, true],
  ['', false],
  ['#12', false],
  ['1234567', false],
  ['acme/app', false],
  ['acme/app#12 walrus', false],
  [`${ISSUE} https://example.test/9f1c2d3`, false],
  [`${ISSUE} https://github.com/acme/app/blob/main/a.ts`, false],
])('The question %j names only items: %s.', (text, isReferenceOnly) => {
  expect(readExactReferences(text).isReferenceOnly).toBe(isReferenceOnly)
})
