import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const MIRROR = readFileSync(join(ROOT, 'mcp-server/src/tools.generated.json'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'kotodama-drift-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the script on a copy of the mirror's text. */
function check(text: string): { code: number | null; out: string; err: string } {
  const file = join(folder, 'mirror.json')
  writeFileSync(file, text)
  return run(file)
}

function run(...args: string[]): { code: number | null; out: string; err: string } {
  const script = join(ROOT, 'scripts/check-schema-drift.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { code: status, out: stdout, err: stderr }
}

/** The mirror after a change to its parsed form. */
function changed(change: (mirror: any) => void): string {
  const mirror = JSON.parse(MIRROR)
  change(mirror)
  return JSON.stringify(mirror)
}

test('the committed files are current', () => {
  expect(run()).toMatchObject({ code: 0, out: expect.stringMatching(/^no drift/) })
})

test('a different order of keys is not drift', () => {
  const reversed = JSON.stringify(JSON.parse(MIRROR), (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  )
  expect(check(reversed).code).toBe(0)
})

test.each<[string, (mirror: any) => void, string, string]>([
  ['a description', (m) => (m.tools[0].description = 'x'), 'tools[0].description', 'copy:     "x"'],
  [
    'an enum value',
    (m) => (m.tools[0].inputSchema.properties.state.enum[1] = 'shut'),
    'tools[0].inputSchema.properties.state.enum[1]',
    'contract: "closed"\n  copy:     "shut"',
  ],
  [
    'a missing property',
    (m) => delete m.tools[0].inputSchema.properties.author,
    'tools[0].inputSchema.properties.author',
    'copy:     (absent)',
  ],
  [
    'a property too many',
    (m) => (m.tools[0].inputSchema.properties.colour = { type: 'string' }),
    'tools[0].inputSchema.properties.colour',
    'contract: (absent)\n  copy:     {"type":"string"}',
  ],
  ['a keyword', (m) => (m.tools[0].inputSchema.properties.top_k.maximum = 100), 'properties.top_k.maximum', '50\n'],
  ['a default', (m) => (m.tools[0].inputSchema.properties.rerank.default = null), 'properties.rerank.default', 'null'],
  [
    'an output field',
    (m) => delete m.tools[0].outputSchema.properties.count,
    'outputSchema.properties.count',
    'absent',
  ],
  [
    'the order of a list',
    (m) => (m.tools[0].outputSchema.required = m.tools[0].outputSchema.required.toReversed()),
    'outputSchema.required[0]',
    '"results"',
  ],
  ['an annotation', (m) => (m.tools[0].annotations.readOnlyHint = false), 'annotations.readOnlyHint', 'false'],
  ['metadata', (m) => delete m.tools[0]._meta, 'tools[0]._meta', '(absent)'],
  ['another tool', (m) => m.tools.unshift({ name: 'other' }), 'tools[0].name', 'copy:     "other"'],
  ['no tool', (m) => (m.tools = []), 'tools[0]', '(absent)'],
  ['a key of the prototype', (m) => (m.tools[0].constructor = 1), 'tools[0].constructor', 'contract: (absent)'],
])('%s that drifted is printed with its path and both values', (_name, change, path, values) => {
  const { code, out } = check(changed(change))
  expect(code).toBe(1)
  expect(out).toContain(path)
  expect(out).toContain(values)
})

test('a mirror that cannot be compared exits 2, not 1', () => {
  expect(check('{"tools": [')).toMatchObject({ code: 2, err: expect.stringContaining('could not compare') })
  expect(run(join(folder, 'absent.json'))).toMatchObject({ code: 2, err: expect.stringContaining('absent.json') })
})
