/** Compares the index after random pages with a map that applies the same lines. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { allDocuments, brokenInvariants, clearIndex, put } from '../../support/index-world.ts'
import { LINES, removalOf, type Line } from '../../support/lines.ts'
import { runs } from '../../support/runs.ts'

const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03']

const line: fc.Arbitrary<Line> = fc
  .record({
    base: fc.constantFrom(LINES.issue, LINES.diff, LINES.doc),
    thing: fc.integer({ min: 1, max: 3 }),
    repo: fc.constantFrom('acme/widgets', 'ACME/Widgets', 'acme/gadgets'),
    updated_at: fc.constantFrom(...DAYS, undefined),
    body: fc.constantFrom('', 'one', 'two', 'x'.repeat(40_000)),
    removal: fc.boolean(),
  })
  .map(({ base, thing, repo, updated_at, body, removal }) => {
    const identity =
      base === LINES.issue
        ? { number: thing }
        : base === LINES.diff
          ? { file_path: `f${thing}` }
          : { doc_path: `d${thing}` }
    const put = { ...base, repo, body, ...identity, ...(updated_at ? { updated_at } : { updated_at: null }) }
    return removal ? removalOf(put) : put
  })

const key = ({ type, repo, number, file_path, doc_path }: Line): string =>
  [type, String(repo).toLowerCase(), number, type === 'diff' ? file_path : doc_path].join(' ')

/** Applies one page to the model, which maps keys to the current lines. */
function apply(model: Map<string, Line>, page: readonly Line[]): void {
  const statements = new Map<string, { removed: boolean; put?: Line }>()
  for (const one of page) {
    const before = statements.get(key(one))
    if (one['deleted'] === true) statements.set(key(one), { removed: true })
    else if (!before?.put || !older(one, before.put))
      statements.set(key(one), { removed: before?.removed ?? false, put: one })
  }
  for (const [of, { removed, put: newest }] of statements) {
    const stored = model.get(of)
    if (!newest) model.delete(of)
    else if (removed || !stored || !older(newest, stored)) model.set(of, newest)
  }
}

function older(one: Line, other: Line): boolean {
  const [a, b] = [one['updated_at'], other['updated_at']]
  return typeof a === 'string' && typeof b === 'string' && a < b
}

test('the index contains the same documents as a plain map after any sequence of pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(line, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
      async (pages) => {
        await clearIndex()
        const model = new Map<string, Line>()
        for (const page of pages) {
          await put(page)
          apply(model, page)
        }
        const stored = (await allDocuments()).map(
          ({ identity, repository, body }) =>
            `${Object.values(identity).join(' ')} ${repository.name.toLowerCase()} ${body.length}`,
        )
        const expected = [...model.values()].map((one) => {
          const identity =
            one['type'] === 'issue'
              ? ['issue', one['number']]
              : one['type'] === 'diff'
                ? ['diff', one['commit_sha'], one['file_path']]
                : ['doc', one['doc_path']]
          return `${identity.join(' ')} ${String(one['repo']).toLowerCase()} ${String(one['body']).length}`
        })
        expect(stored.sort()).toEqual(expected.sort())
        expect(await brokenInvariants()).toEqual([])
      },
    ),
    { numRuns: runs(60) },
  )
})
