/**
 * Everything that one import reads, opened once: the trees of documents, the tags,
 * the checkout for its commits and what its tree says about paths.
 */
import type { Origin } from '../../git/git-documents.ts'
import { listTags } from '../../git/git-reader.ts'
import { DOCS, WIKI, type TreeKind } from '../../git/git-tree.ts'
import { webPages } from '../../git/remote.ts'
import type { Tag } from '../../git/tags.ts'
import type { Checkout, GitCheckout } from './checkout.ts'
import { readPathRules, type PathRules } from './path-rules.ts'
import { folderTree, gitTree, type SourceTree } from './source-tree.ts'

interface ReadableCheckout extends GitCheckout {
  readonly head: string
  /** The rules of HEAD's tree, read once. */
  readRules(): Promise<PathRules>
}

export interface ImportSources {
  readonly origin: Origin
  /** Absent for a folder without history and for a repository without a commit. */
  readonly git?: ReadableCheckout
  readonly docs?: SourceTree
  readonly wiki?: SourceTree
  readonly tags: readonly Tag[]
}

/** `repo` is the name the documents are stored under. */
export async function openSources(
  main: Checkout,
  wikiCheckout: Checkout | undefined,
  repo: string,
): Promise<ImportSources> {
  const pages = main.kind === 'git' ? webPages(main.remote, main.ref) : webPages(undefined, '')
  const origin = { repository: { name: repo }, pages }
  const git = toReadable(main)
  const [docs, wiki, tags] = await Promise.all([
    openTree(main, git, DOCS, origin),
    wikiCheckout === undefined ? undefined : openTree(wikiCheckout, toReadable(wikiCheckout), WIKI, origin),
    main.kind === 'git' ? listTags(main.run) : [],
  ])
  return {
    origin,
    tags,
    ...(git === undefined ? {} : { git }),
    ...(docs === undefined ? {} : { docs }),
    ...(wiki === undefined ? {} : { wiki }),
  }
}

/** Undefined for a folder without history and for a repository without a commit. */
function toReadable(checkout: Checkout): ReadableCheckout | undefined {
  if (checkout.kind === 'folder' || checkout.head === undefined) return undefined
  const { head, run } = checkout
  let rules: Promise<PathRules> | undefined
  return { ...checkout, head, readRules: () => (rules ??= readPathRules(run, head)) }
}

/** Undefined for a repository without a commit. */
async function openTree(
  checkout: Checkout,
  git: ReadableCheckout | undefined,
  kind: TreeKind,
  origin: Origin,
): Promise<SourceTree | undefined> {
  if (checkout.kind === 'folder') return folderTree(checkout.folder, kind, origin)
  return git === undefined ? undefined : gitTree(git.run, git.head, kind, origin, git.readRules)
}
