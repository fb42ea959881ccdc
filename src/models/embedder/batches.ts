/**
 * Planning what is sent to an embedder: texts in order, in batches bounded by
 * UTF-8 bytes and by number. A text over the limit stands alone and is cut.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import { cutToBytes } from '../../base/text-cut.ts'

export interface BatchLimits {
  /** UTF-8 bytes of all texts of a batch. */
  readonly batchBytes: number
  readonly batchTexts: number
  /** UTF-8 bytes of one text; what is longer is cut on a character boundary. */
  readonly textBytes: number
}

/** A text and its place in the list that was asked for. */
export interface BatchItem {
  readonly at: number
  readonly text: string
}

/** Every text stands in exactly one batch, in order; no batch is empty. */
export function planBatches(texts: readonly string[], limits: BatchLimits): BatchItem[][] {
  const batches: BatchItem[][] = []
  let size = Infinity
  for (const [at, whole] of texts.entries()) {
    const text = cutToBytes(whole, limits.textBytes)
    // What was cut may still be more than the embedder takes, so its refusal should cost no other text.
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
