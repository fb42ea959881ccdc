/** Lines of the page schema beside those that an index must have of a world. */
import { expect } from 'vitest'
import type { Expected } from './truth/expected-documents.ts'

export type Line = Readonly<Record<string, unknown>>

/** Fields that the index adds to what GitHub says of a document. */
const ADDED = ['previous_tag', 'commit_count', 'released', 'generated', 'file_count']

/** The lines of an export's text. */
export function toLines(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

/** The lines are those of the truth; commits that pull requests hold may be there or not. */
export function expectLines(lines: readonly Line[], { documents, heldCommits }: Expected): void {
  const held = new Set(heldCommits)
  const isSure = (line: Line): boolean => !held.has(String(line['commit_sha'])) || line['type'] === 'release'
  expect(toComparable(lines.filter(isSure))).toEqual(toComparable(documents.filter(isSure)))
}

/** By key, without what the index adds, and of wiki pages without times, which no list gives. */
function toComparable(lines: readonly Line[]): Record<string, Line> {
  return Object.fromEntries(
    lines
      .map((line): [string, Line] => {
        const kept = Object.entries(line).filter(([name]) => !ADDED.includes(name))
        return [keyOf(line), Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))]
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

const KEYS = ['number', 'comment_id', 'review_id', 'tag_name', 'doc_path', 'wiki_path', 'commit_sha', 'file_path']

export function keyOf(line: Line): string {
  const identity: Readonly<Record<string, readonly string[]>> = {
    issue: ['number'],
    pull_request: ['number'],
    issue_comment: ['comment_id'],
    pr_review: ['review_id'],
    pr_review_comment: ['comment_id'],
    release: ['tag_name'],
    doc: ['doc_path'],
    wiki_doc: ['wiki_path'],
    commit: ['commit_sha'],
    diff: ['commit_sha', 'file_path'],
  }
  const names = identity[String(line['type'])] ?? KEYS
  return [line['type'], line['repo_id'], ...names.map((name) => line[name])].join(' ')
}
