/**
 * An embedder behind the OpenAI form of `POST /embeddings`, as Ollama and many
 * others serve it. A batch that is refused is split, down to the one text that
 * is at fault, which is then cut shorter. Answers are checked before they are
 * believed.
 */
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { utf8Bytes } from '../../base/utf8.ts'
import { askModel } from '../ask-model.ts'
import type { Fetch } from '../ask-model.ts'
import { cutToBytes } from '../../base/text-cut.ts'
import { planBatches } from './batches.ts'
import type { BatchLimits, BatchItem } from './batches.ts'
import { toUnit } from './embedder.ts'
import type { Embedder } from './embedder.ts'

export interface HttpEmbedderOptions {
  /** What `/embeddings` is below: `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly dimensions: number
  readonly weight: number
  readonly key?: string
  readonly fetch: Fetch
}

/** Small enough for a model on a laptop to answer within the time limit; a text is some 6,000 tokens at most. */
export const LIMITS: BatchLimits = { batchBytes: 65_536, batchTexts: 32, textBytes: 24_576 }

/** A text that is refused at this size is given up. */
const LEAST_BYTES = 256

/** Refusals by which one call may be split: enough to find one bad text in a full batch, and to cut it. */
const MAX_REFUSALS = 40

/** The request is at fault, so another request may do: too long, too many, a text it will not take. */
const REFUSALS: readonly number[] = [400, 413, 422]

type Vectors = (Float32Array | undefined)[]
/** `refused` is an answer about these texts; a failure is one about the embedder. */
type Sent = Result<Vectors> | 'refused'

export function httpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { model, dimensions, weight } = options
  return {
    model: `${model}:${dimensions}`,
    dimensions,
    weight,
    async embed(texts, timeLimitMs) {
      const found: Vectors = Array.from({ length: texts.length })
      const waiting = planBatches(texts, LIMITS)
      let refusals = 0
      for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
        const sent = await send(options, batch, timeLimitMs)
        if (sent === 'refused') {
          refusals += 1
          if (refusals > MAX_REFUSALS) return fail('refuses too many texts')
          waiting.unshift(...smaller(batch))
          continue
        }
        if (!sent.ok) return sent
        for (const [place, { at }] of batch.entries()) found[at] = sent.value[place]
      }
      return ok(found)
    },
  }
}

/** Halves of a batch; of one text, its first half; of one that is short already, nothing. */
function smaller(batch: readonly BatchItem[]): BatchItem[][] {
  const [first] = batch
  if (first === undefined) return []
  if (batch.length > 1) {
    const middle = Math.ceil(batch.length / 2)
    return [batch.slice(0, middle), batch.slice(middle)]
  }
  const bytes = utf8Bytes(first.text)
  return bytes <= LEAST_BYTES ? [] : [[{ at: first.at, text: cutToBytes(first.text, Math.floor(bytes / 2)) }]]
}

async function send(
  { url, model, dimensions, key, fetch }: HttpEmbedderOptions,
  batch: readonly BatchItem[],
  timeLimitMs: number,
): Promise<Sent> {
  const answer = await askModel({
    url: `${url.replace(/\/+$/, '')}/embeddings`,
    ...(key && { key }),
    fetch,
    body: { model, input: batch.map(({ text }) => text), encoding_format: 'float' },
    timeLimitMs,
  })
  if ('problem' in answer) return fail(answer.problem)
  if ('status' in answer) return REFUSALS.includes(answer.status) ? 'refused' : fail(`answers ${answer.status}`)
  return readVectors(answer.json, batch.length, dimensions)
}

function readVectors(answer: unknown, count: number, dimensions: number): Result<Vectors> {
  const rows = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(rows) || rows.length !== count) return fail('gives another number of vectors than asked for')
  const vectors: Vectors = Array.from({ length: count })
  const filled = new Set<number>()
  for (const [at, row] of (rows as ({ index?: unknown; embedding?: unknown } | null)[]).entries()) {
    const place = row?.index ?? at
    const values = row?.embedding
    if (typeof place !== 'number' || !Number.isInteger(place) || place < 0 || place >= count || filled.has(place)) {
      return fail('does not say which vector is whose')
    }
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'number')) return fail('gives no vectors')
    if (values.length !== dimensions) {
      return fail(`gives vectors of ${values.length} dimensions where EMBEDDER_DIMENSIONS says ${dimensions}`)
    }
    filled.add(place)
    vectors[place] = toUnit(values)
  }
  return ok(vectors)
}

function fail(problem: string): Result<never> {
  return refuse({ code: 'UNAVAILABLE', message: `The embedder ${problem}.`, hint: 'Try again in a moment.' })
}
