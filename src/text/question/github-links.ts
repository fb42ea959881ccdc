/**
 * Links to github.com: what they point at, and the words in them for when the target
 * is not in the index.
 */
import { decodeUrlText } from '../../base/url-path.ts'
import type { ExactReference } from './exact-reference.ts'

interface GithubLink {
  /** Most exact first: a comment, then its thread. */
  readonly references: readonly ExactReference[]
  readonly words: string
}

/** Undefined for other addresses, and for pages of GitHub that the index does not cover. */
export function readGithubLink(address: string): GithubLink | undefined {
  const match = /^https?:\/\/(?:www\.)?github\.com\/([\w-]+\/[\w.-]+)(?:\/([^?#]*))?(?:\?[^#]*)?(?:#(.*))?$/i.exec(
    address,
  )
  if (match?.[1] === undefined) return undefined
  const repo = match[1].replace(/\.git$/, '')
  const [page = '', ...more] = (match[2] ?? '')
    .replace(/[).,;:!\]]+$/, '')
    .split('/')
    .map(decodeUrlText)
  const fragment = (match[3] ?? '').replace(/[^\w-].*$/, '')
  const references = toReferences(
    page.toLowerCase(),
    more.filter((part) => part !== ''),
    fragment,
    repo,
  )
  return references.length === 0 ? undefined : { references, words: references.map(wordsOf).join(' ') }
}

function toReferences(page: string, more: readonly string[], fragment: string, repo: string): ExactReference[] {
  const [first = '', second = ''] = more
  switch (page) {
    case 'issues':
    case 'pull':
    case 'pulls':
    case 'discussions': {
      if (!/^\d{1,9}$/.test(first)) return []
      const thread: ExactReference = { kind: 'number', number: Number(first), repo }
      const commit = second === 'commits' || second === 'changes' ? toCommit(more[2] ?? '', repo) : []
      return [...toComment(fragment, repo), ...commit, thread]
    }
    case 'commit':
      return [...toComment(fragment, repo), ...toCommit(first, repo)]
    case 'blob':
    case 'tree':
    case 'raw':
    case 'blame':
    case 'edit':
      return toPaths(more, repo)
    case 'releases':
      return first === 'tag' || first === 'download' ? toTag(more.slice(1, first === 'tag' ? undefined : 2), repo) : []
    case 'wiki':
      return [{ kind: 'wiki', page: first === '' ? 'Home' : more.join('/'), repo }]
    default:
      return []
  }
}

function toComment(fragment: string, repo: string): ExactReference[] {
  const match = /^(issuecomment-|discussion_r|r|pullrequestreview-)(\d{1,15})$/.exec(fragment)
  if (!match) return []
  const type =
    match[1] === 'issuecomment-'
      ? 'issue_comment'
      : match[1] === 'pullrequestreview-'
        ? 'pr_review'
        : 'pr_review_comment'
  return [{ kind: 'comment', type, id: Number(match[2]), repo }]
}

function toCommit(text: string, repo: string): ExactReference[] {
  const sha = /^[0-9a-f]{6,40}/i.exec(text)?.[0]
  return sha === undefined ? [] : [{ kind: 'commit', sha: sha.toLowerCase(), repo }]
}

/** A branch name may contain a slash, so the path follows the first part or the second. */
function toPaths(more: readonly string[], repo: string): ExactReference[] {
  const paths = [more.slice(1), more.slice(2)].filter((parts) => parts.length > 0).map((parts) => parts.join('/'))
  return paths.map((path) => ({ kind: 'path', path, repo }))
}

function toTag(parts: readonly string[], repo: string): ExactReference[] {
  return parts.length === 0 ? [] : [{ kind: 'tag', tag: parts.join('/'), repo }]
}

function wordsOf(reference: ExactReference): string {
  switch (reference.kind) {
    case 'number':
      return `#${reference.number}`
    case 'commit':
      return reference.sha
    case 'path':
      return reference.path
    case 'wiki':
      return reference.page
    case 'tag':
      return reference.tag
    case 'name':
    case 'mention':
      return reference.name
    case 'version':
    case 'comment':
      return ''
    default:
      return reference satisfies never
  }
}
