import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listImports, toSource } from '../../../scripts/check/parsed-sources.ts'
import { checkRules } from '../../../scripts/check/rules.ts'

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

/** Writes a small tree and returns its offences as `file: subject: rule` lines. */
function offences(tree: Record<string, string>): string[] {
  return checkRules(plant(tree)).map(({ file, subject, rule }) => `${file}: ${subject}: ${rule}`)
}

function plant(tree: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'kotodama-rules-'))
  roots.push(root)
  for (const [file, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

function run(root: string) {
  return spawnSync(process.execPath, [resolve('scripts/check/rules.ts'), root], { encoding: 'utf8', timeout: 20_000 })
}

test('downward imports, imports within a folder and the entry pass', () => {
  expect(
    offences({
      'src/base/a.ts': "import { createHash } from 'node:crypto'\nexport const a = createHash",
      'src/text/b.ts': "import { a } from '../base/a.ts'\nimport { c } from './c.ts'",
      'src/text/c.ts': 'export const c = 1',
      'src/contracts/index.ts': "export * from './tool.ts'",
      'src/contracts/tool.ts': "import { z } from 'zod'",
      'src/app.ts': "import { b } from './text/b.ts'\nimport x from 'agents/mcp/server'",
      'src/worker.ts': 'export default {}',
      'mcp-server/src/m.ts': "import { a } from '../../src/base/a.ts'",
      'scripts/s.ts': "import { a } from '../src/base/a.ts'\nimport { Miniflare } from 'miniflare'",
    }),
  ).toEqual([])
})

test.each([
  ['an upward import', 'src/base/a.ts', "import type { T } from '../text/t.ts'", 'base may import nothing'],
  ['an import of a folder beside it', 'src/text/a.ts', "import { t } from '../mml/t.ts'", 'text may import only base'],
  ['an import past the allowed layer', 'src/mcp/a.ts', "import { t } from '../index/t.ts'", 'mcp may import only base'],
  ['a lazy import', 'src/text/a.ts', "const t = await import('../mml/t.ts')", 'text may import only base'],
  ['a re-export', 'src/text/a.ts', "export { t } from '../mml/t.ts'", 'no barrels'],
  ['an import for its effect', 'src/text/a.ts', "import '../mml/t.ts'", 'text may import only base'],
  [
    'an import of statements outside the index',
    'src/search/a.ts',
    "import { sql } from '../index/sql/sql.ts'",
    'only files of src/index',
  ],
  ['a package that is not allowed', 'src/search/a.ts', "import { z } from 'zod'", 'search may import no package'],
  [
    'a package whose name begins like an allowed one',
    'src/contracts/a.ts',
    "import { z } from 'zodiac'",
    'contracts may import of packages only zod',
  ],
  ['I/O in a pure folder', 'src/mml/a.ts', "import { readFileSync } from 'node:fs'", 'mml does no I/O'],
  ['an import from outside src/', 'src/app.ts', "import { t } from '../scripts/t.ts'", 'src/ imports nothing outside'],
  [
    'an import of the index by a script',
    'scripts/a.ts',
    "import { t } from '../src/index/t.ts'",
    'scripts may import only',
  ],
  [
    'an import of the index by a command',
    'mcp-server/src/a.ts',
    "import { t } from '../../src/index/t.ts'",
    'mcp-server may import only',
  ],
  [
    'an import of a script by a command',
    'mcp-server/src/a.ts',
    "import { t } from '../../scripts/t.ts'",
    'mcp-server may import only',
  ],
  ['an import without an extension', 'src/text/a.ts', "import { t } from './t'", 'imports end in .ts'],
  ['an undeclared folder', 'src/utils/a.ts', 'export const a = 1', 'no row in the table'],
  ['a default export', 'src/text/a.ts', 'export default 1', 'only the entry of a Worker has a default export'],
  ['a named default', 'src/text/a.ts', 'const a = 1\nexport { a as default }', 'only the entry of a Worker'],
  [
    'a module that starts processes',
    'scripts/a.ts',
    "import { spawn } from 'node:child_process'",
    'only the files listed',
  ],
  ['that module by its old name', 'scripts/a.mjs', "import { spawn } from 'child_process'", 'only the files listed'],
  [
    'that module in a lazy import',
    'scripts/a.ts',
    "const { exec } = await import('node:child_process')",
    'only the files listed',
  ],
  [
    'a type of that module',
    'scripts/a.ts',
    "import type { ChildProcess } from 'node:child_process'",
    'only the files listed',
  ],
  ['that module as a builtin', 'scripts/a.ts', "process.getBuiltinModule('child_process')", 'only the files listed'],
  [
    'that module through require',
    'scripts/a.ts',
    'createRequire(import.meta.url)(`node:child_process`)',
    'only the files listed',
  ],
  ['that module in src/', 'src/http/a.ts', "import { spawn } from 'node:child_process'", 'only the files listed'],
  ...[
    "spawn('git', ['log'])",
    'spawn("git.exe", [])',
    'exec(`git log ${path}`)',
    "execSync('cd x && git log')",
    "spawn('/usr/bin/git')",
    "spawn('env', ['git', 'log'])",
    "const program = 'git'",
  ].map((text): [string, string, string, string] => [
    text,
    'scripts/soak.ts',
    `import { spawn } from 'node:child_process'\n${text}`,
    'only mcp-server/src/git/run-git.ts starts git',
  ]),
  ['a barrel', 'src/text/index.ts', "export * from './t.ts'", 'no barrels'],
])('%s is refused', (_name, file, text, rule) => {
  const found = offences({ [file]: text })
  expect(found.some((line) => line.startsWith(`${file}: `) && line.includes(rule))).toBe(true)
})

test('listed files may start processes other than git, and the runner may start git', () => {
  expect(
    offences({
      'mcp-server/src/git/run-git.ts': "import { spawn } from 'node:child_process'\nspawn('git', ['log'])",
      'scripts/soak.ts': "import { spawn } from 'node:child_process'\nspawn('node', ['https://github.com', 'a digit'])",
      'scripts/a.ts': "const checkout = { kind: 'git' } // child_process",
    }),
  ).toEqual([])
})

test('a circle of files is reported once, with every file of it', () => {
  const found = offences({
    'src/text/a.ts': "import { b } from './b.ts'",
    'src/text/b.ts': "import { c } from './c.ts'",
    'src/text/c.ts': "import { a } from './a.ts'",
  })
  expect(found).toEqual([
    'src/text/a.ts: src/text/a.ts -> src/text/b.ts -> src/text/c.ts -> src/text/a.ts: no circles between files',
  ])
})

test('imports are read over several lines and not from comments', () => {
  const text = [
    "import {\n  a,\n  type B,\n} from './a.ts'",
    "// import { no } from './comment.ts'",
    "/* import { no } from './block.ts' */",
    "const url = 'https://x.test/' // import('./tail.ts')",
    "export type { D } from './d.ts'",
    "const lazy = await import('./lazy.ts')",
    "const bytes = Buffer.from('text')",
    "type T = import('./type.ts').T",
  ].join('\n')
  expect(listImports(toSource('src/text/x.ts', text)).map(({ specifier }) => specifier)).toEqual([
    './a.ts',
    './d.ts',
    './lazy.ts',
    './type.ts',
  ])
})

test('the command names file, line, import and rule and exits 1; a clean tree exits 0', () => {
  const bad = run(plant({ 'src/text/a.ts': "import { t } from '../mml/t.ts'" }))
  expect(bad.status).toBe(1)
  expect(bad.stderr).toBe('src/text/a.ts:1: ../mml/t.ts: text may import only base, fts\n')
  expect(run(plant({ 'src/text/a.ts': 'export const a = 1' })).status).toBe(0)
})
