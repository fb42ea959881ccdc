/** Writes text in a legacy encoding: the inverse of `TextDecoder`, from a table of all one- and two-byte characters. */

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()

/** `label` is one of `TextDecoder`. Throws for a character that the encoding lacks. */
export function encodeLegacy(text: string, label: string): Buffer {
  if (label === 'iso-2022-jp') return encodeIso2022(text)
  const table = tables.get(label) ?? makeTable(label)
  tables.set(label, table)
  return Buffer.from([...text].flatMap((character) => bytesOf(character, table)))
}

function bytesOf(character: string, table: ReadonlyMap<string, readonly number[]>): readonly number[] {
  const bytes = table.get(character)
  if (bytes === undefined) throw new Error(`the encoding lacks ${character}`)
  return bytes
}

function makeTable(label: string): Map<string, readonly number[]> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: false })
  const table = new Map<string, readonly number[]>()
  const add = (bytes: readonly number[]): void => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes))
      if ([...character].length === 1 && !table.has(character)) table.set(character, bytes)
    } catch {
      // No character has these bytes.
    }
  }
  for (let byte = 0; byte < 0x100; byte += 1) add([byte])
  for (let lead = 0x81; lead < 0xff; lead += 1) {
    for (let trail = 0x40; trail < 0xff; trail += 1) add([lead, trail])
  }
  return table
}

/** The characters of EUC-JP without their high bits, between escape sequences. */
function encodeIso2022(text: string): Buffer {
  const parts = text.match(/[\0-\x7f]+|[^\0-\x7f]+/g) ?? []
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = encodeLegacy(part, 'euc-jp')
      const isAscii = (bytes[0] ?? 0) < 0x80
      return isAscii ? [bytes] : [Buffer.from('\x1b$B'), bytes.map((byte) => byte & 0x7f), Buffer.from('\x1b(B')]
    }),
  )
}
