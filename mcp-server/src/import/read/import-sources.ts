/** Everything that one import reads, opened once: the trees of documents, the tags, and the checkout for its commits. */
import type { Origin } from '../../git/git-documents.ts'
import { listTags } from '../../git/git-reader.ts'
import { DOCS, WIKI, type TreeKind } from '../../git/git-tree.ts'
import { webPages } from '../../git/remote.ts'
import type { Tag } from '../../git/tags.ts'
import type { Checkout, GitCheckout } from './checkout.ts'
import { folderTree, gitTree, type SourceTree } from './source-tree.ts'

export interface ImportSources {
  readonly origin: Origin
  /** Absent for a folder without history and for a repository without a commit. */
  readonly git?: GitCheckout & { readonly head: string }
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
  const [docs, wiki, tags] = await Promise.all([
    openTree(main, DOCS, origin),
    wikiCheckout === undefined ? undefined : openTree(wikiCheckout, WIKI, origin),
    main.kind === 'git' ? listTags(main.run) : [],
  ])
  const git = main.kind === 'git' && main.head !== undefined ? { ...main, head: main.head } : undefined
  return {
    origin,
    tags,
    ...(git === undefined ? {} : { git }),
    ...(docs === undefined ? {} : { docs }),
    ...(wiki === undefined ? {} : { wiki }),
  }
}

/** Undefined for a repository without a commit. */
async function openTree(checkout: Checkout, kind: TreeKind, origin: Origin): Promise<SourceTree | undefined> {
  if (checkout.kind === 'folder') return folderTree(checkout.folder, kind, origin)
  const { head, run } = checkout
  return head === undefined ? undefined : gitTree(run, head, kind, origin)
}
