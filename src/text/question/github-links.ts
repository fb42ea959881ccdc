/**
 * Links to github.com, as people paste them: what they point at, and the words
 * they hold for the case that the thing itself is not in the index.
 */
import type { ExactReference } from './exact-reference.ts'

export interface GithubLink {
  /** The most exact first: a comment, then the thread around it. */
  readonly references: readonly ExactReference[]
  readonly words: string
}

/** Undefined for any other address, and for pages of GitHub that show nothing the index holds. */
export function readGithubLink(address: string): GithubLink | undefined {
  const match = /^https?:\/\/(?:www\.)?github\.com\/([\w-]+\/[\w.-]+)(?:\/([^?#]*))?(?:\?[^#]*)?(?:#(.*))?$/i.exec(
    address,
  )
  if (match?.[1] === undefined) return undefined
  const repo = match[1].replace(/\.git$/, '')
  const [page = '', ...more] = (match[2] ?? '')
    .replace(/[).,;:!\]]+$/, '')
    .split('/')
    .map(decode)
  const fragment = (match[3] ?? '').replace(/[^\w-].*$/, '')
  const lanes = lanesOf(
    page.toLowerCase(),
    more.filter((part) => part !== ''),
    fragment,
    repo,
  )
  return lanes.length === 0 ? undefined : { references: lanes, words: lanes.map(wordsOf).join(' ') }
}

function lanesOf(page: string, more: readonly string[], fragment: string, repo: string): ExactReference[] {
  const [first = '', second = ''] = more
  switch (page) {
    case 'issues':
    case 'pull':
    case 'pulls':
    case 'discussions': {
      if (!/^\d{1,9}$/.test(first)) return []
      const thread: ExactReference = { kind: 'number', number: Number(first), repo }
      const commit = second === 'commits' || second === 'changes' ? commitLane(more[2] ?? '', repo) : []
      return [...commentLane(fragment, repo), ...commit, thread]
    }
    case 'commit':
      return [...commentLane(fragment, repo), ...commitLane(first, repo)]
    case 'blob':
    case 'tree':
    case 'raw':
    case 'blame':
    case 'edit':
      return pathLanes(more, repo)
    case 'releases':
      return first === 'tag' || first === 'download'
        ? tagLane(more.slice(1, first === 'tag' ? undefined : 2), repo)
        : []
    case 'wiki':
      return [{ kind: 'wiki', page: first === '' ? 'Home' : more.join('/'), repo }]
    default:
      return []
  }
}

function commentLane(fragment: string, repo: string): ExactReference[] {
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

function commitLane(text: string, repo: string): ExactReference[] {
  const sha = /^[0-9a-f]{6,40}/i.exec(text)?.[0]
  return sha === undefined ? [] : [{ kind: 'commit', sha: sha.toLowerCase(), repo }]
}

/** A branch may hold slashes itself: the path is what follows one part of it, or two. */
function pathLanes(more: readonly string[], repo: string): ExactReference[] {
  const paths = [more.slice(1), more.slice(2)].filter((parts) => parts.length > 0).map((parts) => parts.join('/'))
  return paths.map((path) => ({ kind: 'path', path, repo }))
}

function tagLane(parts: readonly string[], repo: string): ExactReference[] {
  return parts.length === 0 ? [] : [{ kind: 'tag', tag: parts.join('/'), repo }]
}

function wordsOf(lane: ExactReference): string {
  switch (lane.kind) {
    case 'number':
      return `#${lane.number}`
    case 'commit':
      return lane.sha
    case 'path':
      return lane.path
    case 'wiki':
      return lane.page
    case 'tag':
      return lane.tag
    case 'name':
      return lane.name
    case 'version':
    case 'comment':
      return ''
    default:
      return lane satisfies never
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
