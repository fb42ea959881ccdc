/** Cursors: accepted for their own scope, refused for any other and in any changed form. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCursor, writeCursor } from '../../../src/memory/views/page-cursor.ts'
import { runs } from '../../support/runs.ts'

const scope = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 })
const position = fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 })

test('a cursor is parsed to its position in its own scope and refused in another', () => {
  fc.assert(
    fc.property(scope, scope, position, (own, other, at) => {
      const cursor = writeCursor(own, at)
      expect(parseCursor(own, cursor)).toEqual({ ok: true, value: at })
      const isEqual = JSON.stringify(other) === JSON.stringify(own)
      expect(parseCursor(other, cursor).ok).toBe(isEqual)
    }),
    { numRuns: runs(200) },
  )
})

test('a cursor that is cut or changed is refused', () => {
  const cursor = writeCursor(['key', 'history'], [12])
  for (const changed of ['', 'x', cursor.slice(0, -1), `${cursor}A`, `A${cursor.slice(1)}`]) {
    expect(parseCursor(['key', 'history'], changed)).toMatchObject({ ok: false, failure: { code: 'VALIDATION_ERROR' } })
  }
})
