import { expect, test } from 'vitest'
import { toBase64Parts } from '../../src/base/base64.ts'

test('the parts of a base64 text, concatenated, are the base64 of the whole', () => {
  for (const length of [0, 1, 2, 3, 196_607, 196_608, 196_609, 400_000]) {
    const bytes = Uint8Array.from({ length: length + 5 }, (_, at) => (at * 7919) >> 3).subarray(5)
    expect([...toBase64Parts(bytes)].join('') === Buffer.from(bytes).toString('base64'), `${length} bytes`).toBe(true)
  }
})
