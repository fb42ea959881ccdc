/**
 * The names by which the author of a document is found: as shown, as the commit
 * spells it, the e-mail address, its local part, and the login in a noreply
 * address of GitHub. All are folded; the address itself is never part of an
 * answer.
 */
import type { FieldValues } from '../../documents/fields.ts'
import { MAX_NAME_WORDS } from '../limits.ts'
import { foldName } from './fold-name.ts'

type AuthorFields = Pick<FieldValues, 'author' | 'commitAuthor' | 'authorEmail'>

/** `12345+login@users.noreply.github.com`; old addresses have no number, so their local part is the login. */
const NOREPLY = /^\d+\+(.+)@users\.noreply\.github\.com$/

/** Each once, the shown one first; empty where nothing about the author is known. */
export function authorNames({ author = '', commitAuthor = '', authorEmail = '' }: AuthorFields): string[] {
  const email = foldName(authorEmail.trim())
  const at = email.lastIndexOf('@')
  const names = [foldName(author), foldName(commitAuthor), email, email.slice(0, Math.max(at, 0))]
  const [, login = ''] = NOREPLY.exec(email) ?? []
  return [...new Set([...names, login])].filter((name) => name !== '')
}

/** The key of documents whose author has exactly these names; undefined without a name. */
export function authorKey(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join('\n')
}

/** The words of names of several words: people often remember one of them. They suggest an author and find none. */
export function wordsOfNames(names: readonly string[]): string[] {
  const words = names.filter((name) => !name.includes('@')).flatMap((name) => name.split(/[\s.+_-]+/))
  return [...new Set(words)].filter((word) => word.length > 1 && !names.includes(word)).slice(0, MAX_NAME_WORDS)
}
