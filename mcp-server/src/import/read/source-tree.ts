/** A tree of documents to import: that of a commit, or that of a folder without history. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../../../../src/base/hash.ts'
import type { Document } from '../../../../src/documents/document.ts'
import { toBlobText, type FileBlob } from '../../git/blobs.ts'
import type { Run } from '../../git/git-command.ts'
import { toTreeDocument, type Origin } from '../../git/git-documents.ts'
import { findCommits, listTouched, listTree, readBlobs, readTimes } from '../../git/git-reader.ts'
import { compareKeys, type TreeFile, type TreeKind } from '../../git/git-tree.ts'
import { MAX_TEXT_BYTES } from '../../git/limits.ts'
import type { PathTimes } from '../../git/path-times.ts'
import { MAX_FOLDER_FILES } from '../limits.ts'
import type { PathRules } from './path-rules.ts'

export interface SourceTree {
  readonly kind: TreeKind
  readonly origin: Origin
  /** Names this state of the tree: a commit, or a digest. */
  readonly at: string
  /** The documents' files, in order of key. */
  listFiles(): Promise<TreeFile[]>
  /** Keys that may differ from an older state; undefined when that state is unknown here. */
  findTouched(old: string): Promise<Set<string> | undefined>
  /** The documents of these files, in order. */
  read(files: readonly TreeFile[]): AsyncIterable<TreeDocument>
}

interface TreeDocument {
  readonly key: string
  /** Absent for a binary file, which is no document in spite of its name. */
  readonly document?: Document
}

/** Blobs in one call of git. */
const BLOBS_AT_ONCE = 1_000

/** `readRules` reads the rules of `head`. */
export function gitTree(
  run: Run,
  head: string,
  kind: TreeKind,
  origin: Origin,
  readRules: () => Promise<PathRules>,
): SourceTree {
  return {
    kind,
    origin,
    at: head,
    listFiles: () => listTree(run, head, kind),
    async findTouched(old) {
      if (!(await findCommits(run, [old])).has(old)) return undefined
      const paths = await listTouched(run, old, head, kind)
      return new Set([...paths].flatMap((path) => kind.keyOf(path) ?? []))
    },
    async *read(files) {
      const [times, { encodingOf }] = await Promise.all([readTimes(run, head, files, kind), readRules()])
      for (let at = 0; at < files.length; at += BLOBS_AT_ONCE) {
        const batch = files.slice(at, at + BLOBS_AT_ONCE)
        let next = 0
        const ids = batch.map((file) => file.blob)
        for await (const blob of readBlobs(run, ids)) {
          const file = batch[next]
          next += 1
          if (file === undefined) continue
          yield toTreeEntry(kind, file, blob, encodingOf(file.path), times.get(file.path), origin)
        }
      }
    },
  }
}

function toTreeEntry(
  kind: TreeKind,
  file: TreeFile,
  blob: FileBlob,
  encoding: string | undefined,
  times: PathTimes | undefined,
  origin: Origin,
): TreeDocument {
  const text = toBlobText(blob, encoding)
  const { key } = file
  return text === undefined ? { key } : { key, document: toTreeDocument(kind, file, text, times, origin) }
}

const SKIPPED_FOLDERS = new Set(['node_modules', 'bower_components', '.git', '.hg', '.svn', '.venv', 'venv'])

/** Files dated by their last change. A file's `blob` is made of its size and time, so that no content is read for it. */
export async function folderTree(folder: string, kind: TreeKind, origin: Origin): Promise<SourceTree> {
  const files = (await listFolder(folder, kind)).sort((a, b) => compareKeys(a.key, b.key))
  const digest = sha256Hex(JSON.stringify(files)).slice(0, 40)
  return {
    kind,
    origin,
    at: `folder:${digest}`,
    listFiles: async () => files,
    findTouched: async () => undefined,
    async *read(some) {
      for (const file of some) {
        const path = join(folder, file.path)
        const { mtimeMs } = await stat(path)
        const blob = { id: file.blob, bytes: await readStart(path) }
        const ms = Math.floor(mtimeMs / 1000) * 1000
        yield toTreeEntry(kind, file, blob, undefined, { first: ms, last: ms }, origin)
      }
    },
  }
}

async function listFolder(folder: string, kind: TreeKind): Promise<TreeFile[]> {
  const files = new Map<string, TreeFile>()
  const folders = ['']
  for (let parent = folders.pop(); parent !== undefined; parent = folders.pop()) {
    const entries = await readdir(join(folder, parent), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => compareKeys(a.name, b.name))) {
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) folders.push(path)
      const key = entry.isFile() ? kind.keyOf(path) : undefined
      if (key === undefined || files.has(key) || files.size >= MAX_FOLDER_FILES) continue
      const { size, mtimeMs } = await stat(join(folder, path))
      files.set(key, { key, path, blob: `${size}:${Math.floor(mtimeMs / 1000)}` })
    }
  }
  return [...files.values()]
}

/** As much of the file as a document may have, and one byte more. */
async function readStart(path: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of createReadStream(path, { end: MAX_TEXT_BYTES })) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
