/**
 * The documents that the index must have of a world: lines of the page schema, made from the
 * truth alone. A line has only what GitHub says of the document; an index may add
 * to it, such as the place of a release in the history. Values that do not exist
 * are absent. Private wikis are not readable, so they have no lines.
 */
import { createHash } from 'node:crypto'
import { parseAttributes } from '../../../../src/documents/paths/attribute-rules.ts'
import { EXCLUSION_ATTRIBUTES, findExclusion, packageFolderOf } from '../../../../src/documents/paths/excluded-paths.ts'
import {
  commentJson,
  issueJson,
  releaseJson,
  reviewCommentJson,
  reviewJson,
  type View,
} from '../server/rest/rest-json.ts'
import { encodePath, webUrlOf, type Urls } from '../server/urls.ts'
import { isBinary, listCommitFiles, type CommitFile } from './commit-files.ts'
import { headOf, listAncestors, listFiles, resolveCommit, touches } from './git-store.ts'
import {
  findRepository,
  fullNameOf,
  isBot,
  toTime,
  type Repository,
  type Thread,
  type World,
  type WrittenThing,
} from './world.ts'

export interface ExpectedOptions {
  /** `owner/name`; every repository if absent. */
  readonly repo?: string
  /** Whether reviews are read by GraphQL, which gives their time of update; true if absent. */
  readonly graphql?: boolean
}

export type ExpectedDocument = Readonly<Record<string, unknown>> & { readonly type: string; readonly repo: string }

export interface Expected {
  /** In the order of their types and identities. */
  readonly documents: readonly ExpectedDocument[]
  /**
   * Commits that the default branch does not lead to, but a pull request's head
   * or merge commit does: an index that once read them may have them still.
   */
  readonly heldCommits: readonly string[]
}

const DOC = /\.(?:md|mdx|rst|adoc|txt|org)$/i
const CJK = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/gu
const REFERENCE = /#\d+|\bv?\d+\.\d+|\b[0-9a-f]{7,40}\b|[\w.-]+\/[\w.-]+/
const LETTERS = 10
const CJK_LETTERS = 4

export function toExpectedDocuments(world: World, urls: Urls, options: ExpectedOptions = {}): Expected {
  const one = options.repo === undefined ? undefined : findRepository(world, options.repo)
  if (options.repo !== undefined && one === undefined) return { documents: [], heldCommits: [] }
  const repositories = one === undefined ? [...world.repositories.values()] : [one]
  const views = repositories.map((repository) => ({ world, urls, repository }))
  return {
    documents: views.flatMap((view) => documentsOf(view, options.graphql ?? true)),
    heldCommits: repositories.flatMap(listHeldCommits),
  }
}

function documentsOf(view: View, graphql: boolean): ExpectedDocument[] {
  const { repository } = view
  const common = { repo: fullNameOf(repository), repo_id: repository.id, repo_private: repository.private }
  const lines = [
    ...threads(view),
    ...issueComments(view),
    ...reviews(view, graphql),
    ...reviewComments(view),
    ...releases(view),
    ...docs(view),
    ...wikiPages(view),
    ...commits(view),
  ]
  return lines.map(([type, fields]) => ({ type, ...common, ...withoutEmpty(fields) }) as ExpectedDocument)
}

type Line = readonly [type: string, fields: Readonly<Record<string, unknown>>]

/** A body may be empty, other values are then absent. */
function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => name === 'body' || !isEmpty(value)))
}

function written(item: WrittenThing, url: unknown): Record<string, unknown> {
  return {
    body: item.body ?? '',
    author: item.author,
    author_association: item.association,
    url,
    created_at: toTime(item.createdMs),
    updated_at: toTime(item.updatedMs),
  }
}

function byId<Item extends { readonly id: number }>(items: ReadonlyMap<number, Item>): Item[] {
  return [...items.values()].sort((a, b) => a.id - b.id)
}

