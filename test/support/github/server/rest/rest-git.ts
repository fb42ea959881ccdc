/** REST routes of git's other objects: trees, blobs, refs and contents. */
import { headOf, listFiles, resolveCommit, type GitStore } from '../../truth/git-store.ts'
import { commitJson, EMPTY, isEmpty, NO_LIMIT } from './rest-commits.ts'
import { numberedPage } from './lists.ts'
import { NOT_FOUND, restError, type RestReply } from '../reply.ts'
import { type Json, type View } from './rest-json.ts'
import type { RestRequest, Route } from './rest-threads.ts'
import { apiUrlOf, encodePath, webUrlOf } from '../urls.ts'

const ENCODED_BYTES = 1_000_000
const LARGEST_BLOB_BYTES = 100_000_000

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
