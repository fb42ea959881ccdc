/**
 * The files of a tree that are documents, and their keys. Parses `git ls-tree
 * -z`; symlinks and submodules are no files. Names stay as git has them: they
 * are never composed or decomposed.
 */
import { NUL, splitRecords, toText } from './bytes.ts'

export interface TreeFile {
  /** Identifies the document: its path, or the slug of a wiki page. */
  readonly key: string
  readonly path: string
  readonly blob: string
}

/** A kind of tree: which files are documents, their keys, and the pathspecs that select them in git. */
export interface TreeKind {
  readonly type: 'doc' | 'wiki_doc'
  readonly pathspecs: readonly string[]
  /** Undefined for a file that is not a document. */
  keyOf(path: string): string | undefined
}

const DOC_EXTENSIONS = ['md', 'mdx', 'rst', 'adoc', 'txt', 'org']
const WIKI_EXTENSIONS = [
  ...DOC_EXTENSIONS,
  'markdown',
  'asciidoc',
  'mediawiki',
  'wiki',
  'textile',
  'creole',
  'rdoc',
  'pod',
]

export const DOCS: TreeKind = {
  type: 'doc',
  pathspecs: toPathspecs(DOC_EXTENSIONS),
  keyOf: (path) => (hasExtension(path, DOC_EXTENSIONS) ? path : undefined),
}

/** A page's slug is its file name, with dashes for spaces. `_Sidebar` and the like are not pages. */
export const WIKI: TreeKind = {
  type: 'wiki_doc',
  pathspecs: toPathspecs(WIKI_EXTENSIONS),
  keyOf: (path) => {
    const file = path.slice(path.lastIndexOf('/') + 1)
    if (file.startsWith('_') || !hasExtension(file, WIKI_EXTENSIONS)) return undefined
    return file.slice(0, file.lastIndexOf('.')).trim().replace(/\s/g, '-')
  },
}

function toPathspecs(extensions: readonly string[]): string[] {
  return extensions.map((extension) => `:(top,icase)*.${extension}`)
}

function hasExtension(path: string, extensions: readonly string[]): boolean {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 && extensions.includes(path.slice(dot + 1).toLowerCase())
}

/** The files of this kind in the output of `ls-tree -r -z`, in order of key. Of two files with one key the first by path counts. */
export async function parseTree(chunks: AsyncIterable<Uint8Array>, kind: Pick<TreeKind, 'keyOf'>): Promise<TreeFile[]> {
  const files = new Map<string, TreeFile>()
  for await (const record of splitRecords(chunks, NUL)) {
    // `100644 blob <id>TAB<path>`
    const tab = record.indexOf(0x09)
    const [mode = '', type, blob] = record.subarray(0, tab).toString('latin1').split(' ')
    if (type !== 'blob' || blob === undefined || mode.startsWith('12')) continue
    const path = toText(record.subarray(tab + 1))
    const key = kind.keyOf(path)
    if (key !== undefined && !files.has(key)) files.set(key, { key, path, blob })
  }
  return [...files.values()].sort((a, b) => compareKeys(a.key, b.key))
}

/** The order in which documents are sent: by UTF-16 unit, the same on every machine. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
