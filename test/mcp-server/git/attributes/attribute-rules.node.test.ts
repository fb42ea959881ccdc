import { spawnSync } from 'node:child_process'
import { writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAttributes, type AttributeFile } from '../../../../mcp-server/src/git/attributes/attribute-rules.ts'
import { GitSandbox } from '../../../support/git-sandbox.ts'
import { runs } from '../../../support/runs.ts'

const WANTED = ['diff', 'linguist-generated', 'linguist-vendored', 'encoding']

let sandbox: GitSandbox
beforeAll(() => {
  sandbox = new GitSandbox()
})
afterAll(() => sandbox.remove())

/** Git's own answer for these paths when the files are in a working tree. */
function askGit(files: readonly AttributeFile[], paths: readonly string[]): string[] {
  for (const { path, text } of files) {
    const file = join(sandbox.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const { stdout } = spawnSync('git', ['check-attr', '-z', '--stdin', ...WANTED], {
    cwd: sandbox.folder,
    env: sandbox.env(),
    input: paths.map((path) => `${path}\0`).join(''),
    encoding: 'utf8',
  })
  const fields = stdout.split('\0')
  return Array.from({ length: Math.floor(fields.length / 3) }, (_, at) => fields.slice(at * 3, at * 3 + 3).join(' '))
}

function askRules(files: readonly AttributeFile[], paths: readonly string[]): string[] {
  const attributesOf = parseAttributes(files, new Set(WANTED))
  return paths.flatMap((path) => {
    const attributes = attributesOf(path)
    return WANTED.map((name) => {
      const value = attributes.get(name)
      const word = value === undefined ? 'unspecified' : value === true ? 'set' : value === false ? 'unset' : value
      return `${path} ${name} ${word}`
    })
  })
}

const PATHS = [
  'a',
  'a.js',
  'dist/a.js',
  'dist/sub/a.min.js',
  'src/dist/a.js',
  'src/a b.js',
  'src/[x].js',
  'src/x.js',
  'src/deep/er/a.ts',
  'src/deep/er/A.ts',
  'src/#odd.ts',
  'src/!odd.ts',
  'src/q"uote.ts',
  'src/back\\slash.ts',
  'src/日本語.md',
  '.hidden',
  'dist',
]

describe('the attributes of paths', () => {
  const cases: Readonly<Record<string, readonly AttributeFile[]>> = {
    'a name without a slash, in any folder': [{ path: '.gitattributes', text: '*.js -diff\na linguist-generated\n' }],
    'a path with a slash, from the folder of the file': [
      { path: '.gitattributes', text: 'dist/* linguist-generated=true\n/a.js linguist-vendored\n' },
      { path: 'src/.gitattributes', text: 'dist/*.js encoding=Shift_JIS\n/x.js diff\n' },
    ],
    'a folder, which gives its files nothing': [{ path: '.gitattributes', text: 'dist/ -diff\nsrc/deep/ -diff\n' }],
    'any number of folders': [
      {
        path: '.gitattributes',
        text: '**/a.ts linguist-generated\nsrc/**/a.ts -diff\ndist/** linguist-vendored\n**/dist/** encoding=x\nsrc/** linguist-generated=a\ndist/**/a.js -diff\nsrc**er diff\n',
      },
    ],
    'the last line, and the nearest file': [
      { path: '.gitattributes', text: '*.ts diff\n*.ts -diff linguist-generated\n* linguist-vendored\n' },
      { path: 'src/.gitattributes', text: '*.ts linguist-generated=false\n*.ts !diff\n' },
      { path: 'src/deep/.gitattributes', text: 'er/*.ts -linguist-vendored diff=words\n' },
    ],
    macros: [
      {
        path: '.gitattributes',
        text: '[attr]made linguist-generated -diff\n[attr]loop loop made encoding=y\n*.js binary\n*.ts made diff\ndist/** loop\nsrc/x.js -made\nsrc/** made\n',
      },
      { path: 'src/.gitattributes', text: '[attr]made encoding=no\n*.md made\n' },
    ],
    'comments, spaces, sets, escapes and quotes': [
      {
        path: '.gitattributes',
        text: '# *.js -diff\n   *.js\tdiff  \r\n"src/a b.js" -diff\nsrc/\\[x\\].js encoding=b\nsrc/[xy].js encoding=s\n[!a-z]*.ts linguist-generated\n\\#odd.ts linguist-vendored\n!odd.ts diff\n\\!odd.ts diff\n"src/q\\"uote.ts" encoding=q\n"src/\\346\\227\\245*" encoding=o\n?.js linguist-vendored\n*[[:upper:]].ts -diff\nback\\\\*.ts diff\n[a -diff\na\\\n',
      },
    ],
    'names that git refuses': [{ path: '.gitattributes', text: '*.js --diff\n*.ts diff linguist-generated=\n* =x\n' }],
  }

  test.each(Object.entries(cases))('%s: are those that git gives them', (_name, files) => {
    sandbox.remove()
    sandbox = new GitSandbox()
    expect(askRules(files, PATHS)).toEqual(askGit(files, PATHS))
  })

  test('of any lines: are those that git gives them', () => {
    sandbox.remove()
    sandbox = new GitSandbox()
    const part = fc.constantFrom(
      'a',
      'src',
      'dist',
      '*',
      '**',
      '*.js',
      '?',
      'a*',
      '*a*s',
      '[a-d]*',
      '\\a',
      'deep',
      'er',
    )
    const pattern = fc
      .tuple(
        fc.constantFrom('', '/', '**/'),
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '/**'),
      )
      .map(([start, parts, end]) => `${start}${parts.join('/')}${end}`)
    const attribute = fc.constantFrom('diff', '-diff', '!diff', 'binary', '-binary', 'linguist-generated', 'encoding=a')
    const line = fc.tuple(pattern, fc.array(attribute, { minLength: 1, maxLength: 3 }))
    const text = fc
      .array(line, { minLength: 1, maxLength: 6 })
      .map((lines) => lines.map(([start, names]) => `${start} ${names.join(' ')}\n`).join(''))
    fc.assert(
      fc.property(text, text, (top, below) => {
        const files = [
          { path: '.gitattributes', text: top },
          { path: 'src/.gitattributes', text: below },
        ]
        expect(askRules(files, PATHS)).toEqual(askGit(files, PATHS))
      }),
      { numRuns: runs(60) },
    )
  })

  test('of a pattern made to be slow are found at once', () => {
    const stars = `${'*a'.repeat(400)}b`
    const files = [{ path: '.gitattributes', text: `${stars} -diff\n${'**/a*/'.repeat(60)}b -diff\n` }]
    const started = performance.now()
    askRules(files, ['a'.repeat(4_000), 'aa/'.repeat(1_300)])
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
