import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkShape } from '../../../scripts/check/shape.ts'

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

/** The offences of a small tree as `file:line: subject: rule`, without those about the tables of the real one. */
function offences(tree: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'kotodama-shape-'))
  roots.push(root)
  for (const [file, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return checkShape(root)
    .filter(({ file }) => file !== 'scripts/check/layers.ts')
    .map(({ file, line, subject, rule }) => `${file}:${line}: ${subject}: ${rule}`)
}

/** A file with its opening comment. */
function opened(text: string): string {
  return `/** Opens. */\n${text}`
}

test('sub-folders that import one way, root files and a limits page pass', () => {
  expect(
    offences({
      'src/mcp/registry.ts': opened("import './tools/echo.ts'"),
      'src/mcp/tools/echo.ts': opened("import '../tool.ts'\nimport '../limits.ts'"),
      'src/mcp/tool.ts': opened("import './limits.ts'"),
      'src/mcp/limits.ts': opened('export const MAX_CALLS = 1'),
    }),
  ).toEqual([])
})

test('sub-folders that import each other are refused, with every import of the circle', () => {
  const rule = 'the folders of src/memory import one way, and these import each other: store, vectors'
  expect(
    offences({
      'src/memory/store/row.ts': opened("import '../vectors/sketch.ts'"),
      'src/memory/store/other.ts': opened(''),
      'src/memory/vectors/sketch.ts': opened(''),
      'src/memory/vectors/nearest.ts': opened("\nimport '../store/other.ts'"),
    }),
  ).toEqual([
    `src/memory/store/row.ts:2: src/memory/vectors/sketch.ts: ${rule}`,
    `src/memory/vectors/nearest.ts:3: src/memory/store/other.ts: ${rule}`,
  ])
})

test('a folder of more than 15 files is refused, and one of scripts is not', () => {
  const files = (folder: string, count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/${folder.slice(-4)}-${at}.ts`, opened('')]))
  expect(offences({ ...files('src/text', 15), ...files('scripts/gen', 16) })).toEqual([])
  expect(offences(files('src/text', 16))).toEqual(['src/text:1: 16 files: a folder holds at most 15 files'])
})

test('two files of one base name are refused', () => {
  expect(offences({ 'src/text/fold.ts': opened(''), 'mcp-server/src/fold.ts': opened('') })).toEqual([
    'src/text/fold.ts:1: fold.ts: a base name is unique, and mcp-server/src/fold.ts has this one too',
    'mcp-server/src/fold.ts:1: fold.ts: a base name is unique, and src/text/fold.ts has this one too',
  ])
})

test('a contract and its handler, common parts, and like parts of like folders may share a base name', () => {
  expect(
    offences({
      'src/contracts/tools/echo.ts': opened(''),
      'src/mcp/tools/echo.ts': opened(''),
      'src/http/server.ts': opened(''),
      'src/mcp/server.ts': opened(''),
      'src/models/embedder/none.ts': opened(''),
      'src/models/reranker/none.ts': opened(''),
    }),
  ).toEqual([])
  expect(offences({ 'src/models/embedder/none.ts': opened(''), 'src/text/none.ts': opened('') })).toHaveLength(2)
})

test('two exported types of one name are refused, and an unexported one is not', () => {
  const found = offences({
    'src/text/a.ts': opened('export interface Span {}'),
    'src/mml/b.ts': opened('export type Span = 1\nexport const Other = 1'),
    'scripts/c.ts': opened('export class Span {}'),
    'scripts/d.ts': opened('class Span {}\nexport type Mine = Span'),
  })
  expect(found).toEqual([
    'src/mml/b.ts:2: Span: an exported type has a name of its own, and src/text/a.ts, scripts/c.ts exports this one too',
    'src/text/a.ts:2: Span: an exported type has a name of its own, and src/mml/b.ts, scripts/c.ts exports this one too',
    'scripts/c.ts:2: Span: an exported type has a name of its own, and src/mml/b.ts, src/text/a.ts exports this one too',
  ])
})

test.each(['MAX_ROWS', 'MIN_ROWS', 'MOST_ROWS', 'LEAST_ROWS'])('%s is refused outside a limits page', (name) => {
  const rule = 'a limit is declared in the limits.ts of its folder'
  const text = opened(`export const ${name} = 1`)
  expect(offences({ 'src/text/a.ts': text })).toEqual([`src/text/a.ts:2: ${name}: ${rule}`])
  expect(offences({ 'src/text/terms/limits.ts': text })).toEqual([`src/text/terms/limits.ts:2: ${name}: ${rule}`])
  expect(offences({ 'src/text/limits.ts': text, 'mcp-server/src/git/limits.ts': text })).toEqual([])
})

test('a file without a doc comment at its head is refused', () => {
  const rule = 'first line: a file opens with a doc comment'
  expect(offences({ 'src/text/a.ts': 'export const a = 1\n/** Late. */' })).toEqual([`src/text/a.ts:1: ${rule}`])
  expect(offences({ 'src/text/a.ts': '// Short.' })).toEqual([`src/text/a.ts:1: ${rule}`])
  expect(offences({ 'scripts/a.mjs': `#!/usr/bin/env node\n${opened('')}` })).toEqual([])
})

test('an arrow of the table of layers that no file uses is refused', () => {
  const root = mkdtempSync(join(tmpdir(), 'kotodama-shape-'))
  roots.push(root)
  expect(checkShape(root).map(({ subject }) => subject)).toContain('search -> index')
})
