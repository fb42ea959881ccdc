/**
 * Decides whether a comment says anything that a search could find: it has
 * enough letters, or it names an issue, a commit, a version or a path.
 */
import type { ExactReference } from '../../../text/question/exact-reference.ts'
import { readExactReferences } from '../../../text/question/find-references.ts'

/** A comment of fewer letters says nothing by its words. */
const ENOUGH_LETTERS = 10
/** One such letter is about a syllable or a word. */
const ENOUGH_CJK_LETTERS = 4

/** Git shortens a SHA to this many digits; six make words such as `facade` too. */
const ABBREVIATED_SHA = 7

const CJK = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/gu
const LETTER = /\p{L}/gu

/** Kinds of references that carry information without any word. */
const NAMING: readonly string[] = ['number', 'commit', 'version', 'path', 'mention']

export function saysNothing(body: string): boolean {
  if (hasAtLeast(body, LETTER, ENOUGH_LETTERS)) return false
  if (hasAtLeast(body, CJK, ENOUGH_CJK_LETTERS)) return false
  return !readExactReferences(body).references.some(isNaming)
}

function isNaming(reference: ExactReference): boolean {
  if (reference.kind === 'name') return /[./]/.test(reference.name)
  if (reference.kind === 'commit') return reference.sha.length >= ABBREVIATED_SHA
  return NAMING.includes(reference.kind)
}

function hasAtLeast(text: string, pattern: RegExp, count: number): boolean {
  let found = 0
  for (const _ of text.matchAll(pattern)) {
    found += 1
    if (found >= count) return true
  }
  return false
}
