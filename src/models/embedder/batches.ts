/**
 * Plans the requests to an embedder: texts in order, in batches bounded by UTF-8
 * bytes and by number. A text above the limit is cut and gets a batch of its own.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import { cutToBytes } from '../../base/text-cut.ts'

interface BatchLimits {
  /** UTF-8 bytes of all texts of a batch. */
  readonly batchBytes: number
  readonly batchTexts: number
  /** UTF-8 bytes of one text; a longer one is cut on a character boundary. */
  readonly textBytes: number
}

/** A text and its index in the list of the caller. */
export interface BatchItem {
  readonly at: number
  readonly text: string
}

/** Every text is in exactly one batch, in order; no batch is empty. */
export function planBatches(texts: readonly string[], limits: BatchLimits): BatchItem[][] {
  const batches: BatchItem[][] = []
  let size = Infinity
  for (const [at, whole] of texts.entries()) {
    const text = cutToBytes(whole, limits.textBytes)
    // A cut text may still be too long for the embedder: the refusal must not affect other texts.
    const isAlone = text.length < whole.length
    const bytes = utf8Bytes(text)
    const last = batches.at(-1)
    if (last === undefined || isAlone || size + bytes > limits.batchBytes || last.length >= limits.batchTexts) {
      batches.push([{ at, text }])
      size = isAlone ? Infinity : bytes
    } else {
      last.push({ at, text })
      size += bytes
    }
  }
  return batches
}
