/** The surfaces of GitHub as people call them, in the plural. */
import type { Surface } from '../../base/vocabulary.ts'

export const SURFACE_NAMES: Readonly<Record<Surface, string>> = {
  issue: 'issues',
  pull_request: 'pull requests',
  issue_comment: 'comments',
  pr_review: 'reviews',
  pr_review_comment: 'review comments',
  release: 'releases',
  doc: 'docs',
  wiki_doc: 'wiki pages',
  diff: 'diffs',
}
