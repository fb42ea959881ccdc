/** Valid lines of an import page, one of each type. Tests vary them. */
import type { DocumentType } from '../../src/base/vocabulary.ts'
import { specOf } from '../../src/documents/index.ts'

export type Line = Readonly<Record<string, unknown>>

const COMMON = { repo: 'acme/widgets', body: 'The launcher starts every agent twice.' }

export const LINES: Record<DocumentType, Line> = {
  issue: {
    ...COMMON,
    type: 'issue',
    number: 11,
    title: 'Agents start twice',
    state: 'open',
    labels: ['bug', 'area: launcher, core'],
    assignees: ['octocat'],
    milestone: 'v1.0',
    author: 'Hubot',
    author_association: 'MEMBER',
    url: 'https://github.com/acme/widgets/issues/11',
    created_at: '2026-11-01T10:00:00Z',
    updated_at: '2026-11-02T10:00:00Z',
  },
  pull_request: {
    ...COMMON,
    type: 'pull_request',
    number: 12,
    title: 'Start once',
    state: 'closed',
    merged: true,
    draft: false,
  },
  release: { ...COMMON, type: 'release', tag_name: 'v1.2.0-rc.1', title: 'One point two', prerelease: true },
  doc: { ...COMMON, type: 'doc', doc_path: 'docs/launch guide.md', title: 'Launching' },
  wiki_doc: { ...COMMON, type: 'wiki_doc', wiki_path: 'Launch-Guide' },
  commit: {
    repo: 'acme/widgets',
    type: 'commit',
    commit_sha: '9f1c2d3e4b5a69788776655443322110ffeeddcc',
    message: 'Start each agent once\n\nThe loop ran over both lists.',
    author: 'Ada',
    commit_date: '2026-11-03T10:00:00Z',
    parents: ['1f1c2d3e4b5a69788776655443322110ffeeddcc'],
    files: [
      { path: 'src/launch.ts', status: 'modified' },
      { path: 'package-lock.json', status: 'modified' },
    ],
  },
  diff: {
    ...COMMON,
    type: 'diff',
    commit_sha: '9f1c2d3e4b5a69788776655443322110ffeeddcc',
    file_path: 'src/launch.ts',
    file_status: 'modified',
    message: 'Start each agent once\n\nThe loop ran over both lists.',
    commit_date: '2026-11-03T10:00:00Z',
    commit_author: 'Ada',
    body: '@@ -1,2 +1,2 @@\n-startAll(both)\n+startAll(once)\n',
  },
  issue_comment: { ...COMMON, type: 'issue_comment', number: 11, comment_id: 501 },
  pr_review: { ...COMMON, type: 'pr_review', number: 12, review_id: 601, review_state: 'APPROVED' },
  pr_review_comment: {
    ...COMMON,
    type: 'pr_review_comment',
    number: 12,
    comment_id: 701,
    file_path: 'src/launch.ts',
    line: 3,
    diff_hunk: '@@ -1,2 +1,2 @@\n+startAll(once)',
    commit_sha: '9F1C2D3E4B5A69788776655443322110FFEEDDCC',
  },
}

/** The line that removes the document that `line` puts. */
export function removalOf(line: Line): Line {
  const { identity } = specOf(line['type'] as DocumentType)
  const parts = identity.map((name) => [name, line[name]])
  return { type: line['type'], repo: line['repo'], ...Object.fromEntries(parts), deleted: true }
}

export function toNdjson(lines: readonly Line[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n')
}
