/** An import in words: its progress, its result for `npm run import`, and its result between the lines of `npm start`. */
import type { ImportCounts } from '../../../../src/contracts/admin/import-contract.ts'
import type { ExcludedCount, ImportProgress, Summary } from '../../import/import-options.ts'

/** Documents, tags and commits are counted together. */
export function toProgressText({ repo, phase, done, total }: ImportProgress): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  return `${repo}: ${done} of ${total} read (${percent}%)${phase === 'done' ? '' : `, now ${phase}`}`
}

/** The result in full, without the failure. No line when the repository has no name yet. */
export function toSummaryLines(summary: Summary): string[] {
  const { repo, outcome, counts, commits, done, total, elapsedMs, notes, pages } = summary
  if (repo === undefined) return []
  const ended = {
    unchanged: 'nothing new',
    complete: total === 0 ? 'nothing to read' : 'all is in the index',
    partial: `stopped by --max-commits at ${done} of ${total}; run it again to continue`,
    aborted: `interrupted at ${done} of ${total}; run it again to continue`,
    failed:
      pages === 0
        ? 'failed before anything was sent'
        : `failed at ${done} of ${total}; the pages sent before are stored`,
  }[outcome]
  const read = `${toCountsText(counts)}, ${commits} commits, ${toSeconds(elapsedMs)}`
  return [`${repo}: ${ended}`, read, ...notes, ...toExcludedLines(summary.excluded)]
}

/** The result with its failure, each line under the repository's name, or under `path` without one. */
export function toNewsLines(path: string, summary: Summary): string[] {
  const { repo: name = path, outcome, counts, commits, total, elapsedMs, failure } = summary
  const notes = [...summary.notes, ...toExcludedLines(summary.excluded)].map((note) => `${name}: ${note}`)
  if (failure !== undefined) {
    const hint = failure.hint === undefined ? '' : ` ${failure.hint}`
    return [...notes, `${name}: not indexed: ${failure.message}${hint}`]
  }
  if (total === 0) return [...notes, `${name}: nothing to read`]
  if (outcome === 'unchanged') return [...notes, `${name}: up to date`]
  const removed = counts.removed === 0 ? '' : `, ${counts.removed} removed`
  const read = `${commits} commits read in ${toSeconds(elapsedMs)}`
  return [...notes, `${name}: ${counts.written} written${removed}, ${read}`]
}

export function toCountsText({ written, unchanged, stale, removed }: ImportCounts): string {
  const older = stale > 0 ? `, ${stale} older than the index` : ''
  return `${written} written, ${unchanged} unchanged, ${removed} removed${older}`
}

const KINDS: Readonly<Record<ExcludedCount['kind'], string>> = {
  'lock file': 'lock files',
  vendored: 'vendored files',
  minified: 'minified files',
  generated: 'generated files',
  binary: 'binary files',
}

/** One line that names the excluded files, so that a person knows why a search does not find them; else none. */
function toExcludedLines(excluded: readonly ExcludedCount[]): string[] {
  if (excluded.length === 0) return []
  const parts = excluded.map(({ kind, changes, names, moreNames }) => {
    const more = moreNames === 0 ? '' : ` and ${moreNames} more`
    return `${changes} ${changes === 1 ? 'change' : 'changes'} of ${KINDS[kind]} (${names.join(', ')}${more})`
  })
  return [`Excluded: ${parts.join('; ')}. \`npm run import -- --all-files\` reads them too.`]
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
