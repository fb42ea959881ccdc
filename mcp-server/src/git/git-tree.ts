/**
 * The files of a tree that are documents, and their keys. Parses `git ls-tree
 * -z`; symlinks and submodules are no files. Names stay as git has them: they
 * are never composed or decomposed.
 */
import { DOC_EXTENSIONS, isDocFile, WIKI_EXTENSIONS, wikiSlugOf } from '../../../src/documents/paths/document-files.ts'
import { toText } from '../../../src/base/utf8.ts'
import { NUL, splitRecords } from './bytes.ts'

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

export const DOCS: TreeKind = {
  type: 'doc',
  pathspecs: toPathspecs(DOC_EXTENSIONS),
  keyOf: (path) => (isDocFile(path) ? path : undefined),
}

export const WIKI: TreeKind = {
  type: 'wiki_doc',
  pathspecs: toPathspecs(WIKI_EXTENSIONS),
  keyOf: wikiSlugOf,
}

function toPathspecs(extensions: readonly string[]): string[] {
  return extensions.map((extension) => `:(top,icase)*.${extension}`)
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
