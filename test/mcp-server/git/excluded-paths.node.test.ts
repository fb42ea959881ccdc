import { expect, test } from 'vitest'
import { parseAttributes } from '../../../mcp-server/src/git/attributes/attribute-rules.ts'
import { EXCLUSION_ATTRIBUTES, findExclusion, packageFolderOf } from '../../../mcp-server/src/git/excluded-paths.ts'

/** `kind: name` for each path, or `read`, in a tree that has these other files and attributes. */
function exclusions(paths: readonly string[], tree: readonly string[] = [], attributes = ''): string[] {
  const attributesOf = parseAttributes([{ path: '.gitattributes', text: attributes }], new Set(EXCLUSION_ATTRIBUTES))
  const folders = new Set(tree.flatMap((path) => packageFolderOf(path) ?? []))
  return paths.map((path) => {
    const found = findExclusion(path, attributesOf(path), folders)
    return found === undefined ? 'read' : `${found.kind}: ${found.name}`
  })
}

test('files whose names only tools give are excluded', () => {
  const expected: Readonly<Record<string, string>> = {
    'package-lock.json': 'lock file: package-lock.json',
    'a/Cargo.lock': 'lock file: a/Cargo.lock',
    'web/node_modules/x/i.js': 'vendored: web/node_modules/',
    'a/vendor/github.com/x/y.go': 'vendored: a/vendor/github.com/',
    'vendor/bundle/ruby/3.3.0/gems/x.rb': 'vendored: vendor/bundle/ruby/',
    '.yarn/releases/yarn.cjs': 'vendored: .yarn/releases/',
    'x.min.js': 'minified: x.min.js',
    'app.js.map': 'generated: app.js.map',
    'api.pb.go': 'generated: api.pb.go',
    'src/__generated__/types.ts': 'generated: src/__generated__/',
    'logo.png': 'binary: logo.png',
  }
  expect(exclusions(Object.keys(expected))).toEqual(Object.values(expected))
})

test('a folder’s name alone excludes nothing', () => {
  const paths = [
    'src/vendor/PriceTable.tsx',
    'src/vendors/Shop.ts',
    'vendored/parser.c',
    'dist/index.js',
    'third_party/own.cc',
    'third-party/readme.md',
    'pkg/pods/pod.go',
    'Pods/ours.swift',
    'Vendor/vendor.go',
    'vendor/own.module/a.go',
    'src/__snapshots__/page.ts',
    'src/lock.ts',
    'docs/vendor.md',
    'src/minify.js',
    'package.json',
    'distance/a.ts',
    'src/generated.md',
    'config.pkl',
    'parts/resistor.lib',
  ]
  expect(exclusions(paths)).toEqual(paths.map(() => 'read'))
})

test('a folder that a package manager fills is excluded, and its neighbours are not', () => {
  const tree = [
    'go/vendor/modules.txt',
    'php/vendor/autoload.php',
    'php/libs/composer/autoload_real.php',
    'rust/crates/serde/.cargo-checksum.json',
    'ios/Pods/Manifest.lock',
    'py/pip/_vendor/vendor.txt',
  ]
  const expected: Readonly<Record<string, string>> = {
    'go/vendor/example.test/a.go': 'vendored: go/vendor/',
    'go/vendors/a.go': 'read',
    'php/vendor/acme/Tool.php': 'vendored: php/vendor/',
    'php/libs/acme/Tool.php': 'vendored: php/libs/',
    'php/src/vendor/Tool.php': 'read',
    'rust/crates/serde/src/lib.rs': 'vendored: rust/crates/serde/',
    'rust/crates/ours/src/lib.rs': 'read',
    'ios/Pods/AFNetworking/AFN.m': 'vendored: ios/Pods/',
    'ios/App/Pods.swift': 'read',
    'py/pip/_vendor/rich/text.py': 'vendored: py/pip/_vendor/',
  }
  expect(exclusions(Object.keys(expected), tree)).toEqual(Object.values(expected))
})

test('attributes say more than names: they exclude, and they take a name’s exclusion back', () => {
  const attributes = [
    'dist/** linguist-generated=true',
    'legacy/** linguist-vendored',
    'data/*.csv -diff',
    '*.blob binary',
    'package-lock.json linguist-generated=false',
    'go/vendor/ours/** -linguist-vendored',
    'icons.ico diff',
    'own.min.js -linguist-generated',
    'dist/kept.js !linguist-generated',
  ].join('\n')
  const expected: Readonly<Record<string, string>> = {
    'dist/index.js': 'generated: dist/index.js',
    'legacy/jquery.js': 'vendored: legacy/jquery.js',
    'data/all.csv': 'binary: data/all.csv',
    'x.blob': 'binary: x.blob',
    'package-lock.json': 'read',
    'go/vendor/ours/a.go': 'read',
    'go/vendor/theirs/a.go': 'vendored: go/vendor/',
    'icons.ico': 'read',
    'own.min.js': 'read',
    'dist/kept.js': 'read',
  }
  expect(exclusions(Object.keys(expected), ['go/vendor/modules.txt'], attributes)).toEqual(Object.values(expected))
})
