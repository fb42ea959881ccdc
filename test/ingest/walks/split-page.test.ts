/** Steps that are larger than one transaction. */
import { expect, it } from 'vitest'
import type { DocumentChange } from '../../../src/documents/document.ts'
import { MAX_PAGE_BYTES } from '../../../src/ingest/limits.ts'
import { splitPage } from '../../../src/ingest/walks/split-page.ts'

const repository = { name: 'acme/app' }
const identity = (path: string) => ({ type: 'doc', path }) as const
const put = (path: string, bytes: number): DocumentChange => ({
  put: { identity: identity(path), repository, body: 'x'.repeat(bytes) },
})
const remove = (path: string): DocumentChange => ({ remove: { identity: identity(path), repository } })

it('a step is cut where a page is full', () => {
  const changes = [put('a', MAX_PAGE_BYTES - 1), put('b', 2), put('c', 3)]
  expect(splitPage(changes).map((page) => page.length)).toEqual([1, 2])
})

it('a removal and the put that replaces it stay in one page', () => {
  const changes = [put('a', MAX_PAGE_BYTES - 1), remove('b'), put('b', 10), remove('c'), put('d', 10)]
  expect(splitPage(changes)).toEqual([changes.slice(0, 3), changes.slice(3)])
})
