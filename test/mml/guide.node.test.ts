/** Every example in docs/mml.md is composed: the fenced ones and those in the last column of a table. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { composeMml } from '../../src/mml/compose.ts'
import { COMMANDS } from '../../src/mml/language/commands.ts'
import type { Dialect } from '../../src/mml/language/dialect.ts'

interface Example {
  readonly mode: Dialect
  readonly section: string
  readonly mml: string
}

const GUIDE = readFileSync('docs/mml.md', 'utf8')

/** Sections of the second level, each with its text. */
function readSections(): { readonly title: string; readonly text: string }[] {
  return GUIDE.split(/^## /m)
    .slice(1)
    .map((part) => ({ title: part.slice(0, part.indexOf('\n')), text: part.slice(part.indexOf('\n')) }))
}

function readExamples(): Example[] {
  return readSections().flatMap(({ title, text }) => {
    const fenced = [...text.matchAll(/^```(ppmck|pyxel)\n([\s\S]*?)^```$/gm)].map(([, mode, mml]): Example => ({
      mode: mode as Dialect,
      section: title,
      mml: mml ?? '',
    }))
    return [...fenced, ...readCells(title, text)]
  })
}

/** In a cell `|` is written `\|`, and `⏎` is the end of a line. */
function readCells(section: string, text: string): Example[] {
  const mode: Dialect = section.toLowerCase().includes('pyxel') ? 'pyxel' : 'ppmck'
  const tables = text.split(/\n(?!\|)/).filter((block) => /^\|.*\| example \|$/m.test(block))
  return tables.flatMap((table) =>
    [...table.matchAll(/ \| `([^`]+)` \|$/gm)].map(([, cell = '']): Example => {
      return { mode, section, mml: cell.replaceAll('\\|', '|').replaceAll('⏎', '\n') }
    }),
  )
}

const EXAMPLES = readExamples()

test('Every section about a language has examples.', () => {
  const sections = new Set(EXAMPLES.map(({ section }) => section))
  expect([...sections]).toEqual(['ppmck', 'pyxel', 'Native ppmck', 'Native pyxel'])
  expect(EXAMPLES.length).toBeGreaterThan(60)
})

test.each(EXAMPLES)('The example $mml in the section $section compiles.', ({ mode, section, mml }) => {
  const { errors, profile, performance } = composeMml(mml, { mode, profile: 'auto' })
  expect(errors).toEqual([])
  expect(profile).toBe(section.startsWith('Native') ? 'native' : 'house')
  expect(performance?.totalSeconds).toBeGreaterThan(0)
})

test('The fenced examples have no warnings.', () => {
  for (const { mode, mml } of EXAMPLES.filter((example) => example.mml.includes('\n\n'))) {
    expect(composeMml(mml, { mode }).warnings).toEqual([])
  }
})

test('Every command is named in a section about its dialect.', () => {
  const sections = readSections()
  const missing = COMMANDS.filter(({ name, mode, profile }) => {
    const titles = profile === 'native' ? [`Native ${mode}`, mode] : [mode]
    return !sections.some(({ title, text }) => titles.includes(title) && text.includes(name))
  })
  expect(missing.map(({ mode, profile, name }) => `${mode} ${profile} ${name}`)).toEqual([])
})

test('The sentences about limits are true.', () => {
  const fifths = composeMml('A c5 c5 c5 c5 c5', { mode: 'ppmck' })
  expect(fifths.channelSummary[0]?.duration_ticks).toBe(768)
})
