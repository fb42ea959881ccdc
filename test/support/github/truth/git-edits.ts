/** Edits of git: commits, branches, tags. Pushes move the pull requests whose heads they are. */
import { pullJson, type Json } from '../server/rest/rest-json.ts'
import { webUrlOf } from '../server/urls.ts'
import { listCommitFiles } from './commit-files.ts'
import { deliver, need, touch, type EditContext } from './edit-context.ts'
import type { EditOf, EditResult, FileContent } from './edit.ts'
import {
  findMergeBase,
  headOf,
  listAncestors,
  listFiles,
  NO_COMMIT,
  putBlob,
  putCommit,
  putTag,
  putTree,
  resolveCommit,
  type GitCommit,
  type GitFile,
  type GitPerson,
} from './git-store.ts'
import { toTime, type Thread } from './world.ts'

/** Commits that a push's payload names at most. */
const PAYLOAD_COMMITS = 2048

function personOf(login: string, dateMs: number): GitPerson {
  const name = login.charAt(0).toUpperCase() + login.slice(1)
  return { name, email: `${login}@example.com`, dateMs, login }
}

export function commit(context: EditContext, edit: EditOf<'commit'>): EditResult {
  const { repository, nowMs } = context
  const { git } = repository
  const branch = edit.branch ?? repository.defaultBranch
  const head = headOf(git, branch)
  const parents = (edit.parents ?? (head === undefined ? [] : [head])).map((name) =>
    need(resolveCommit(git, name), `commit ${name}`),
  )
  const first = git.commits.get(parents[0] ?? '')
  const files = first === undefined ? new Map<string, GitFile>() : listFiles(git, first.tree)
  for (const [path, content] of Object.entries(edit.files)) {
    if (content === null) files.delete(path)
    else files.set(path, toFile(context, content))
  }
  const author = edit.author ?? context.by
  const committedMs = edit.committedMs ?? nowMs
  const sha = putCommit(git, {
    tree: putTree(git, files),
    parents,
    message: edit.message,
    author: personOf(author, edit.authoredMs ?? committedMs),
    committer: personOf(author, committedMs),
  })
  moveBranch(context, branch, sha)
  return { sha }
}

function toFile({ repository }: EditContext, content: FileContent | string): GitFile {
  const { text, base64, submodule, mode }: FileContent = typeof content === 'string' ? { text: content } : content
  if (submodule !== undefined) return { sha: submodule, mode: '160000' }
  const bytes = base64 === undefined ? (text ?? '') : new Uint8Array(Buffer.from(base64, 'base64'))
  return { sha: putBlob(repository.git, bytes), mode: mode ?? '100644' }
}

/** The files of the second branch win over the first's. */
function putMerge(context: EditContext, into: string, from: string, message: string, parents: string[]): string {
  const { git } = context.repository
  const filesOf = (sha: string): Map<string, GitFile> => listFiles(git, git.commits.get(sha)?.tree ?? '')
  const base = findMergeBase(git, into, from)
  const before = base === undefined ? new Map<string, GitFile>() : filesOf(base)
  const files = filesOf(into)
  const theirs = filesOf(from)
  for (const [path, file] of theirs) if (before.get(path)?.sha !== file.sha) files.set(path, file)
  for (const path of before.keys()) if (!theirs.has(path)) files.delete(path)
  const person = personOf(context.by, context.nowMs)
  return putCommit(git, { tree: putTree(git, files), parents, message, author: person, committer: person })
}

export function mergeBranch(context: EditContext, edit: EditOf<'merge_branch'>): EditResult {
  const { git, defaultBranch } = context.repository
  const branch = edit.branch ?? defaultBranch
  const into = need(headOf(git, branch), `branch ${branch}`)
  const from = need(resolveCommit(git, edit.from), `commit ${edit.from}`)
  const sha = putMerge(context, into, from, edit.message ?? `Merge branch '${edit.from}'`, [into, from])
  moveBranch(context, branch, sha)
  return { sha }
}

/** The commit that merging a pull request makes; undefined in a repository without commits. */
export function mergeCommit(context: EditContext, thread: Thread, method: 'merge' | 'squash'): string | undefined {
  const { repository } = context
  const into = headOf(repository.git, thread.baseRef)
  const from = resolveCommit(repository.git, thread.headSha)
  if (into === undefined || from === undefined) return undefined
  const sha =
    method === 'squash'
      ? putMerge(context, into, from, `${thread.title} (#${thread.number})`, [into])
      : putMerge(
          context,
          into,
          from,
          `Merge pull request #${thread.number} from ${repository.owner}/${thread.headRef}\n\n${thread.title}`,
          [into, from],
        )
  moveBranch(context, thread.baseRef, sha)
  return sha
}

