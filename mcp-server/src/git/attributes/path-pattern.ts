/**
 * A pattern of a `.gitattributes` file, matched as git matches it: without a
 * slash against the file's name, else against the whole path, `**` for any number
 * of folders. The time of a match is bounded by the lengths of pattern and path,
 * because a repository may hold any pattern.
 */

/** Matches a path, relative to the folder of the pattern's file. */
export type PathPattern = (path: string) => boolean

/** Undefined for a pattern that matches no file: one of a folder, or with `!`, which git forbids. */
export function parsePathPattern(text: string): PathPattern | undefined {
  if (text === '' || text.startsWith('!') || text.endsWith('/')) return undefined
  const parts = splitPattern(text)
  if (parts.length === 1) {
    const name = parseGlob(text)
    return (path) => matchesName(name, path.slice(path.lastIndexOf('/') + 1))
  }
  const [first, ...others] = parts
  const folders = first === '' ? others : parts
  // At the end `**` needs something that it matches.
  const whole = folders.at(-1) === '**' ? [...folders, '*'] : folders
  const steps = whole.map((part): Step => (part === '**' ? ANY : parseGlob(part)))
  return (path) => matchesSequence(steps, path.split('/'), matchesName)
}

/** Any number of items of a sequence: folders of a path, or characters of a name. */
const ANY = Symbol('any number')

/** Whether one character matches. */
type Token = typeof ANY | ((character: string) => boolean)
type Step = typeof ANY | readonly Token[]

function matchesToken(token: Token, character: string): boolean {
  return token !== ANY && token(character)
}

function matchesName(step: Step, name: string): boolean {
  return step !== ANY && matchesSequence(step, [...name], matchesToken)
}

/** Retries from the last `ANY` alone, which finds a match if there is one. */
function matchesSequence<Item, Pattern>(
  patterns: readonly (Pattern | typeof ANY)[],
  items: readonly Item[],
  matchesItem: (pattern: Pattern | typeof ANY, item: Item) => boolean,
): boolean {
  let [at, next] = [0, 0]
  let retry: { readonly next: number; at: number } | undefined
  while (at < items.length) {
    const pattern = patterns[next]
    if (pattern === ANY) {
      retry = { next: next + 1, at }
      next += 1
    } else if (pattern !== undefined && matchesItem(pattern, items[at] as Item)) {
      at += 1
      next += 1
    } else if (retry === undefined) return false
    else {
      retry.at += 1
      at = retry.at
      next = retry.next
    }
  }
  while (patterns[next] === ANY) next += 1
  return next === patterns.length
}

/** Splits at slashes; a slash within brackets belongs to them. */
function splitPattern(text: string): string[] {
  return text.split(/\/(?![^[\]]*\])/)
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  digit: /[0-9]/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9a-f]/i,
}

const NEVER = (): boolean => false

/** The tokens of a part without slashes. */
function parseGlob(text: string): Token[] {
  const characters = [...text]
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    if (character === '*') {
      if (tokens.at(-1) !== ANY) tokens.push(ANY)
    } else if (character === '?') tokens.push(() => true)
    else if (character === '[') {
      const set = parseSet(characters, at + 1)
      if (set === undefined) return [NEVER]
      tokens.push(set.token)
      at = set.end
    } else if (character === '\\') {
      at += 1
      const literal = characters[at]
      tokens.push(literal === undefined ? NEVER : (other) => other === literal)
    } else tokens.push((other) => other === character)
  }
  return tokens
}

/** A set in brackets from after its `[` on, and the place of its `]`; undefined for one without an end. */
function parseSet(characters: readonly string[], start: number): { token: Token; end: number } | undefined {
  const isNegated = characters[start] === '!' || characters[start] === '^'
  const first = isNegated ? start + 1 : start
  const members: ((character: string) => boolean)[] = []
  let at = first
  const take = (): string => {
    if (characters[at] === '\\') at += 1
    const taken = characters[at] ?? ''
    at += 1
    return taken
  }
  while (at === first || characters[at] !== ']') {
    if (at >= characters.length) return undefined
    const named = /^\[:([a-z]+):\]/.exec(characters.slice(at, at + 12).join(''))
    if (named !== null) {
      const letters = CLASSES[named[1] ?? '']
      if (letters === undefined) return undefined
      members.push((character) => letters.test(character))
      at += named[0].length
      continue
    }
    const low = take()
    if (characters[at] !== '-' || characters[at + 1] === ']' || at + 1 >= characters.length) {
      members.push((character) => character === low)
      continue
    }
    at += 1
    const high = take()
    members.push((character) => low <= character && character <= high)
  }
  return { token: (character) => members.some((isMember) => isMember(character)) !== isNegated, end: at }
}
