/**
 * Parses the stream of `git diff-tree --stdin --raw -p` into one record per file.
 * The header of a hunk says how many lines it has, so that no content is taken
 * for a header. Of a patch no more than the text limit is kept in memory.
 */
import { NEWLINE, splitRecords, toBoundedText, toText } from './bytes.ts'
import { GitError } from './git-command.ts'
import { MAX_TEXT_BYTES } from './limits.ts'
import { unquotePath } from './quoted-path.ts'

/** A commit as `PATCH_FORMAT` prints it. */
interface Commit {
  readonly sha: string
  /** Committer date, milliseconds UTC; undefined when the commit has no valid one. */
  readonly committedAt: number | undefined
  readonly author: string
  readonly authorEmail: string
  readonly message: string
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
}

export const PATCH_FORMAT = '%x00%H%x00%ct%x00%an%x00%ae%x00%B%x00'
const HEADER_NULS = 6
const LINE_END = Buffer.from('\n')

interface Entry {
  readonly path: string
  readonly status: string
  /** Sections of the diff: two for a change of kind, such as file to symlink, else one. */
  readonly sections: number
}

/** One record per file, in git's order. A commit without changed files yields none. */
export async function* parsePatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FilePatch> {
  const parser = new PatchParser()
  for await (const line of splitRecords(chunks, NEWLINE)) {
    for (const patch of parser.take(line)) yield patch
  }
  yield* parser.finish()
}

class PatchParser {
  #header: Buffer[] | undefined
  #headerNuls = 0
  #commit: Commit | undefined
  #entries: Entry[] = []
  #entry: Entry | undefined
  #sectionsLeft = 0
  #patch: Buffer[] = []
  #patchBytes = 0
  #truncated = false
  #binary = false
  #oldLeft = 0
  #newLeft = 0

  take(line: Buffer): FilePatch[] {
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
  finish(): FilePatch[] {
    const done = this.#flush()
    for (const entry of this.#entries.splice(0)) {
      this.#entry = entry
      done.push(...this.#flush())
    }
    return done
  }

  #headerLine(line: Buffer): FilePatch[] {
    this.#header?.push(line)
    for (const byte of line) if (byte === 0) this.#headerNuls += 1
    if (this.#headerNuls < HEADER_NULS) return []
    this.#commit = parseCommit(Buffer.concat((this.#header ?? []).flatMap((part) => [part, LINE_END])))
    this.#header = undefined
    this.#headerNuls = 0
    return []
  }

  #section(): FilePatch[] {
    if (this.#sectionsLeft > 0) {
      this.#sectionsLeft -= 1
      return []
    }
    const done = this.#flush()
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
    const { text, cut } = toBoundedText(Buffer.concat(this.#patch))
    const [binary, truncated] = [this.#binary, this.#truncated || cut]
    this.#entry = undefined
    this.#sectionsLeft = 0
    this.#patch = []
    this.#patchBytes = 0
    this.#binary = false
    this.#truncated = false
    if (entry === undefined || commit === undefined) return []
    return [{ commit, path: entry.path, status: entry.status, patch: text, binary, truncated }]
  }
}

function latin1Start(line: Buffer): string {
  return line.subarray(0, 20).toString('latin1')
}

function parseCommit(bytes: Buffer): Commit {
  const [, sha = '', seconds = '', author = '', email = '', message = ''] = toText(bytes).split('\0')
  return {
    sha,
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

/** `:100644 100755 <old> <new> R086<TAB>from<TAB>to`. A path that contains a tab is quoted. */
function parseEntry(line: Buffer): Entry {
  const tab = line.indexOf(0x09)
  const [, , oldId, newId, letters = ''] = line.subarray(0, tab).toString('latin1').split(' ')
  const letter = letters.charAt(0)
  const paths = line.subarray(tab + 1)
  const second = letter === 'R' || letter === 'C' ? paths.indexOf(0x09) + 1 : 0
  const onlyMode = letter === 'M' && oldId === newId
  return {
    path: unquotePath(paths.subarray(second)),
    status: onlyMode ? 'changed' : (STATUSES[letter] ?? 'changed'),
    sections: letter === 'T' ? 2 : 1,
  }
}
