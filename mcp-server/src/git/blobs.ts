/**
 * Parses `git cat-file --batch`: for each object a line `<id> <type> <size>`,
 * its bytes, a newline. Bytes beyond the text limit are not kept. Their
 * encoding depends on the path, so the caller decodes them.
 */
import { NEWLINE, toBoundedText, toText } from './bytes.ts'
import { isBinary } from './encoding/decode-text.ts'
import { GitError } from './git-command.ts'
import { MAX_TEXT_BYTES } from './limits.ts'

export interface FileBlob {
  readonly id: string
  /** The first bytes of the file, one more than a text may have. */
  readonly bytes: Uint8Array
}

export interface BlobText {
  readonly id: string
  readonly text: string
  readonly truncated: boolean
}

/** The text of a file; undefined for a binary one. `declared` is the encoding that attributes name. */
export function toBlobText({ id, bytes }: FileBlob, declared?: string): BlobText | undefined {
  if (isBinary(bytes, declared)) return undefined
  const { text, cut } = toBoundedText(bytes, declared)
  return { id, text, truncated: cut }
}

/** One record per requested object, in order. Throws a `GitError` for an object that the repository lacks. */
export async function* parseBlobs(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileBlob> {
  let head: Buffer = Buffer.alloc(0)
  let id: string | undefined
  let left = 0
  let kept: Buffer[] = []
  let keptBytes = 0
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk)
    while (rest.length > 0) {
      if (id === undefined) {
        const end = rest.indexOf(NEWLINE)
        head = Buffer.concat([head, end === -1 ? rest : rest.subarray(0, end)])
        if (end === -1) break
        rest = rest.subarray(end + 1)
        const parsed = parseHead(toText(head))
        ;[id, left] = [parsed.id, parsed.bytes]
        head = Buffer.alloc(0)
        continue
      }
      const part = rest.subarray(0, left)
      if (keptBytes <= MAX_TEXT_BYTES) {
        const fitting = part.subarray(0, MAX_TEXT_BYTES + 1 - keptBytes)
        kept.push(fitting)
        keptBytes += fitting.length
      }
      left -= part.length
      rest = rest.subarray(part.length)
      if (left > 0 || rest.length === 0) break
      yield { id, bytes: Buffer.concat(kept) }
      rest = rest.subarray(1)
      id = undefined
      kept = []
      keptBytes = 0
    }
  }
}

function parseHead(line: string): { readonly id: string; readonly bytes: number } {
  const [id = '', type, bytes] = line.split(' ')
  if (bytes === undefined || type !== 'blob') throw new GitError('cat-file', line, undefined)
  return { id, bytes: Number(bytes) }
}
