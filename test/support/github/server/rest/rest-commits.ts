/** REST routes of commits: their list, each with its files, and comparisons. */
import { listCommitFiles, type CommitFile } from '../../truth/commit-files.ts'
import {
  findMergeBase,
  listAncestors,
  resolveCommit,
  touches,
  type GitCommit,
  type GitPerson,
  type GitStore,
} from '../../truth/git-store.ts'
import { toTime } from '../../truth/world.ts'
import { numberedPage, pageOf, perPageOf } from './lists.ts'
import { NOT_FOUND, restError, type RestReply } from '../reply.ts'
import { userJson, type Json, type View } from './rest-json.ts'
import type { RestRequest, Route } from './rest-threads.ts'
import { apiUrlOf, encodePath, webUrlOf } from '../urls.ts'

export const EMPTY = restError(409, 'Git Repository is empty.')
/** No page of a list of git is too far. */
export const NO_LIMIT = { maxListedItems: Infinity, beyondList: 'ends' } as const
/** Commits of a comparison that is not asked for by pages, and files that a commit lists at most. */
const COMPARED_COMMITS = 250
const LISTED_FILES = 3000

export function isEmpty({ commits, refs }: GitStore): boolean {
  return commits.size === 0 || refs.size === 0
}

export function commitJson(view: View, commit: GitCommit): Json {
  const api = apiUrlOf(view.urls, view.repository)
  const web = webUrlOf(view.urls, view.repository)
  const person = ({ name, email, dateMs }: GitPerson): Json => ({ name, email, date: toTime(dateMs) })
  const { sha } = commit
  return {
    sha,
    node_id: `C_${sha}`,
    commit: {
      author: person(commit.author),
      committer: person(commit.committer),
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url: `${api}/commits/${sha}`,
    html_url: `${web}/commit/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    author: userJson(view, commit.author.login),
    committer: userJson(view, commit.committer.login),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${web}/commit/${parent}`,
    })),
  }
}

function fileJson({ urls, repository, world }: View, sha: string, file: CommitFile): Json {
  const { maxPatchBytes, withheldCounts } = world.settings
  const path = encodePath(file.path)
  const withheld = file.patch !== undefined && Buffer.byteLength(file.patch) > maxPatchBytes
  const zero = withheld && withheldCounts === 'zero'
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: zero ? 0 : file.additions,
    deletions: zero ? 0 : file.deletions,
    changes: zero ? 0 : file.additions + file.deletions,
    blob_url: `${webUrlOf(urls, repository)}/blob/${sha}/${path}`,
    raw_url: `${webUrlOf(urls, repository)}/raw/${sha}/${path}`,
    contents_url: `${apiUrlOf(urls, repository)}/contents/${path}?ref=${sha}`,
    ...(file.patch !== undefined && !withheld && { patch: file.patch }),
    ...(file.previousPath !== undefined && { previous_filename: file.previousPath }),
  }
}

function listCommits(request: RestRequest): RestReply {
  const { view, query } = request
  const { git, defaultBranch } = view.repository
  if (isEmpty(git)) return EMPTY
  const from = resolveCommit(git, query.get('sha') ?? defaultBranch)
  if (from === undefined) return NOT_FOUND
  const path = query.get('path')
  const [since, until] = [query.get('since'), query.get('until')].map((time) =>
    time === null ? undefined : Date.parse(time),
  )
  const commits = listAncestors(git, from).filter(
    (commit) =>
      commit.committer.dateMs >= (since ?? -Infinity) &&
      commit.committer.dateMs <= (until ?? Infinity) &&
      (path === null || touches(git, commit, path)),
  )
  return numberedPage(request, commits, NO_LIMIT, (commit) => commitJson(view, commit))
}

function getCommit(request: RestRequest): RestReply {
  const { view, parts, query } = request
  const { git } = view.repository
  const name = parts.slice(1).join('/')
  if (isEmpty(git)) return EMPTY
  const commit = git.commits.get(resolveCommit(git, name) ?? '')
  if (commit === undefined) return restError(422, `No commit found for SHA: ${name}`)
  const files = listCommitFiles(git, commit)
  const perPage = query.has('per_page') ? perPageOf(query) : view.world.settings.filesPerPage
  const page = numberedPage(
    request,
    files.slice(0, LISTED_FILES),
    NO_LIMIT,
    (file) => fileJson(view, commit.sha, file),
    perPage,
  )
  const sum = (field: 'additions' | 'deletions'): number => files.reduce((total, file) => total + file[field], 0)
  const [additions, deletions] = [sum('additions'), sum('deletions')]
  const stats = { total: additions + deletions, additions, deletions }
  return { ...page, body: { ...commitJson(view, commit), stats, files: page.body } }
}

/** Without paging the newest 250 commits, oldest first; paged, all of them, oldest first. */
function compare(request: RestRequest): RestReply {
  const { view, parts, query } = request
  const { git } = view.repository
  const [baseName = '', headName = ''] = parts.slice(1).join('/').split('...')
  const base = git.commits.get(resolveCommit(git, baseName) ?? '')
  const head = git.commits.get(resolveCommit(git, headName) ?? '')
  if (base === undefined || head === undefined) return NOT_FOUND
  const merge = git.commits.get(findMergeBase(git, base.sha, head.sha) ?? '')
  if (merge === undefined) return restError(404, `No common ancestor between ${baseName} and ${headName}.`)
  const [ofBase, ofHead] = [listAncestors(git, base.sha), listAncestors(git, head.sha)]
  const only = (list: readonly GitCommit[], other: readonly GitCommit[]): GitCommit[] => {
    const known = new Set(other.map(({ sha }) => sha))
    return list.filter(({ sha }) => !known.has(sha))
  }
  const ahead = only(ofHead, ofBase).toReversed()
  const behind = only(ofBase, ofHead)
  const status =
    ahead.length === 0 ? (behind.length === 0 ? 'identical' : 'behind') : behind.length === 0 ? 'ahead' : 'diverged'
  const paged = query.has('page') || query.has('per_page')
  const page = paged
    ? numberedPage(request, ahead, NO_LIMIT, (commit) => commitJson(view, commit))
    : { status: 200, body: ahead.slice(-COMPARED_COMMITS).map((commit) => commitJson(view, commit)) }
  const api = apiUrlOf(view.urls, view.repository)
  const whole: GitCommit = { ...head, sha: `${merge.sha}...${head.sha}`, parents: [merge.sha] }
  const files = pageOf(query) > 1 ? undefined : listCommitFiles(git, whole).slice(0, view.world.settings.filesPerPage)
  return {
    ...page,
    body: {
      url: `${api}/compare/${baseName}...${headName}`,
      html_url: `${webUrlOf(view.urls, view.repository)}/compare/${baseName}...${headName}`,
      base_commit: commitJson(view, base),
      merge_base_commit: commitJson(view, merge),
      status,
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      commits: page.body,
      ...(files !== undefined && { files: files.map((file) => fileJson(view, head.sha, file)) }),
    },
  }
}

export const COMMIT_ROUTES: readonly Route[] = [
  { path: 'commits', permissions: ['contents'], answer: listCommits },
  { path: 'commits/*', permissions: ['contents'], answer: getCommit },
  { path: 'compare/*', permissions: ['contents'], answer: compare },
]
