/**
 * Takes qualifiers in GitHub's notation out of a query: the keys of READERS,
 * directly followed by a value, each with an optional `-` before it. A value that
 * cannot be applied is dropped with a warning. Any other `x:` stays in the query
 * as words: `fix(docs): path: x` has no qualifier.
 */
import { cutWithEllipsis } from '../../base/text-cut.ts'
import { foldName } from '../../index/filters/fold-name.ts'
import { MAX_QUERY_EXCLUSIONS, MAX_QUERY_LABELS, MAX_SHOWN_QUALIFIER_CHARS } from '../limits.ts'
import { READERS } from './qualifier-readers.ts'
import type { NamedFilters } from './qualifier-readers.ts'
import { overlapOf } from './time-range.ts'

export interface QualifiedQuery {
  /** The rest of the query: the words to search for. */
  readonly words: string
  readonly named: NamedFilters
  /** Values after a `-`, one each; a row that has one of them is excluded. */
  readonly excluded: readonly NamedFilters[]
  /** Qualifiers that were dropped, and those that are named twice with different values. */
  readonly warnings: readonly string[]
}

// A quoted phrase is one part, so text inside it is never a qualifier. Spaces
// separate a qualifier from other words, and its value is quoted whole or not at all.
const PART =
  /(?<phrase>"[^"]*")|(?<!\S)(?<minus>-)?(?<key>[a-z]+):(?:"(?<quoted>[^"]+)"(?!\S)|(?<plain>[^\s"]+)(?!\S))|\S+/giu

export function parseQualifiers(query: string): QualifiedQuery {
  const found = new FoundQualifiers()
  const words = query.replace(PART, (part: string, ...rest: unknown[]) => {
    const { minus = '', key = '', quoted, plain } = rest.at(-1) as Record<string, string | undefined>
    const value = (quoted ?? plain ?? '').trim()
    return value !== '' && found.take(minus, key.toLowerCase(), value) ? ' ' : part
  })
  return { words: words.trim(), ...found.all() }
}

/** Collects the qualifiers of one query. */
class FoundQualifiers {
  readonly #named: Record<string, unknown> = {}
  readonly #labels = new Map<string, string>()
  readonly #excluded = new Map<string, NamedFilters>()
  readonly #warnings = new Map<string, string>()

  /** False for text that is not a qualifier. */
  take(minus: string, key: string, value: string): boolean {
    const reading = READERS.get(key)?.(value, minus !== '')
    if (reading === undefined) return false
    if ('dropped' in reading) this.#drop(`${minus}${key}`, value, reading.dropped)
    else if ('excluded' in reading) this.#exclude(`${minus}${key}`, value, reading.excluded)
    else return this.#add(reading)
    return true
  }

  all(): Omit<QualifiedQuery, 'words'> {
    const labels = [...this.#labels.values()]
    return {
      named: { ...(this.#named as NamedFilters), ...(labels.length > 0 && { labels }) },
      excluded: [...this.#excluded.values()],
      warnings: [...this.#warnings.values()],
    }
  }

  #drop(key: string, value: string, reason: string): void {
    const shown = cutWithEllipsis(value.replace(/\s+/gu, ' '), MAX_SHOWN_QUALIFIER_CHARS)
    this.#warnings.set(key, `${key}:${shown} in the query was dropped: ${reason}`)
  }

  #exclude(key: string, value: string, excluded: NamedFilters): void {
    const id = JSON.stringify(excluded)
    if (this.#excluded.size < MAX_QUERY_EXCLUSIONS || this.#excluded.has(id)) this.#excluded.set(id, excluded)
    else this.#drop(key, value, `a query excludes at most ${MAX_QUERY_EXCLUSIONS} values.`)
  }

  /** False for a label beyond the limit. */
  #add({ labels = [], ...others }: NamedFilters): boolean {
    for (const label of labels) {
      const key = foldName(label)
      if (this.#labels.size >= MAX_QUERY_LABELS && !this.#labels.has(key)) return false
      if (!this.#labels.has(key)) this.#labels.set(key, label)
    }
    for (const [name, value] of Object.entries(others)) this.#set(name, value)
    return true
  }

  /** Lists and ranges of one name are combined; of other values the last one counts. */
  #set(name: string, value: unknown): void {
    const before = this.#named[name]
    if (before === undefined) this.#named[name] = value
    else if (Array.isArray(value)) this.#named[name] = [...new Set([...(before as unknown[]), ...value])]
    else if (name === 'created' || name === 'updated') this.#named[name] = overlapOf(before as never, value as never)
    else {
      if (before !== value) this.#warnings.set(`=${name}`, `The query names ${name} twice; the last one counts.`)
      this.#named[name] = value
    }
  }
}
