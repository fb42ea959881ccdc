/** The truth as JSON of the REST API. Webhook payloads hold the same objects. */
import {
  fullNameOf,
  personOf,
  toTime,
  type IssueComment,
  type Label,
  type Milestone,
  type Release,
  type Repository,
  type Review,
  type ReviewComment,
  type Thread,
  type World,
} from '../../truth/world.ts'
import { NO_COMMIT, resolveCommit } from '../../truth/git-store.ts'
import { apiUrlOf, encodePath, webUrlOf, type Urls } from '../urls.ts'

export type Json = Readonly<Record<string, unknown>>

/** A repository as seen through the addresses of its server. */
export interface View {
  readonly world: World
  readonly urls: Urls
  readonly repository: Repository
}

export function toNodeId(kind: string, id: number): string {
  return `${kind}_${Buffer.from(String(id)).toString('base64url')}`
}

function time(ms: number | null): string | null {
  return ms === null ? null : toTime(ms)
}

export function userJson({ world, urls }: Omit<View, 'repository'>, login: string | null): Json | null {
  if (login === null) return null
  const { id, type } = personOf(world, login)
  const page = type === 'Bot' ? `apps/${login.replace(/\[bot\]$/, '')}` : login
  return {
    login,
    id,
    node_id: toNodeId(type === 'Bot' ? 'BOT' : 'U', id),
    avatar_url: `${urls.server}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url: `${urls.api}/users/${encodeURIComponent(login)}`,
    html_url: `${urls.server}/${page}`,
    type,
    user_view_type: 'public',
    site_admin: false,
  }
}

export function repositoryJson(view: View): Json {
  const { repository } = view
  const open = [...repository.threads.values()].filter(({ state }) => state === 'open').length
  return {
    id: repository.id,
    node_id: toNodeId('R', repository.id),
    name: repository.name,
    full_name: fullNameOf(repository),
    private: repository.private,
    owner: userJson(view, repository.owner),
    html_url: webUrlOf(view.urls, repository),
    description: null,
    fork: false,
    url: apiUrlOf(view.urls, repository),
    created_at: toTime(repository.createdMs),
    updated_at: toTime(repository.updatedMs),
    pushed_at: toTime(repository.pushedMs),
    clone_url: `${webUrlOf(view.urls, repository)}.git`,
    homepage: null,
    size: repository.git.blobs.size,
    stargazers_count: 0,
    language: null,
    has_issues: repository.hasIssues,
    has_projects: true,
    has_downloads: true,
    has_wiki: repository.hasWiki,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    archived: repository.archived,
    disabled: false,
    open_issues_count: open,
    license: null,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    default_branch: repository.defaultBranch,
  }
}

export function labelJson({ urls, repository }: View, { id, name }: Label): Json {
  const url = `${apiUrlOf(urls, repository)}/labels/${encodeURIComponent(name)}`
  return { id, node_id: toNodeId('LA', id), url, name, color: 'ededed', default: false, description: null }
}

export function milestoneJson(view: View, { number, id, title }: Milestone): Json {
  const url = `${apiUrlOf(view.urls, view.repository)}/milestones/${number}`
  return {
    url,
    html_url: `${webUrlOf(view.urls, view.repository)}/milestone/${number}`,
    id,
    node_id: toNodeId('MI', id),
    number,
    title,
    description: null,
    creator: userJson(view, view.repository.owner),
    state: 'open',
    created_at: toTime(view.repository.createdMs),
    updated_at: toTime(view.repository.createdMs),
    due_on: null,
    closed_at: null,
  }
}

/** The fields of issues and of pull requests. */
function threadJson(view: View, thread: Thread): Json {
  const { repository } = view
  const milestone = repository.milestones.get(thread.milestone ?? 0)
  const assignees = thread.assignees.map((login) => userJson(view, login))
  return {
    id: thread.id,
    node_id: toNodeId(thread.kind === 'issue' ? 'I' : 'PR', thread.id),
    number: thread.number,
    title: thread.title,
    user: userJson(view, thread.author),
    labels: thread.labels.flatMap((id) => repository.labels.get(id) ?? []).map((label) => labelJson(view, label)),
    state: thread.state,
    locked: false,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: milestone === undefined ? null : milestoneJson(view, milestone),
    created_at: toTime(thread.createdMs),
    updated_at: toTime(thread.updatedMs),
    closed_at: time(thread.closedMs),
    author_association: thread.association,
    active_lock_reason: null,
    body: thread.body,
  }
}

function countOf(list: Iterable<{ readonly number: number }>, wanted: number): number {
  let count = 0
  for (const { number } of list) if (number === wanted) count++
  return count
}

/** As `GET /issues` gives issues and pull requests. */
export function issueJson(view: View, thread: Thread): Json {
  const url = `${apiUrlOf(view.urls, view.repository)}/issues/${thread.number}`
  const web = `${webUrlOf(view.urls, view.repository)}`
  const isPull = thread.kind === 'pull_request'
  const comments = countOf(view.repository.comments.values(), thread.number)
  return {
    url,
    repository_url: apiUrlOf(view.urls, view.repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${web}/${isPull ? 'pull' : 'issues'}/${thread.number}`,
    ...threadJson(view, thread),
    comments,
    state_reason: thread.state === 'closed' && !isPull ? 'completed' : null,
    ...(isPull && {
      draft: thread.draft,
      pull_request: {
        url: `${apiUrlOf(view.urls, view.repository)}/pulls/${thread.number}`,
        html_url: `${web}/pull/${thread.number}`,
        diff_url: `${web}/pull/${thread.number}.diff`,
        patch_url: `${web}/pull/${thread.number}.patch`,
        merged_at: time(thread.mergedMs),
      },
    }),
  }
}

