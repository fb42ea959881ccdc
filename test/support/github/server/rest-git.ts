/** REST routes of git: commits, comparisons, trees, blobs, refs and contents. */
import { listCommitFiles, type CommitFile } from '../truth/commit-files.ts'
import {
  findMergeBase,
  headOf,
  listAncestors,
  listFiles,
  resolveCommit,
  type GitCommit,
  type GitPerson,
  type GitStore,
} from '../truth/git-store.ts'
import { toTime } from '../truth/world.ts'
import { numberedPage, pageOf, perPageOf } from './lists.ts'
import { NOT_FOUND, restError, type RestReply } from './reply.ts'
import { userJson, type Json, type View } from './rest-json.ts'
import type { RestRequest, Route } from './rest-threads.ts'
import { apiUrlOf, encodePath, webUrlOf } from './urls.ts'

const EMPTY = restError(409, 'Git Repository is empty.')
/** Commits of a comparison that is not asked for by pages, and files that a commit lists at most. */
const COMPARED_COMMITS = 250
const LISTED_FILES = 3000
const ENCODED_BYTES = 1_000_000
const LARGEST_BLOB_BYTES = 100_000_000
const NO_LIMIT = { maxListedItems: Infinity, beyondList: 'ends' } as const

function isEmpty({ commits, refs }: GitStore): boolean {
  return commits.size === 0 || refs.size === 0
}

