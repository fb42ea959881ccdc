/**
 * Issues and pull requests by number, as people write them: `7` alone, `issue 7`,
 * `PR 7`, `GH-7`, `finder#7`, `pull/53`, `acme/finder/issues/7`. A number inside a
 * sentence is only a word.
 */
import { normalise } from '../tokenize/normalise.ts'
import type { ExactReference } from './exact-reference.ts'

const ITEM = 'gh|prs?|issues?|(?:pull|merge)[ -]?requests?'
const NUMBERS = '(\\d{1,9}(?:(?:,\\s+|\\s*&\\s*|,?\\s+(?:and|or)\\s+)#?\\d{1,9}){0,4})(?![\\p{L}\\p{N}_]|[.,:/-]\\p{N})'

/** `issue 7`, `PR7`, `GH-7`, `pull request no. 7`, `issues 7 and 8`. */
const NAMED = new RegExp(
  `(?<![\\p{L}\\p{N}_./#-])(?:${ITEM})\\s?(?:[#-]|\\b(?:no\\.?|number)(?!\\p{L}))?\\s?${NUMBERS}`,
  'giu',
)

/** The same in Japanese, where words are not separated. */
const NAMED_IN_JAPANESE = /(?:イシュー|プルリク(?:エスト)?)\s?#?(\d{1,9})(?!\d)/gu

/** `finder#7`: the repository's bare name, the number. */
const IN_REPOSITORY = /(?<![\w./-])([\w.-]{1,100})#(\d{1,9})(?!\w)/g

/** `issues/7`, `refs/pull/53/head`, `acme/finder/issues/7`: the repository, the number. */
const WEB_PATH =
  /(?<![\w./-])(?:([\w-]{1,39}\/[\w.-]{1,100})\/|\/|refs\/)?(?:issues?|pulls?)\/(\d{1,9})(?![\w-]|\.\w)/gi

const ALONE = /^\d{1,9}$/
const ITEM_WORD = new RegExp(`^(?:${ITEM})$`, 'i')

/** Only references that `#7` and `owner/name#7` do not cover. Time is linear in the text. */
export function* listItems(question: string): Generator<ExactReference> {
  const text = normalise(question)
  const whole = text.trim().replace(/[.?!。]+$/, '')
  if (ALONE.test(whole)) yield { kind: 'number', number: Number(whole) }
  for (const pattern of [NAMED, NAMED_IN_JAPANESE]) {
    for (const [, numbers = ''] of text.matchAll(pattern)) {
      for (const [digits] of numbers.matchAll(/\d+/g)) yield { kind: 'number', number: Number(digits) }
    }
  }
  for (const [, repo = '', digits] of text.matchAll(IN_REPOSITORY)) {
    if (!ITEM_WORD.test(repo)) yield { kind: 'number', number: Number(digits), repo }
  }
  for (const [, repo, digits] of text.matchAll(WEB_PATH)) {
    yield { kind: 'number', number: Number(digits), ...(repo !== undefined && { repo }) }
  }
}
