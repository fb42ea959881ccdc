/**
 * The first answer of a git server, in git's packet lines: four hexadecimal
 * digits of length, then the line; 0000 ends a part.
 */

/**
 * The SHA that HEAD is at, which a repository without commits does not have.
 * Undefined when the answer is not a whole list of references.
 */
export function readHead(bytes: Uint8Array): { readonly head: string | undefined } | undefined {
  const parts = readParts(new TextDecoder('latin1').decode(bytes))
  const [announced, refs] = parts ?? []
  if (parts?.length !== 2 || announced?.[0]?.trim() !== '# service=git-upload-pack' || refs === undefined) {
    return undefined
  }
  const heads = refs.map((line) => /^([0-9a-f]{40,64}) ([^\0\n]+)/.exec(line))
  const head = heads.find((match) => match?.[2] === 'HEAD') ?? heads.find((match) => match?.[2] === 'refs/heads/master')
  return { head: head?.[1] }
}

/** The lines of each part; undefined when a length is wrong or the last part does not end. */
function readParts(text: string): string[][] | undefined {
  const parts: string[][] = []
  let lines: string[] = []
  let at = 0
  while (at < text.length) {
    const digits = text.slice(at, at + 4)
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
    if (length === 0) {
      parts.push(lines)
      lines = []
      at += 4
    } else {
      if (length < 4 || at + length > text.length) return undefined
      lines.push(text.slice(at + 4, at + length))
      at += length
    }
  }
  return lines.length === 0 ? parts : undefined
}