function commitJson(view: View, commit: GitCommit): Json {
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

/** The object at a path, and its mode. */
function findEntry(git: GitStore, tree: string, path: string): string | undefined {
  const parts = path.split('/').filter(Boolean)
  const last = parts.pop()
  let at = tree
  for (const part of parts) at = git.trees.get(at)?.find(({ name }) => name === part)?.sha ?? ''
  const entry = git.trees.get(at)?.find(({ name }) => name === last)
  return entry === undefined ? undefined : `${entry.mode} ${entry.sha}`
}

/** As `git log -- PATH`: a merge counts when the path differs from all its parents. */
export function touches(git: GitStore, commit: GitCommit, path: string): boolean {
  const at = (sha: string | undefined): string | undefined =>
    findEntry(git, git.commits.get(sha ?? '')?.tree ?? '', path)
  const here = at(commit.sha)
  const before = commit.parents.length === 0 ? [undefined] : commit.parents.map(at)
  return before.every((one) => one !== here)
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

function getTree({ view, parts, query }: RestRequest): RestReply {
  const { git } = view.repository
  const api = apiUrlOf(view.urls, view.repository)
  if (isEmpty(git)) return EMPTY
  const name = parts.slice(2).join('/')
  const commit = resolveCommit(git, name)
  const tree = git.commits.get(commit ?? '')?.tree ?? name
  const entries = git.trees.get(tree)
  if (entries === undefined) return NOT_FOUND
  const recursive = query.has('recursive')
  const listed = listEntries(git, tree, recursive).map(({ mode, sha, path }) => {
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob'
    const size = type === 'blob' ? { size: git.blobs.get(sha)?.length ?? 0 } : {}
    // A submodule's commit is in another repository and has no address here.
    return { path, mode, type, sha, ...size, ...(type !== 'commit' && { url: `${api}/git/${type}s/${sha}` }) }
  })
  const truncated = view.world.settings.truncateTrees && recursive
  return {
    status: 200,
    body: {
      sha: commit ?? tree,
      url: `${api}/git/trees/${commit ?? tree}`,
      tree: truncated ? listed.slice(0, Math.ceil(listed.length / 2)) : listed,
      truncated,
    },
  }
}

function listEntries(
  git: GitStore,
  tree: string,
  recursive: boolean,
  prefix = '',
): { path: string; mode: string; sha: string }[] {
  return (git.trees.get(tree) ?? []).flatMap(({ name, mode, sha }) => [
    { path: prefix + name, mode, sha },
    ...(recursive && mode === '040000' ? listEntries(git, sha, true, `${prefix}${name}/`) : []),
  ])
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/.{60}/g, '$&\n') + '\n'
}

function getBlob({ view, parts, accept }: RestRequest): RestReply {
  const sha = parts[2] ?? ''
  const bytes = view.repository.git.blobs.get(sha)
  if (bytes === undefined) return NOT_FOUND
  if (bytes.length > LARGEST_BLOB_BYTES) return restError(403, 'This API returns blobs up to 100 MB in size.')
  if (accept.includes('raw'))
    return { status: 200, text: bytes, headers: { 'content-type': 'application/octet-stream' } }
  const url = `${apiUrlOf(view.urls, view.repository)}/git/blobs/${sha}`
  const body = { sha, node_id: `B_${sha}`, size: bytes.length, url, content: toBase64(bytes), encoding: 'base64' }
  return { status: 200, body }
}

function refJson(view: View, ref: string, sha: string): Json {
  const api = apiUrlOf(view.urls, view.repository)
  const type = view.repository.git.tags.has(sha) ? 'tag' : 'commit'
  const object = { type, sha, url: `${api}/git/${type}s/${sha}` }
  return { ref, node_id: `REF_${Buffer.from(ref).toString('base64url')}`, url: `${api}/git/${encodePath(ref)}`, object }
}

function getRef({ view, parts }: RestRequest): RestReply {
  const { git } = view.repository
  if (isEmpty(git)) return EMPTY
  const ref = `refs/${parts.slice(2).join('/')}`
  const sha = git.refs.get(ref)
  return sha === undefined ? NOT_FOUND : { status: 200, body: refJson(view, ref, sha) }
}

function matchRefs(request: RestRequest): RestReply {
  const { view, parts } = request
  const { git } = view.repository
  if (isEmpty(git)) return EMPTY
  const start = `refs/${parts.slice(2).join('/')}`
  const refs = [...git.refs].filter(([ref]) => ref.startsWith(start)).sort(([a], [b]) => (a < b ? -1 : 1))
  return { status: 200, body: refs.map(([ref, sha]) => refJson(view, ref, sha)) }
}

function getTag({ view, parts }: RestRequest): RestReply {
  const tag = view.repository.git.tags.get(parts[2] ?? '')
  if (tag === undefined) return NOT_FOUND
  const url = `${apiUrlOf(view.urls, view.repository)}/git/commits/${tag.target}`
  return { status: 200, body: { sha: tag.sha, message: tag.message, object: { sha: tag.target, type: 'commit', url } } }
}

function listTags(request: RestRequest): RestReply {
  const { view } = request
  const { git } = view.repository
  const api = apiUrlOf(view.urls, view.repository)
  const tags = [...git.refs].filter(([ref]) => ref.startsWith('refs/tags/')).sort(([a], [b]) => (a < b ? 1 : -1))
  return numberedPage(request, tags, NO_LIMIT, ([ref, object]) => {
    const name = ref.slice('refs/tags/'.length)
    const sha = git.tags.get(object)?.target ?? object
    const archive = (kind: string): string => `${api}/${kind}/refs/tags/${encodePath(name)}`
    const commit = { sha, url: `${api}/commits/${sha}` }
    return { name, commit, zipball_url: archive('zipball'), tarball_url: archive('tarball'), node_id: `REF_${ref}` }
  })
}

function branchJson(view: View, name: string, sha: string): Json | undefined {
  const commit = view.repository.git.commits.get(sha)
  return commit === undefined ? undefined : { name, commit: commitJson(view, commit), protected: false }
}

function getBranch({ view, parts }: RestRequest): RestReply {
  const name = parts.slice(1).join('/')
  const body = branchJson(view, name, headOf(view.repository.git, name) ?? '')
  return body === undefined ? restError(404, 'Branch not found') : { status: 200, body }
}

function listBranches(request: RestRequest): RestReply {
  const { view } = request
  const { git } = view.repository
  const branches = [...git.refs].filter(([ref]) => ref.startsWith('refs/heads/')).sort(([a], [b]) => (a < b ? -1 : 1))
  return numberedPage(request, branches, NO_LIMIT, ([ref, sha]) => {
    const url = `${apiUrlOf(view.urls, view.repository)}/commits/${sha}`
    return { name: ref.slice('refs/heads/'.length), commit: { sha, url }, protected: false }
  })
}

function getContents({ view, parts, query, accept }: RestRequest): RestReply {
  const { git, defaultBranch } = view.repository
  if (isEmpty(git)) return restError(404, 'This repository is empty.')
  const ref = query.get('ref') ?? defaultBranch
  const commit = git.commits.get(resolveCommit(git, ref) ?? '')
  if (commit === undefined) return restError(404, `No commit found for the ref ${ref}`)
  const path = parts.slice(1).join('/')
  const api = `${apiUrlOf(view.urls, view.repository)}`
  const files = listFiles(git, commit.tree)
  const describe = (name: string, sha: string): Json => ({
    name: name.slice(name.lastIndexOf('/') + 1),
    path: name,
    sha,
    size: git.blobs.get(sha)?.length ?? 0,
    url: `${api}/contents/${encodePath(name)}?ref=${ref}`,
    html_url: `${webUrlOf(view.urls, view.repository)}/blob/${ref}/${encodePath(name)}`,
    git_url: `${api}/git/blobs/${sha}`,
    type: 'file',
  })
  const file = files.get(path)
  if (file === undefined) {
    const below = [...files].filter(([name]) => path === '' || name.startsWith(`${path}/`))
    const depth = path === '' ? 1 : path.split('/').length + 1
    const direct = below.filter(([name]) => name.split('/').length === depth)
    return below.length === 0 ? NOT_FOUND : { status: 200, body: direct.map(([name, { sha }]) => describe(name, sha)) }
  }
  const bytes = git.blobs.get(file.sha) ?? new Uint8Array()
  if (accept.includes('raw')) return { status: 200, text: bytes }
  const small = bytes.length <= ENCODED_BYTES
  const content = small ? { encoding: 'base64', content: toBase64(bytes) } : { encoding: 'none', content: '' }
  return { status: 200, body: { ...describe(path, file.sha), ...content } }
}

const route = (path: string, answer: Route['answer']): Route => ({ path, permissions: ['contents'], answer })

export const GIT_ROUTES: readonly Route[] = [
  route('commits', listCommits),
  route('commits/*', getCommit),
  route('compare/*', compare),
  route('git/trees/*', getTree),
  route('git/blobs/:sha', getBlob),
  route('git/ref/*', getRef),
  route('git/matching-refs/*', matchRefs),
  route('git/tags/:sha', getTag),
  route('tags', listTags),
  route('branches', listBranches),
  route('branches/*', getBranch),
  route('contents', getContents),
  route('contents/*', getContents),
]