function threads(view: View): Line[] {
  const { repository } = view
  const all = [...repository.threads.values()].sort((a, b) => a.number - b.number)
  return all.map((thread: Thread): Line => {
    const isPull = thread.kind === 'pull_request'
    return [
      thread.kind,
      {
        number: thread.number,
        title: thread.title,
        state: thread.state,
        labels: thread.labels.flatMap((id) => repository.labels.get(id)?.name ?? []),
        milestone: repository.milestones.get(thread.milestone ?? 0)?.title,
        assignees: thread.assignees,
        ...(isPull && { merged: thread.mergedMs !== null, draft: thread.draft }),
        ...written(thread, issueJson(view, thread)['html_url']),
      },
    ]
  })
}

/** Whether a comment says nothing that a search could be for. */
function isNoise(body: string): boolean {
  if (REFERENCE.test(body)) return false
  const letters = body.match(/\p{L}/gu)?.length ?? 0
  const cjk = body.match(CJK)?.length ?? 0
  return letters < LETTERS && cjk < CJK_LETTERS
}

function isKept({ world }: View, { author, body }: WrittenThing): boolean {
  return !isBot(world, author) && !isNoise(body ?? '')
}

function issueComments(view: View): Line[] {
  return byId(view.repository.comments)
    .filter((comment) => isKept(view, comment))
    .map((item) => [
      'issue_comment',
      { comment_id: item.id, number: item.number, ...written(item, commentJson(view, item)['html_url']) },
    ])
}

function reviews(view: View, graphql: boolean): Line[] {
  return byId(view.repository.reviews).flatMap((item): Line[] => {
    if (item.submittedMs === null || isBot(view.world, item.author)) return []
    const times = { createdMs: item.submittedMs, updatedMs: graphql ? item.updatedMs : item.submittedMs }
    const fields = written({ ...item, ...times }, reviewJson(view, item)['html_url'])
    return [
      ['pr_review', { review_id: item.id, number: item.number, review_state: item.state.toLowerCase(), ...fields }],
    ]
  })
}

function reviewComments(view: View): Line[] {
  return byId(view.repository.reviewComments)
    .filter((item) => view.repository.reviews.get(item.reviewId)?.submittedMs !== null)
    .filter((item) => isKept(view, item))
    .map((item) => [
      'pr_review_comment',
      {
        comment_id: item.id,
        number: item.number,
        file_path: item.path,
        line: item.originalLine,
        commit_sha: item.originalCommitSha,
        diff_hunk: item.diffHunk,
        ...written(item, reviewCommentJson(view, item)['html_url']),
      },
    ])
}

function releases(view: View): Line[] {
  const { git } = view.repository
  return byId(view.repository.releases).flatMap((item): Line[] => {
    if (item.draft || item.publishedMs === null || isBot(view.world, item.author)) return []
    const { author_association: _, ...fields } = written(
      { ...item, createdMs: item.publishedMs },
      releaseJson(view, item)['html_url'],
    )
    const sha = resolveCommit(git, `refs/tags/${item.tag}`)
    return [
      ['release', { tag_name: item.tag, title: item.name, prerelease: item.prerelease, commit_sha: sha, ...fields }],
    ]
  })
}

/** Text files of the default branch; links and submodules are none. */
function docs({ repository, urls }: View): Line[] {
  const { git, defaultBranch } = repository
  const head = headOf(git, defaultBranch)
  const commit = git.commits.get(head ?? '')
  if (head === undefined || commit === undefined) return []
  const history = listAncestors(git, head)
  return [...listFiles(git, commit.tree)].sort(byPath).flatMap(([path, { sha, mode }]): Line[] => {
    if (!DOC.test(path) || !mode.startsWith('100') || isBinary(git, sha)) return []
    const last = history.find((one) => touches(git, one, path))?.committer.dateMs ?? 0
    const url = `${webUrlOf(urls, repository)}/blob/${encodePath(defaultBranch)}/${encodePath(path)}`
    const body = new TextDecoder().decode(git.blobs.get(sha))
    return [['doc', { doc_path: path, body, url, updated_at: toTime(last) }]]
  })
}

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function wikiPages({ repository, urls }: View): Line[] {
  if (repository.private || !repository.hasWiki) return []
  return [...repository.wiki.pages].sort(byPath).flatMap(([file, body]): Line[] => {
    const slug = file.replace(/\.[^.]+$/, '')
    if (/^_(?:Sidebar|Footer|Header)$/.test(slug)) return []
    return [['wiki_doc', { wiki_path: slug, body, url: `${webUrlOf(urls, repository)}/wiki/${encodePath(slug)}` }]]
  })
}

