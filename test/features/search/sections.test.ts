/** Long texts are answered by section: the headings above each passage, and more than one passage. */
import { beforeEach, expect, test } from 'vitest'
import { clearIndex } from '../../support/index-world.ts'
import { ask, put } from '../../support/search-world.ts'

beforeEach(clearIndex)

const filler = (words: string): string => `${words} `.repeat(60)

const CHANGELOG = `# Changelog

## 4.6.0 (2026-05-01)

### Added

- The router takes streaming handlers.

${filler('Smaller notes about packaging and typings.')}

## 4.5.0 (2026-03-01)

### Fixed

- Cookies with a quoted value are parsed. The passkey login works behind a proxy.

${filler('Smaller notes about build times and examples.')}

## 4.4.0 (2026-01-01)

### Added

- A passkey login with WebAuthn.

${filler('Smaller notes about tests and linters.')}
`

test('a changelog names the version of each passage', async () => {
  await put([{ type: 'doc', doc_path: 'CHANGELOG.md', body: CHANGELOG }])
  const [row] = (await ask({ query: 'passkey login WebAuthn since which version' })).results
  expect(row).toMatchObject({ type: 'doc', heading: 'Changelog > 4.4.0 (2026-01-01) > Added' })
  expect(row?.snippet).toContain('**WebAuthn**')
  expect(row?.passages).toMatchObject([{ heading: 'Changelog > 4.5.0 (2026-03-01) > Fixed' }])
  expect(row?.passages?.[0]?.snippet).toContain('**passkey** **login**')
})

test('the offset of each passage is its place in the body', async () => {
  await put([{ type: 'doc', doc_path: 'CHANGELOG.md', body: CHANGELOG }])
  const [row] = (await ask({ query: 'passkey login' })).results
  const places = [row, ...(row?.passages ?? [])]
  expect(places).toHaveLength(2)
  for (const place of places) {
    const words = place?.snippet?.replaceAll('**', '').split(' ').slice(0, 3).join(' ') ?? ''
    expect(CHANGELOG.slice(place?.snippet_offset).replace(/\s+/g, ' ').startsWith(words)).toBe(true)
  }
})

test('a passage is found by the words of the headings above it', async () => {
  const body = `# Guide\n\n## Deployment on Windows\n\n${filler('Prepare the machine first.')}\n\n${filler('Then set the port.')}`
  await put([{ type: 'doc', doc_path: 'docs/guide.md', body }])
  const [row] = (await ask({ query: 'windows deployment set the port' })).results
  expect(row?.heading).toBe('Guide > Deployment on Windows')
  expect(row?.snippet).toContain('**port**')
})

test('at most two further passages are shown, and only those that match nearly as well', async () => {
  const section = (name: string, line: string) =>
    `## ${name}\n\n${line}\n\n${filler('Nothing of interest stands here.')}\n\n`
  const body = [
    section('One', 'The lantern flickers at dusk.'),
    section('Two', 'A lantern flickers.'),
    section('Three', 'Every lantern flickers at times.'),
    section('Four', 'No lantern flickers.'),
    section('Five', 'Only the lantern stays.'),
  ].join('')
  await put([{ type: 'doc', doc_path: 'docs/lanterns.md', body }])
  const [row] = (await ask({ query: 'lantern flickers' })).results
  const headings = [row, ...(row?.passages ?? [])].map((passage) => passage?.heading)
  expect(headings).toHaveLength(3)
  expect(new Set(headings).size).toBe(3)
  expect(headings).not.toContain('Five')
})

test.each([
  [{ type: 'release', tag_name: 'v2.0.0' }, 'Breaking changes'],
  [{ type: 'wiki_doc', wiki_path: 'Upgrading' }, 'Breaking changes'],
  [{ type: 'issue', number: 3, title: 'Upgrade' }, undefined],
])('%j has the heading %s', async (line, heading) => {
  await put([{ ...line, body: 'Hello.\n\n## Breaking changes\n\nThe zeppelin option is gone.' }])
  const [row] = (await ask({ query: 'zeppelin' })).results
  expect(row?.heading).toBe(heading)
})

test('a text without headings has none', async () => {
  await put([{ type: 'doc', doc_path: 'notes.txt', body: 'The zeppelin lands.' }])
  expect((await ask({ query: 'zeppelin' })).results[0]).not.toHaveProperty('heading')
})
