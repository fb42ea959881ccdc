/**
 * The walk through the pages of a wiki: those that its list names, and those of
 * the index. Each page is read from its raw file, whose name is found by trying.
 * A row is removed only when none of the files that it could be is there.
 */
import type { DocumentChange } from '../../../documents/document.ts'
import { specOf } from '../../../documents/index.ts'
import { wikiSlugOf } from '../../../documents/paths/document-files.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { MAX_LISTED_PAGES, MAX_STEP_BYTES } from '../../limits.ts'
import { toRepositoryName, webPage } from '../trees/step-results.ts'
import type { ComparedRow } from '../../../index/ingestion/compared-rows.ts'
import type { Step, SurfaceContext } from '../surface.ts'
import { toBounded } from '../trees/blob-text.ts'
import { listPageNames, toFileNames, type PageNames } from './wiki-list.ts'

/** Requests for pages in one step. */
const REQUESTS_AT_ONCE = 20

/** A page to read. */
interface WikiPage {
  readonly names: PageNames
  /** The slug of its row, if the index has it. */
  readonly row?: string
  /** The file it was read from, and the ETag of that. */
  readonly file?: string
  readonly etag?: string
  /** File names that are not there. */
  readonly tried?: number
}

interface WikiWalk {
  /** Of the wiki's git repository. */
  readonly head: string
  readonly todo: readonly WikiPage[]
  /** Pages up to this one are read or in `todo`; absent before the list is read. */
  readonly after?: string
  /** The list has no page after those in `todo`. */
  readonly listed?: boolean
  readonly done: number
}

export interface WikiPosition {
  /** Read to its end. */
  readonly head?: string
  readonly walk?: WikiWalk
}

type WalkingWiki = WikiPosition & { readonly walk: WikiWalk }

/** `no_list` when GitHub has no list of pages. */
export async function walkWiki(
  context: SurfaceContext,
  position: WalkingWiki,
): Promise<GitHubResult<Step> | 'no_list'> {
  if (position.walk.todo.length > 0) return readPages(context, position)
  const list = await context.github.readWikiPageList()
  if (!list.ok) return list
  return list.value === undefined ? 'no_list' : listPages(context, position, list.value)
}

/** Goes on with a wiki that is there but has no list, as one whose last page was deleted: each row is proven by itself. */
export function walkUnlistedWiki(context: SurfaceContext, position: WalkingWiki): Promise<GitHubResult<Step>> {
  return listPages(context, position, '')
}

function toStep(
  position: WikiPosition,
  walk: WikiWalk,
  changes: readonly DocumentChange[],
  checked = 0,
): GitHubResult<Step> {
  const { walk: _walk, ...rest } = position
  const ended = walk.listed === true && walk.todo.length === 0
  const next = ended ? { ...rest, head: walk.head } : { ...rest, walk }
  return { ok: true, value: { changes, position: next, ended, done: walk.done, checked } }
}

async function listPages(context: SurfaceContext, position: WalkingWiki, html: string): Promise<GitHubResult<Step>> {
  const { walk } = position
  const rows = await context.rows.listAll('wiki_doc')
  const stored = new Set(rows.map(slugOfRow))
  // A server may be below a path.
  const listed = listPageNames(html, new URL(webPage(context, '')).pathname.slice(1, -1))
  const isStored = ([name = '']: PageNames): boolean => stored.has(wikiSlugOf(`${name}.md`) ?? '')
  const pages = [...rows.map(toRowPage), ...listed.filter((names) => !isStored(names)).map((names) => ({ names }))]
  const left = pages
    .filter((page) => walk.after === undefined || keyOf(page) > walk.after)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const todo = left.slice(0, MAX_LISTED_PAGES)
  const last = todo.at(-1)
  const next: WikiWalk = {
    ...walk,
    todo,
    ...(last !== undefined && { after: keyOf(last) }),
    ...(todo.length === left.length && { listed: true }),
  }
  return toStep(position, next, [], walk.after === undefined ? rows.length : 0)
}

function slugOfRow({ identity }: ComparedRow): string {
  return identity.type === 'wiki_doc' ? identity.path : ''
}

function toRowPage(row: ComparedRow): WikiPage {
  const slug = slugOfRow(row)
  const [file = '', etag = ''] = (row.sourceVersion ?? '').split('\n')
  const names = [...new Set([slug, slug.replaceAll('-', ' ')])]
  return { names, row: slug, ...(file !== '' && { file }), ...(etag !== '' && { etag }) }
}

/** Rows and listed pages do not share a key: both may be tried. */
function keyOf({ names: [name = ''], row }: WikiPage): string {
  return `${name}\n${row === undefined ? 'listed' : 'stored'}`
}

async function readPages(context: SurfaceContext, position: WalkingWiki): Promise<GitHubResult<Step>> {
  const changes: DocumentChange[] = []
  let { walk } = position
  let chars = 0
  for (let count = 0; count < REQUESTS_AT_ONCE && walk.todo.length > 0 && chars < MAX_STEP_BYTES; count += 1) {
    const result = await tryFile(context, walk)
    if (!result.ok) return count === 0 ? result : toStep(position, walk, changes)
    for (const change of result.value.changes) {
      changes.push(change)
      if ('put' in change) chars += change.put.body.length
    }
    walk = result.value.walk
  }
  return toStep(position, walk, changes)
}

/** Requests the next file that the first page could be. */
async function tryFile(
  context: SurfaceContext,
  walk: WikiWalk,
): Promise<GitHubResult<{ readonly changes: readonly DocumentChange[]; readonly walk: WikiWalk }>> {
  const [page, ...later] = walk.todo
  if (page === undefined) return { ok: true, value: { changes: [], walk } }
  const { names, file: known, etag, row, tried = 0 } = page
  const files = [...new Set([...(known === undefined ? [] : [known]), ...toFileNames(names)])]
  const file = files[tried] ?? ''
  const result = await context.github.readWikiPage(file, file === known ? etag : undefined)
  if (!result.ok) return result
  const answer = result.value
  const repository = toRepositoryName(context)
  const passed = { ...walk, todo: later, done: walk.done + 1 }
  if (answer.kind === 'unchanged') return { ok: true, value: { changes: [], walk: passed } }
  if (answer.kind === 'absent') {
    if (tried + 1 < files.length) {
      return { ok: true, value: { changes: [], walk: { ...walk, todo: [{ ...page, tried: tried + 1 }, ...later] } } }
    }
    const identity = { type: 'wiki_doc', path: row ?? '' } as const
    return {
      ok: true,
      value: { changes: row === undefined ? [] : [{ remove: { identity, repository } }], walk: passed },
    }
  }
  const slug = wikiSlugOf(file) ?? ''
  const { text, truncated } = toBounded(answer.text.replace(/^\ufeff/, ''))
  const put = {
    identity: { type: 'wiki_doc', path: slug } as const,
    repository,
    body: text,
    url: webPage(context, specOf('wiki_doc').webPath({ path: slug })),
    ...(truncated && { sourceTruncated: true }),
  }
  return { ok: true, value: { changes: [{ put, sourceVersion: `${file}\n${answer.etag ?? ''}` }], walk: passed } }
}
