/**
 * Posts a file of documents in the page schema, page by page while it is read. A
 * page with a wrong line is refused as a whole; the pages before it stay.
 */
import { createReadStream } from 'node:fs'
import type { Failure } from '../../../src/base/failure.ts'
import type { ImportCounts } from '../../../src/contracts/admin/import-contract.ts'
import { NEWLINE, splitRecords } from '../git/bytes.ts'
import { AdminClient, type ClientOptions } from '../admin-client.ts'
import { addCounts, NO_COUNTS } from './import-counts.ts'
import { MAX_LINE_BYTES } from './limits.ts'
import { PAGE_BYTES, PAGE_LINES } from './page-batches.ts'

interface FileOptions extends ClientOptions {
  readonly file: string
  /** Called after each page with the number of lines posted so far. */
  readonly onLines?: (lines: number) => void
}

interface FileSummary {
  readonly counts: ImportCounts
  readonly lines: number
  readonly pages: number
  readonly aborted: boolean
  /** `line` counts within the file. */
  readonly failure?: Failure
}

interface FilePage {
  readonly lines: readonly string[]
  /** For each line of the page its number in the file, counted from 1. */
  readonly numbers: readonly number[]
}

export async function importDocumentsFile(options: FileOptions): Promise<FileSummary> {
  const client = new AdminClient(options)
  let counts = NO_COUNTS
  let [lines, pages] = [0, 0]
  const ended = (failure?: Failure): FileSummary => {
    const aborted = options.signal?.aborted === true
    return { counts, lines, pages, aborted, ...(failure === undefined || aborted ? {} : { failure }) }
  }
  try {
    for await (const page of readPages(options.file)) {
      if (options.signal?.aborted === true) return ended()
      if (!isPage(page)) return ended(page)
      const posted = await client.postPage(page.lines)
      if (!posted.ok) return ended(toFileLine(posted.failure, page))
      counts = addCounts(counts, posted.value)
      lines += page.lines.length
      pages += 1
      options.onLines?.(lines)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (typeof code !== 'string') throw error
    return ended({ code: 'IO_ERROR', message })
  }
  return ended()
}

function isPage(page: FilePage | Failure): page is FilePage {
  return 'lines' in page
}

/** Pages without blank lines; a failure in place of a page that cannot be sent ends them. */
async function* readPages(file: string): AsyncGenerator<FilePage | Failure> {
  let lines: string[] = []
  let numbers: number[] = []
  let bytes = 0
  let number = 0
  for await (const record of splitRecords(createReadStream(file), NEWLINE, MAX_LINE_BYTES + 1)) {
    number += 1
    const line = toLine(record, number)
    if (line === undefined) continue
    const size = record.length + 1
    if (lines.length > 0 && (lines.length >= PAGE_LINES || bytes + size > PAGE_BYTES)) {
      yield { lines, numbers }
      lines = []
      numbers = []
      bytes = 0
    }
    if (typeof line !== 'string') return yield line
    lines.push(line)
    numbers.push(number)
    bytes += size
  }
  if (lines.length > 0) yield { lines, numbers }
}

/** The text of a line, undefined for a blank one, or the reason why it cannot be sent. */
function toLine(record: Buffer, number: number): string | Failure | undefined {
  if (record.length > MAX_LINE_BYTES) return atLine(number, 'longer than the 16 MiB a page may have')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: number > 1 }).decode(record).trim()
  } catch {
    return atLine(number, 'not UTF-8')
  }
  return text === '' ? undefined : text
}

function atLine(line: number, problem: string): Failure {
  return { code: 'VALIDATION_ERROR', message: problem, line }
}

/** The server counts lines within the page; a person counts them within the file. */
function toFileLine(failure: Failure, { numbers }: FilePage): Failure {
  const line = failure.line === undefined ? undefined : numbers[failure.line - 1]
  if (line === undefined) return failure
  return { ...failure, message: failure.message.replace(/^line \d+: /, ''), line }
}
