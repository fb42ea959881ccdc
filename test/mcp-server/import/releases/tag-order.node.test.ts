import { expect, test } from 'vitest'
import {
  compareOfOneCommit,
  compareReleases,
  toOrderedTag,
} from '../../../../mcp-server/src/import/releases/tag-order.ts'

function ordered(names: readonly string[], compare = compareReleases): string[] {
  return names
    .map(toOrderedTag)
    .sort(compare)
    .map(({ name }) => name)
}

test('releases are ordered by their versions, and not by the text before them', () => {
  for (const names of [
    ['v1.2', 'v1.2.1', 'v1.10.0', 'v2.0.0'],
    ['1.9', 'release-1.10', 'core@1.11.0', 'cli/v1.12.0'],
    ['REL_9_6_2', 'REL_10_1', 'REL_16_1'],
    ['@scope/pkg@0.9.0', '@scope/pkg@0.10.0', '@scope/pkg@1.0.0'],
    ['go1.9.7', 'go1.21.0', 'go1.21.13'],
    ['2023-12-31', '2024-01-02', '2024-01-10'],
    ['utf8-v1.2.0', 'utf8-v1.3.0'],
    ['1.0.0', '1.0.0.1', '1.0.1'],
    ['v1.0.0+build.9', 'v1.0.1+build.1'],
  ]) {
    expect(ordered(names.toReversed())).toEqual(names)
  }
})

test('full releases come before pre-releases, and pre-releases are ordered by Semantic Versioning', () => {
  const precedence = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
  ]
  expect(ordered(['1.0.0-beta.11', '1.0.0-rc.1', '9.0.0', ...precedence.slice(0, 5).toReversed()])).toEqual([
    '9.0.0',
    ...precedence,
  ])
  expect(ordered(['2.0b10', '2.0b2', '2.0rc1', '1.9'])).toEqual(['1.9', '2.0b2', '2.0b10', '2.0rc1'])
})

test('names without a version come after those with one, in order of name', () => {
  expect(ordered(['nightly', 'latest', 'v3.0.0', 'v1'])).toEqual(['v1', 'v3.0.0', 'latest', 'nightly'])
})

test('of the tags of one commit the most exact version names the release', () => {
  expect(ordered(['v1', 'latest', 'v1.9', 'v1.9.0'], compareOfOneCommit)).toEqual(['v1.9.0', 'v1.9', 'v1', 'latest'])
  expect(ordered(['v1.0.1', 'v1.0.0-rc.2', 'v1.0.0'], compareOfOneCommit)).toEqual(['v1.0.0', 'v1.0.1', 'v1.0.0-rc.2'])
})

test('a tag names its package by what stands before the version', () => {
  const lines = ['v1.2.0', '1.2', 'core@1.2.0', 'Core/v1.3', 'core-v1.4.0', '@scope/pkg@2.0.0', 'latest']
  expect(lines.map((name) => toOrderedTag(name).line)).toEqual(['', '', 'core', 'core', 'core', '@scope/pkg', 'latest'])
})
