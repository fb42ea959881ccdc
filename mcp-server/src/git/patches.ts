/**
 * Parses the stream of `git diff-tree --stdin --raw -p` into one record per
 * commit and one per file. The header of a hunk says how many lines it has, so
 * that no content is taken for a header. Of a patch no more than the text limit
 * is kept in memory.
 */
import type { ChangedFile } from '../../../src/documents/fields.ts'
import { NEWLINE, NUL, splitRecords, toBoundedText, toText } from './bytes.ts'
import { decodeText } from './encoding/decode-text.ts'
import { splitBytes } from './encoding/split-bytes.ts'
import { GitError } from './git-command.ts'
import { MAX_TEXT_BYTES } from './limits.ts'
import { unquotePath } from './quoted-path.ts'

/** A commit as `PATCH_FORMAT` prints it. */
interface Commit {
  readonly sha: string
  /** The first parent first; empty for the last commits of a shallow clone. */
  readonly parents: readonly string[]
  /** Committer date, milliseconds UTC; undefined when the commit has no valid one. */
  readonly committedAt: number | undefined
  readonly author: string
  readonly authorEmail: string
  /** Cut at the text limit. */
  readonly message: string
}

/** Precedes the patches of its files. */
export interface CommitFiles {
  readonly commit: Commit
  /** In git's order, then the former paths of renamed files as removed, so that the commit is found below them. */
  readonly files: readonly ChangedFile[]
  /** Changed files, a renamed one counted once. */
  readonly fileCount: number
}

export interface FilePatch {
  readonly commit: Commit
  readonly path: string
  /** added, removed, modified, renamed, copied or changed (only mode or kind), the words of GitHub's API. */
  readonly status: string
  /** The hunks from the first `@@` on, without a newline at the end; empty when there are none. */
  readonly patch: string
  readonly binary: boolean
  readonly truncated: boolean
  /** Ids of the contents before and after; zeros on the side where there is no file. */
  readonly blobs: readonly [string, string]
}

/** A text is followed by a newline, so that the NUL behind it is not lost with the end of a long line. */
export const PATCH_FORMAT = '%x00%H%x00%P%x00%ct%x00%an%n%x00%ae%n%x00%B%n%x00'
const HEADER_NULS = 7
const LINE_END = Buffer.from('\n')

interface Entry {
  readonly path: string
  readonly status: string
  /** Of a renamed file. */
  readonly formerPath?: string
  readonly blobs: readonly [string, string]
  /** Sections of the diff: two for a change of kind, such as file to symlink, else one. */
  readonly sections: number
}

/** The declared encoding of a file's contents. */
type EncodingOf = (path: string) => string | undefined

/** In git's order: each commit, and after it its files. */
export async function* parsePatches(
  chunks: AsyncIterable<Uint8Array>,
  encodingOf: EncodingOf = () => undefined,
): AsyncGenerator<CommitFiles | FilePatch> {
  const parser = new PatchParser(encodingOf)
  for await (const line of splitRecords(chunks, NEWLINE)) {
    for (const part of parser.take(line)) yield part
  }
  yield* parser.finish()
}

class PatchParser {
  readonly #encodingOf: EncodingOf
  #header: Buffer[] | undefined
  #headerBytes = 0
  #headerNuls = 0
  #commit: Commit | undefined
  /** The record of the commit is still to come: it waits for the list of files. */
  #isNew = false
  #entries: Entry[] = []
  #entry: Entry | undefined
  #sectionsLeft = 0
  #patch: Buffer[] = []
  #patchBytes = 0
  #truncated = false
  #binary = false
  #oldLeft = 0
  #newLeft = 0

  constructor(encodingOf: EncodingOf) {
    this.#encodingOf = encodingOf
  }

