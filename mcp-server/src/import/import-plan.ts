/**
 * The plan of one import: what is to be read, how much it is, and in which
 * order; documents, wiki and tags before commits.
 */
import type { DocumentChange } from '../../../src/documents/document.ts'
import { ok, type Result } from '../../../src/base/result.ts'
import type { Origin } from '../git/git-documents.ts'
import { findCommits, listLost, listTags } from '../git/git-reader.ts'
import { webPages } from '../git/remote.ts'
import { DOCS, WIKI, type TreeKind } from '../git/git-tree.ts'
import type { AdminClient } from '../admin-client.ts'
import type { Checkout, GitCheckout } from './checkout.ts'
import { planCommits, type CommitPlan } from './commits-plan.ts'
import { readCommits } from './commits-step.ts'
import { toPageLine } from './page-line.ts'
import type { PageItem } from './page-batches.ts'
import type { ImportPosition } from './position.ts'
import { folderTree, gitTree, type SourceTree } from './source-tree.ts'
import { forgetsNames, planTags, type TagPlan } from './tags-step.ts'
import { planTree, type TreePlan } from './tree-step.ts'

export interface ImportRequest {
  readonly main: Checkout
  readonly wiki: Checkout | undefined
  readonly repo: string
  readonly sinceMs: number | undefined
  readonly allFiles: boolean
  readonly maxCommits: number
  readonly before: ImportPosition
  /** There when the index knows the repository: rows of earlier imports may be in. */
  readonly client?: AdminClient
}

export interface ImportPlan {
  readonly repo: string
  readonly total: number
  readonly notes: readonly string[]
  /** The first item is a page of its own without lines: it says how much there is before anything slow begins. */
  items(): AsyncGenerator<PageItem>
}

/** Whether the last run left nothing, and nothing has happened since. */
export async function isUpToDate(request: ImportRequest): Promise<boolean> {
  const { main, wiki, before } = request
  const [docs, pages] = await openTrees(request)
  if (!isIn(docs, before.docs) || (wiki !== undefined && !isIn(pages, before.wiki))) return false
  if (main.kind === 'folder') return true
  if (main.shallow !== before.shallow || before.ranges.length > 0 || before.drop.length > 0) return false
  const [tip, ...others] = before.tips
  if (tip !== main.head) return false
  // Another tip may have lost its branch.
  const stillLed = (await findCommits(main.run, others)).size === others.length
  if (!stillLed || (await listLost(main.run, others)).lost.length > 0) return false
  return planTags(await listTags(main.run), before.tags, originOf(request, main), true).work === 0
}

function isIn(tree: SourceTree | undefined, state: ImportPosition['docs']): boolean {
  return tree === undefined || (state?.at === tree.at && state.after === undefined)
}

export async function planImport(request: ImportRequest): Promise<Result<ImportPlan>> {
  const { main, repo, before, client, sinceMs } = request
  const origin = originOf(request, main)
  const git = main.kind === 'git' ? main : undefined
  const head = git?.head
  const commits = git === undefined || head === undefined ? undefined : await planCommits(git, head, before, sinceMs)
  const start = commits?.position ?? before
  const [docsTree, wikiTree] = await openTrees(request)
  const docs = await planOne(docsTree, start.docs, request)
  if (!docs.ok) return docs
  const wiki = await planOne(wikiTree, start.wiki, request)
  if (!wiki.ok) return wiki
  const tags = git === undefined ? [] : await listTags(git.run)
  const tagPlan = planTags(tags, start.tags, origin, client !== undefined)
  const parts = { docs: docs.value, wiki: wiki.value, tags: tagPlan, commits }
  const [work, all] = [workOf(parts), docs.value.files + wiki.value.files + tags.length + (commits?.total ?? 0)]
  return ok({
    repo,
    // Work on rows that go away is work too.
    total: Math.max(all, work),
    notes: forgetsNames(tagPlan.steps.at(-1)?.state)
      ? ['There are more tags than a position remembers; tags deleted later stay in the index.']
      : [],
    items: () => toItems(request, origin, start, parts, git),
  })
}

interface Parts {
  readonly docs: TreePlan
  readonly wiki: TreePlan
  readonly tags: TagPlan
  readonly commits: CommitPlan | undefined
}

function workOf({ docs, wiki, tags, commits }: Parts): number {
  return docs.work + wiki.work + tags.work + (commits?.work ?? 0)
}

async function* toItems(
  request: ImportRequest,
  origin: Origin,
  start: ImportPosition,
  parts: Parts,
  git: GitCheckout | undefined,
): AsyncGenerator<PageItem> {
  let position = start
  let left = workOf(parts)
  let commits = 0
  const item = (phase: PageItem['phase'], changes: readonly DocumentChange[], done: number): PageItem => {
    left -= done
    return { lines: changes.map(toPageLine), position, left, commits, phase }
  }
  yield { ...item('documents', [], 0), last: true }
  for await (const { changes, state } of parts.docs.steps()) {
    position = { ...position, docs: state }
    yield item('documents', changes, changes.length > 0 ? 1 : 0)
  }
  for await (const { changes, state } of request.wiki === undefined ? [] : parts.wiki.steps()) {
    position = { ...position, wiki: state }
    yield item('wiki', changes, changes.length > 0 ? 1 : 0)
  }
  // A folder has no tags: there is nothing of them to remember.
  for (const { changes, state, work } of git === undefined ? [] : parts.tags.steps) {
    position = { ...position, tags: state }
    yield item('releases', changes, work)
  }
  if (git === undefined || parts.commits === undefined) return
  // The plan's position is from before the documents; only what is said of commits counts from here on.
  const plan = { ...parts.commits, position }
  for await (const step of readCommits(git, plan, origin, request)) {
    position = step.position
    commits += step.commits
    yield item('commits', step.changes, step.commits)
  }
}

async function planOne(
  tree: SourceTree | undefined,
  state: ImportPosition['docs'],
  { client, repo }: ImportRequest,
): Promise<Result<TreePlan>> {
  if (tree === undefined) return ok({ files: 0, work: 0, steps: async function* () {} })
  const list = client === undefined ? undefined : () => client.listPaths(repo, tree.kind.type)
  return planTree(tree, state, list)
}

function openTrees(request: ImportRequest): Promise<[SourceTree | undefined, SourceTree | undefined]> {
  const { main, wiki } = request
  return Promise.all([
    openTree(main, DOCS, originOf(request, main)),
    wiki === undefined ? undefined : openTree(wiki, WIKI, originOf(request, main)),
  ])
}

async function openTree(checkout: Checkout, kind: TreeKind, origin: Origin): Promise<SourceTree | undefined> {
  if (checkout.kind === 'folder') return folderTree(checkout.folder, kind, origin)
  const { head, run } = checkout
  return head === undefined ? undefined : gitTree(run, head, kind, origin)
}

function originOf({ repo }: ImportRequest, main: Checkout): Origin {
  const pages = main.kind === 'git' ? webPages(main.remote, main.ref) : webPages(undefined, '')
  return { repository: { name: repo }, pages }
}
