/** Decides which files of commits are excluded, and counts them for the summary. */
import type { ExcludedKind } from '../../git/excluded-paths.ts'
import { MAX_EXCLUDED_NAMES } from '../../git/limits.ts'
import type { FilePatch } from '../../git/patches.ts'
import type { ExcludedCount } from '../import-options.ts'
import type { PathRules } from './path-rules.ts'

/** Names in a count; the summary names no more. */
const NAMED = 3

export class ExcludedFiles {
  readonly #found = new Map<ExcludedKind, { changes: number; readonly names: Set<string> }>()

  /** True when the rules exclude the file; it is then counted. */
  take(rules: PathRules, { path, binary }: Pick<FilePatch, 'path' | 'binary'>): boolean {
    const exclusion = rules.findExclusion(path) ?? (binary ? { kind: 'binary' as const, name: path } : undefined)
    if (exclusion === undefined) return false
    const { kind, name } = exclusion
    const found = this.#found.get(kind) ?? { changes: 0, names: new Set() }
    found.changes += 1
    if (found.names.size < MAX_EXCLUDED_NAMES) found.names.add(name)
    this.#found.set(kind, found)
    return true
  }

  /** One count for each kind that was found, in the order in which they were. */
  counts(): ExcludedCount[] {
    return [...this.#found].map(([kind, { changes, names }]) => ({
      kind,
      changes,
      names: [...names].slice(0, NAMED),
      moreNames: Math.max(0, names.size - NAMED),
    }))
  }
}