  take(line: Buffer): (CommitFiles | FilePatch)[] {
    if (this.#oldLeft > 0 || this.#newLeft > 0) return this.#hunkLine(line)
    if (this.#header !== undefined) return this.#headerLine(line)
    const text = latin1Start(line)
    if (text.startsWith('\0')) {
      const done = this.finish()
      this.#header = []
      return [...done, ...this.#headerLine(line)]
    }
    if (text.startsWith(':')) this.#entries.push(parseEntry(line))
    else if (text.startsWith('diff --git ')) return this.#section()
    else if (text.startsWith('@@ ')) this.#hunkStart(line)
    else if (text.startsWith('\\')) this.#keep(line)
    else if (text.startsWith('Binary files ') || text.startsWith('GIT binary patch')) this.#binary = true
    return []
  }

  /** The rest of a commit at its end; an entry without a section becomes an empty patch. */
  finish(): (CommitFiles | FilePatch)[] {
    const done = [...this.#listFiles(), ...this.#flush()]
    for (const entry of this.#entries.splice(0)) {
      this.#entry = entry
      done.push(...this.#flush())
    }
    return done
  }

  #listFiles(): CommitFiles[] {
    if (!this.#isNew || this.#commit === undefined) return []
    this.#isNew = false
    const present = this.#entries.map(({ path, status }) => ({ path, status }))
    const former = this.#entries.flatMap(({ formerPath }) =>
      formerPath === undefined ? [] : [{ path: formerPath, status: 'removed' }],
    )
    return [{ commit: this.#commit, files: [...present, ...former], fileCount: present.length }]
  }

  #headerLine(line: Buffer): FilePatch[] {
    // Of a long message no more is kept than of a text, and the line that ends it.
    if (this.#headerBytes <= MAX_TEXT_BYTES || line[0] === NUL) this.#header?.push(line)
    this.#headerBytes += line.length + 1
    for (const byte of line) if (byte === 0) this.#headerNuls += 1
    if (this.#headerNuls < HEADER_NULS) return []
    this.#commit = parseCommit(Buffer.concat((this.#header ?? []).flatMap((part) => [part, LINE_END])))
    this.#isNew = true
    this.#header = undefined
    this.#headerBytes = 0
    this.#headerNuls = 0
    return []
  }

  #section(): (CommitFiles | FilePatch)[] {
    if (this.#sectionsLeft > 0) {
      this.#sectionsLeft -= 1
      return []
    }
    const done = [...this.#listFiles(), ...this.#flush()]
    this.#entry = this.#entries.shift()
    if (this.#entry === undefined) throw new GitError('diff-tree', 'more patches than changed files', undefined)
    this.#sectionsLeft = this.#entry.sections - 1
    return done
  }

  #hunkStart(line: Buffer): void {
    const ranges = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(toText(line.subarray(0, 120)))
    if (ranges === null) throw new GitError('diff-tree', 'a hunk without line numbers', undefined)
    this.#oldLeft = Number(ranges[1] ?? 1)
    this.#newLeft = Number(ranges[2] ?? 1)
    this.#keep(line)
  }

  #hunkLine(line: Buffer): FilePatch[] {
    // An empty context line may lack its space.
    const sign = line[0] ?? 0x20
    if (sign === 0x2d || sign === 0x20) this.#oldLeft -= 1
    if (sign === 0x2b || sign === 0x20) this.#newLeft -= 1
    this.#keep(line)
    return []
  }

  #keep(line: Buffer): void {
    if (this.#patchBytes > MAX_TEXT_BYTES) {
      this.#truncated = true
      return
    }
    if (this.#patch.length > 0) this.#patch.push(LINE_END)
    this.#patch.push(line)
    this.#patchBytes += line.length + 1
  }

  #flush(): FilePatch[] {
    const [entry, commit] = [this.#entry, this.#commit]
    const { text, cut } = toBoundedText(Buffer.concat(this.#patch), entry && this.#encodingOf(entry.path))
    const [binary, truncated] = [this.#binary, this.#truncated || cut]
    this.#entry = undefined
    this.#sectionsLeft = 0
    this.#patch = []
    this.#patchBytes = 0
    this.#binary = false
    this.#truncated = false
    if (entry === undefined || commit === undefined) return []
    const { path, status, blobs } = entry
    return [{ commit, path, status, patch: text, binary, truncated, blobs }]
  }
}

function latin1Start(line: Buffer): string {
  return line.subarray(0, 20).toString('latin1')
}

/** Git has converted a message whose encoding the commit names; another one may still be no UTF-8. */
function parseCommit(bytes: Buffer): Commit {
  const fields = splitBytes(bytes, NUL)
  const [, sha = '', parents = '', seconds = '', author = '', email = ''] = fields.map((field) => decodeText(field))
  const message = toBoundedText(fields[6] ?? Buffer.alloc(0)).text
  return {
    sha,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    committedAt: toMs(seconds),
    author: author.trim(),
    authorEmail: email.trim(),
    message: message.trimEnd(),
  }
}

/** Git's seconds as milliseconds; undefined for a date after the year 9999, which only a broken commit has. */
export function toMs(seconds: string): number | undefined {
  const value = seconds === '' ? Number.NaN : Number(seconds)
  return Number.isInteger(value) && value >= 0 && value <= 253_402_300_799 ? value * 1000 : undefined
}

const STATUSES: Readonly<Record<string, string>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
}

/**
 * `:100644 100755 <old> <new> R086<TAB>from<TAB>to`. A path that contains a tab
 * is quoted. In the line of a merge each parent has a colon, a mode, an id and a
 * letter: `::100644 100644 100644 <old> <old> <new> MM<TAB>path`.
 */
function parseEntry(line: Buffer): Entry {
  const tab = line.indexOf(0x09)
  const start = line.subarray(0, tab).toString('latin1')
  const fields = start.split(' ')
  const [, , oldId = '', newId = ''] = fields
  const letters = fields.at(-1) ?? ''
  const paths = line.subarray(tab + 1)
  const blobs = [oldId, newId] as const
  if (start.startsWith('::')) return { path: unquotePath(paths), status: mergedStatus(letters), blobs, sections: 1 }
  const letter = letters.charAt(0)
  const second = letter === 'R' || letter === 'C' ? paths.indexOf(0x09) + 1 : 0
  const onlyMode = letter === 'M' && oldId === newId
  return {
    path: unquotePath(paths.subarray(second)),
    status: onlyMode ? 'changed' : (STATUSES[letter] ?? 'changed'),
    ...(letter === 'R' ? { formerPath: unquotePath(paths.subarray(0, second - 1)) } : {}),
    blobs,
    sections: letter === 'T' ? 2 : 1,
  }
}

/** The status that the file has compared with every parent; `modified` where they differ. */
function mergedStatus(letters: string): string {
  const [first = '', ...others] = new Set(letters)
  return others.length > 0 ? 'modified' : (STATUSES[first] ?? 'changed')
}
