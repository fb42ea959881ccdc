import { expect, test } from 'vitest'
import { toSummaryLines } from '../../../mcp-server/src/cli/terminal/import-texts.ts'
import { useImportWorld } from '../../support/import-world.ts'

const world = useImportWorld()

test('own code is read from a folder of any name', async () => {
  const files = {
    'src/vendors/SupplierTable.tsx': 'export function SupplierTable() {}\n',
    'vendor/own.go': 'package own\n',
    'dist/index.js': 'run()\n',
    'third_party/patch.c': 'int main;\n',
    'Pods/pod.swift': 'let pod = 1\n',
    'vendored/a.py': 'a = 1\n',
  }
  world.sandbox.commit('own code', files)
  const summary = await world.run()
  expect(world.listed('diff').sort()).toEqual(
    Object.keys(files)
      .map((path) => `${path} added`)
      .sort(),
  )
  expect(summary.excluded).toEqual([])
})

test('the summary names what was excluded and how many, by kind', async () => {
  world.sandbox.commit('one', {
    'a.ts': 'a\n',
    'package-lock.json': '{}\n',
    'go/vendor/modules.txt': '# x\n',
    'go/vendor/example.test/a.go': 'a\n',
    'data.bin': 'a\0b',
    ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`css/${name}.min.css`, 'x{}\n'])),
  })
  world.sandbox.commit('two', { 'package-lock.json': '{"v":2}\n', 'go/vendor/example.test/a.go': 'b\n' })
  const summary = await world.run()
  expect(world.listed('diff')).toEqual(['a.ts added'])
  expect(summary.excluded).toEqual([
    { kind: 'vendored', changes: 3, names: ['go/vendor/'], moreNames: 0 },
    { kind: 'lock file', changes: 2, names: ['package-lock.json'], moreNames: 0 },
    {
      kind: 'minified',
      changes: 5,
      names: ['css/a.min.css', 'css/b.min.css', 'css/c.min.css'],
      moreNames: 2,
    },
    { kind: 'binary', changes: 1, names: ['data.bin'], moreNames: 0 },
  ])
  expect(toSummaryLines(summary).at(-1)).toBe(
    'Excluded: 3 changes of vendored files (go/vendor/); 2 changes of lock files (package-lock.json); ' +
      '5 changes of minified files (css/a.min.css, css/b.min.css, css/c.min.css and 2 more); ' +
      '1 change of binary files (data.bin). `npm run import -- --all-files` reads them too.',
  )
  expect((await world.run({ allFiles: true })).excluded).toEqual([])
  expect(world.listed('diff')).toHaveLength(12)
})

test('the attributes of HEAD decide, and those of the working tree do not', async () => {
  const { sandbox } = world
  sandbox.commit('before the attributes', { 'dist/app.js': 'a\n', 'src/app.ts': 'a\n', 'package-lock.json': '{}\n' })
  sandbox.commit('attributes', {
    '.gitattributes': 'dist/** linguist-generated=true\npackage-lock.json -linguist-generated\n',
    'lib/.gitattributes': '*.js linguist-vendored\n*.dat -diff\n',
    'lib/jquery.js': 'j\n',
    'lib/table.dat': '1\n',
    'lib/own.ts': 'o\n',
  })
  sandbox.write({
    '.gitattributes': '* linguist-generated\n',
    'lib/.gitattributes': '',
    'src/.gitattributes': '* binary\n',
  })
  const summary = await world.run()
  expect(world.listed('diff').sort()).toEqual([
    '.gitattributes added',
    'lib/.gitattributes added',
    'lib/own.ts added',
    'package-lock.json added',
    'src/app.ts added',
  ])
  expect(summary.excluded.map(({ kind, names }) => [kind, ...names])).toEqual([
    ['vendored', 'lib/jquery.js'],
    ['binary', 'lib/table.dat'],
    ['generated', 'dist/app.js'],
  ])
})

test('a bare repository is read by the same rules as its checkout', async () => {
  const { sandbox } = world
  sandbox.commit('one', { '.gitattributes': 'made/** linguist-generated\n', 'made/a.ts': 'a\n', 'own/a.ts': 'a\n' })
  const bare = `${sandbox.root}/bare.git`
  sandbox.gitIn(sandbox.root, 'clone', '-q', '--bare', sandbox.folder, bare)
  const summary = await world.run({ path: bare, repo: 'x/bare' })
  expect(world.listed('diff', 'x/bare')).toEqual(['.gitattributes added', 'own/a.ts added'])
  expect(summary.excluded).toEqual([{ kind: 'generated', changes: 1, names: ['made/a.ts'], moreNames: 0 }])
})