/** As `GET /pulls/{number}` gives it; the list omits what is counted (`whole: false`). */
export function pullJson(view: View, thread: Thread, whole = true): Json {
  const { repository } = view
  const url = `${apiUrlOf(view.urls, repository)}/pulls/${thread.number}`
  const web = `${webUrlOf(view.urls, repository)}/pull/${thread.number}`
  const branch = (ref: string, sha: string): Json => ({
    label: `${repository.owner}:${ref}`,
    ref,
    sha,
    user: userJson(view, repository.owner),
    repo: repositoryJson(view),
  })
  const base = resolveCommit(repository.git, thread.baseRef) ?? NO_COMMIT
  return {
    url,
    html_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    issue_url: `${apiUrlOf(view.urls, repository)}/issues/${thread.number}`,
    ...threadJson(view, thread),
    merged_at: time(thread.mergedMs),
    merge_commit_sha: thread.mergeSha,
    requested_reviewers: [],
    requested_teams: [],
    head: branch(thread.headRef, thread.headSha),
    base: branch(thread.baseRef, base),
    draft: thread.draft,
    ...(whole && {
      merged: thread.mergedMs !== null,
      mergeable: null,
      mergeable_state: 'unknown',
      merged_by: thread.mergedMs === null ? null : userJson(view, repository.owner),
      comments: countOf(repository.comments.values(), thread.number),
      review_comments: countOf(repository.reviewComments.values(), thread.number),
      maintainer_can_modify: false,
      commits: 1,
      additions: 1,
      deletions: 0,
      changed_files: 1,
    }),
  }
}

export function commentJson(view: View, comment: IssueComment): Json {
  const api = apiUrlOf(view.urls, view.repository)
  const thread = view.repository.threads.get(comment.number)
  const page = thread?.kind === 'pull_request' ? 'pull' : 'issues'
  return {
    url: `${api}/issues/comments/${comment.id}`,
    html_url: `${webUrlOf(view.urls, view.repository)}/${page}/${comment.number}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${comment.number}`,
    id: comment.id,
    node_id: toNodeId('IC', comment.id),
    user: userJson(view, comment.author),
    created_at: toTime(comment.createdMs),
    updated_at: toTime(comment.updatedMs),
    author_association: comment.association,
    body: comment.body,
    performed_via_github_app: null,
  }
}

/** REST: upper-case states and no time of update. `asEvent`: as webhooks give it. */
export function reviewJson(view: View, review: Review, asEvent = false): Json {
  const url = `${apiUrlOf(view.urls, view.repository)}/pulls/${review.number}`
  const web = `${webUrlOf(view.urls, view.repository)}/pull/${review.number}#pullrequestreview-${review.id}`
  return {
    id: review.id,
    node_id: toNodeId('PRR', review.id),
    user: userJson(view, review.author),
    // Without words REST says "" and webhooks say null.
    body: asEvent && review.body === '' ? null : review.body,
    state: asEvent ? review.state.toLowerCase() : review.state,
    html_url: web,
    pull_request_url: url,
    author_association: review.association,
    _links: { html: { href: web }, pull_request: { href: url } },
    ...(review.submittedMs !== null && { submitted_at: toTime(review.submittedMs) }),
    ...(asEvent && { updated_at: toTime(review.updatedMs) }),
    commit_id: review.commitSha,
  }
}

export function reviewCommentJson(view: View, comment: ReviewComment): Json {
  const api = apiUrlOf(view.urls, view.repository)
  const web = `${webUrlOf(view.urls, view.repository)}/pull/${comment.number}#discussion_r${comment.id}`
  const pull = `${api}/pulls/${comment.number}`
  return {
    url: `${api}/pulls/comments/${comment.id}`,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: toNodeId('PRRC', comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    commit_id: comment.commitSha,
    original_commit_id: comment.originalCommitSha,
    user: userJson(view, comment.author),
    body: comment.body,
    created_at: toTime(comment.createdMs),
    updated_at: toTime(comment.updatedMs),
    html_url: web,
    pull_request_url: pull,
    author_association: comment.association,
    _links: {
      self: { href: `${api}/pulls/comments/${comment.id}` },
      html: { href: web },
      pull_request: { href: pull },
    },
    start_line: null,
    original_start_line: null,
    start_side: null,
    line: comment.line,
    original_line: comment.originalLine,
    side: 'RIGHT',
    position: comment.line,
    original_position: 1,
    subject_type: 'line',
  }
}

export function releaseJson(view: View, release: Release): Json {
  const { repository } = view
  const url = `${apiUrlOf(view.urls, repository)}/releases/${release.id}`
  const page = release.draft ? `untagged-${release.id}` : encodePath(release.tag)
  const tagged = resolveCommit(repository.git, `refs/tags/${release.tag}`) ?? ''
  const madeMs = repository.git.commits.get(tagged)?.committer.dateMs ?? release.createdMs
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    html_url: `${webUrlOf(view.urls, repository)}/releases/tag/${page}`,
    id: release.id,
    author: userJson(view, release.author),
    node_id: toNodeId('RE', release.id),
    tag_name: release.tag,
    target_commitish: release.target,
    name: release.name,
    draft: release.draft,
    immutable: false,
    prerelease: release.prerelease,
    // The time of the tagged commit, as GitHub has it.
    created_at: toTime(madeMs),
    updated_at: toTime(release.updatedMs),
    published_at: time(release.publishedMs),
    assets: [],
    tarball_url: `${apiUrlOf(view.urls, repository)}/tarball/${encodePath(release.tag)}`,
    zipball_url: `${apiUrlOf(view.urls, repository)}/zipball/${encodePath(release.tag)}`,
    body: release.body,
  }
}