/** Each commit of the default branch, and the patches of those that are no merges. */
function commits(view: View): Line[] {
  const { git, defaultBranch } = view.repository
  const head = headOf(git, defaultBranch)
  if (head === undefined) return []
  const isExcluded = readExclusions(view.repository, head)
  return listAncestors(git, head).flatMap((commit): Line[] => {
    const files = listCommitFiles(git, commit)
    const isMerge = commit.parents.length > 1
    const { author, committer, sha } = commit
    const message = commit.message.trimEnd()
    const url = `${webUrlOf(view.urls, view.repository)}/commit/${sha}`
    const date = toTime(committer.dateMs)
    const names = { author: author.login ?? author.name, commit_author: author.name, author_email: author.email }
    const shared = { commit_sha: sha, message, ...names }
    const dates = { commit_date: date, created_at: date, updated_at: date }
    const own: Line = [
      'commit',
      {
        ...shared,
        ...dates,
        url,
        parents: commit.parents,
        ...(!isMerge && { files: files.flatMap(listedFiles) }),
      },
    ]
    if (isMerge) return [own]
    const diffs = files.filter(({ path }) => !isExcluded(path)).flatMap((file) => diffOf(view, file))
    return [
      own,
      ...diffs.map((fields): Line => [
        'diff',
        { ...fields, ...shared, ...dates, url: `${url}${fields.anchor}`, anchor: '' },
      ]),
    ]
  })
}

/** A renamed file is listed below both of its names. */
function listedFiles({ path, status, previousPath }: CommitFile): object[] {
  return [{ path, status }, ...(previousPath === undefined ? [] : [{ path: previousPath, status: 'removed' }])]
}

/** Nothing for a binary file, a pure rename and an empty file; a patch too long for GitHub is cut to nothing. */
function diffOf({ world }: View, file: CommitFile): { readonly anchor: string; readonly [field: string]: unknown }[] {
  if (file.patch === undefined) return []
  const withheld = Buffer.byteLength(file.patch) > world.settings.maxPatchBytes
  const anchor = `#diff-${createHash('sha256').update(file.path).digest('hex')}`
  const text = withheld ? { body: '', source_truncated: true } : { body: file.patch }
  return [{ file_path: file.path, file_status: file.status, ...text, anchor }]
}

function readExclusions({ git }: Repository, head: string): (path: string) => boolean {
  const files = listFiles(git, git.commits.get(head)?.tree ?? '')
  const attributeFiles = [...files]
    .filter(([path]) => /(?:^|\/)\.gitattributes$/.test(path))
    .map(([path, { sha }]) => ({ path, text: new TextDecoder().decode(git.blobs.get(sha)) }))
  const folders = new Set([...files.keys()].flatMap((path) => packageFolderOf(path) ?? []))
  const attributesOf = parseAttributes(attributeFiles, new Set(EXCLUSION_ATTRIBUTES))
  return (path) => findExclusion(path, attributesOf(path), folders) !== undefined
}

function listHeldCommits({ git, defaultBranch, threads }: Repository): string[] {
  const head = headOf(git, defaultBranch)
  const reached = new Set(head === undefined ? [] : listAncestors(git, head).map(({ sha }) => sha))
  const tips = [...threads.values()].flatMap(({ headSha, mergeSha }) => [headSha, mergeSha ?? headSha])
  const held = tips.filter((sha) => git.commits.has(sha)).flatMap((sha) => listAncestors(git, sha))
  return [...new Set(held.map(({ sha }) => sha))].filter((sha) => !reached.has(sha))
}
