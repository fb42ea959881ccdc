import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { MAY_IMPORT, MAY_IMPORT_ON_NODE } from '../../scripts/check/layers.ts'
import { listFiles } from '../../scripts/check/parsed-sources.ts'
import { WORD_LIST } from '../../scripts/check/word-list.ts'

const root = join(import.meta.dirname, '../..')
const documents = [
  'README.md',
  'mcp-server/README.md',
  ...listFiles(root, 'docs').filter((file) => file.endsWith('.md')),
]

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** The cells of each row of a document's tables, heads and rules included. */
function tableRows(text: string): string[][] {
  return [...text.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
}

/** `## Heading` -> `heading`, as GitHub names it. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test.each(documents)('every relative link of %s leads to a file and a heading', (file) => {
  const links = [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]+)?\)/g)]
  const broken = links.filter(([, path = '', anchor]) => {
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(read(target)).includes(anchor.slice(1))
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

test.each(documents)('every path of the project that %s names exists', (file) => {
  const named = [...read(file).matchAll(/`((?:src|scripts|test|mcp-server|docs|migrations)\/[^\s`*{}]*)`/g)]
  const paths = named.map(([, path = '']) => path).filter((path) => !path.endsWith('/x.ts'))
  const exists = (path: string): boolean =>
    [root, join(root, dirname(file))].some((base) => existsSync(join(base, path)))
  expect(paths.filter((path) => !exists(path))).toEqual([])
})

test('docs/architecture.md has the table of layers that is checked', () => {
  const rows = tableRows(read('docs/architecture.md'))
  const head = rows.findIndex(([first, second]) => first === 'folder' && second === 'may import')
  const written = rows.slice(head + 2).map(([folder = '', allowed = '']) => [folder, allowed].join(' | '))
  const checked = Object.entries({ ...MAY_IMPORT, ...MAY_IMPORT_ON_NODE }).flatMap(([folder, allowed]) => {
    if (typeof allowed === 'string') return []
    return [`\`${folder}\` | ${allowed.length === 0 ? 'nothing' : allowed.map((name) => `\`${name}\``).join(', ')}`]
  })
  expect(written.slice(0, checked.length)).toEqual(checked)
})

test('docs/glossary.md has the words that are checked, and no other', () => {
  const rows = tableRows(read('docs/glossary.md')).filter((cells) => cells.length === 3)
  const written = rows
    .filter(([, , not = '']) => not !== '' && not !== 'not' && !/^-+$/.test(not))
    .map(([use = '', , not = '']) => `${not}: ${use}`)
  expect(written.toSorted()).toEqual(WORD_LIST.map(({ not, use }) => `${not}: ${use}`).toSorted())
})