export function pushBranch(context: EditContext, edit: EditOf<'push_branch'>): EditResult {
  const sha = need(resolveCommit(context.repository.git, edit.to), `commit ${edit.to}`)
  moveBranch(context, edit.branch, sha)
  return { sha }
}

function moveBranch(context: EditContext, branch: string, sha: string): void {
  const { repository, nowMs } = context
  const before = headOf(repository.git, branch)
  if (before === sha) return
  repository.git.refs.set(`refs/heads/${branch}`, sha)
  repository.pushedMs = nowMs
  deliverPush(context, `refs/heads/${branch}`, before, sha)
  for (const thread of repository.threads.values()) {
    if (thread.kind !== 'pull_request' || thread.headRef !== branch || thread.state !== 'open') continue
    const { headSha } = thread
    thread.headSha = sha
    touch(context, thread)
    for (const comment of repository.reviewComments.values()) {
      if (comment.number !== thread.number) continue
      // As after a change of the commented lines: the comment is outdated.
      comment.commitSha = sha
      comment.line = null
    }
    const pull_request = pullJson(context, thread)
    deliver(context, 'pull_request', 'synchronize', {
      number: thread.number,
      before: headSha,
      after: sha,
      pull_request,
    })
  }
}

function deliverPush(context: EditContext, ref: string, before: string | undefined, after: string | undefined): void {
  const { repository, urls } = context
  // The commits of a push take long to find where many are made.
  if (!context.world.settings.deliveries) return
  const { git } = repository
  const old = new Set(before === undefined ? [] : listAncestors(git, before).map(({ sha }) => sha))
  const ahead = after === undefined ? [] : listAncestors(git, after)
  const fresh = ahead.filter(({ sha }) => !old.has(sha))
  const commits = fresh
    .slice(0, PAYLOAD_COMMITS)
    .toReversed()
    .map((one) => pushedCommit(context, one))
  const forced = before !== undefined && after !== undefined && !ahead.some(({ sha }) => sha === before)
  deliver(context, 'push', undefined, {
    ref,
    before: before ?? NO_COMMIT,
    after: after ?? NO_COMMIT,
    base_ref: null,
    created: before === undefined,
    deleted: after === undefined,
    forced,
    compare: `${webUrlOf(urls, repository)}/compare/${before ?? ''}...${after ?? ''}`,
    commits,
    head_commit: after === undefined ? null : (commits.at(-1) ?? null),
    pusher: { name: context.by, email: `${context.by}@example.com` },
  })
}

function pushedCommit({ repository, urls }: EditContext, commit: GitCommit): Json {
  const files = listCommitFiles(repository.git, commit)
  const pathsOf = (...states: string[]): string[] =>
    files.filter(({ status }) => states.includes(status)).map(({ path }) => path)
  const person = ({ name, email, login }: GitPerson): Json => ({ name, email, username: login })
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: toTime(commit.committer.dateMs),
    url: `${webUrlOf(urls, repository)}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    added: pathsOf('added', 'renamed'),
    removed: pathsOf('removed'),
    modified: pathsOf('modified', 'changed'),
  }
}

export function deleteBranch(context: EditContext, edit: EditOf<'delete_branch'>): EditResult {
  const { git } = context.repository
  const before = need(headOf(git, edit.branch), `branch ${edit.branch}`)
  git.refs.delete(`refs/heads/${edit.branch}`)
  deliverPush(context, `refs/heads/${edit.branch}`, before, undefined)
  return {}
}

/** Makes or moves a tag. */
export function tag(context: EditContext, edit: EditOf<'tag'>): EditResult {
  const { git } = context.repository
  const target = need(resolveCommit(git, edit.to), `commit ${edit.to}`)
  const sha = edit.message === undefined ? target : putTag(git, edit.tag, target, edit.message)
  const before = git.refs.get(`refs/tags/${edit.tag}`)
  git.refs.set(`refs/tags/${edit.tag}`, sha)
  deliverPush(context, `refs/tags/${edit.tag}`, before, target)
  return { sha }
}

export function deleteTag(context: EditContext, edit: EditOf<'delete_tag'>): EditResult {
  const { git } = context.repository
  const before = need(git.refs.get(`refs/tags/${edit.tag}`), `tag ${edit.tag}`)
  git.refs.delete(`refs/tags/${edit.tag}`)
  deliverPush(context, `refs/tags/${edit.tag}`, before, undefined)
  return {}
}
