/**
 * An embedder behind the OpenAI form of `POST /embeddings`, as Ollama and many others
 * serve it. A refused batch is split down to the text at fault, which is then cut
 * shorter. Answers are validated. Requests of a batch are kept short, so that a question
 * waits for one of them at most.
 */
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { utf8Bytes } from '../../base/utf8.ts'
import { postToModel } from '../post-to-model.ts'
import type { Fetch } from '../post-to-model.ts'
import { cutToBytes } from '../../base/text-cut.ts'
import { planBatches } from './batches.ts'
import type { BatchItem } from './batches.ts'
import { toUnit } from './embedder.ts'
import type { Embedder } from './embedder.ts'
import { RequestSize } from './request-size.ts'
import { MIN_EMBEDDER_TEXT_BYTES, MAX_EMBEDDER_REFUSALS, EMBEDDER_BATCH_LIMITS } from '../limits.ts'

export interface HttpEmbedderOptions {
  /** The address without `/embeddings`: `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly dimensions: number
  readonly weight: number
  readonly key?: string
  readonly fetch: Fetch
}

/** The request is at fault, so a smaller one may succeed: too long, too many, a text it cannot embed. */
const REFUSAL_STATUSES: readonly number[] = [400, 413, 422]

type Vectors = (Float32Array | undefined)[]
/** `refused` is about these texts; a failure is about the embedder. */
type Sent = Result<Vectors> | 'refused'

export function httpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { model, dimensions, weight } = options
  const size = new RequestSize()
  return {
    model: `${model}:${dimensions}`,
    dimensions,
    weight,
    async embed(texts, timeLimitMs) {
      const vectors: Vectors = Array.from({ length: texts.length })
      const waiting = planBatches(texts, EMBEDDER_BATCH_LIMITS)
      let refusals = 0
      for (let planned = waiting.shift(); planned; planned = waiting.shift()) {
        const [batch, rest] = splitAt(planned, size.bytes)
        if (rest.length > 0) waiting.unshift(rest)
        const start = Date.now()
        const sent = await send(options, batch, timeLimitMs)
        const elapsedMs = Date.now() - start
        if (sent === 'refused') {
          refusals += 1
          if (refusals > MAX_EMBEDDER_REFUSALS) return fail('refuses too many texts')
          waiting.unshift(...toSmaller(batch))
          continue
        }
        if (!sent.ok) {
          if (elapsedMs >= timeLimitMs) size.recordTimeout()
          return sent
        }
        size.record(bytesOf(batch), elapsedMs)
        for (const [place, { at }] of batch.entries()) vectors[at] = sent.value[place]
      }
      return ok(vectors)
    },
  }
}

/** The first texts of a batch, of at most `bytes` together but one at least, and the others. */
function splitAt(batch: readonly BatchItem[], bytes: number): readonly [BatchItem[], BatchItem[]] {
  let [count, sum] = [0, 0]
  for (const { text } of batch) {
    sum += utf8Bytes(text)
    if (count > 0 && sum > bytes) break
    count += 1
  }
  return [batch.slice(0, count), batch.slice(count)]
}

function bytesOf(batch: readonly BatchItem[]): number {
  return batch.reduce((sum, { text }) => sum + utf8Bytes(text), 0)
}

/** The halves of a batch; of one text its first half; nothing when the text is short already. */
function toSmaller(batch: readonly BatchItem[]): BatchItem[][] {
  const [first] = batch
  if (first === undefined) return []
  if (batch.length > 1) {
    const middle = Math.ceil(batch.length / 2)
    return [batch.slice(0, middle), batch.slice(middle)]
  }
  const bytes = utf8Bytes(first.text)
  return bytes <= MIN_EMBEDDER_TEXT_BYTES
    ? []
    : [[{ at: first.at, text: cutToBytes(first.text, Math.floor(bytes / 2)) }]]
}

async function send(
  { url, model, dimensions, key, fetch }: HttpEmbedderOptions,
  batch: readonly BatchItem[],
  timeLimitMs: number,
): Promise<Sent> {
  const answer = await postToModel({
    url: `${url.replace(/\/+$/, '')}/embeddings`,
    ...(key && { key }),
    fetch,
    body: { model, input: batch.map(({ text }) => text), encoding_format: 'float' },
    timeLimitMs,
  })
  if ('problem' in answer) return fail(answer.problem)
  if ('status' in answer) return REFUSAL_STATUSES.includes(answer.status) ? 'refused' : fail(`answers ${answer.status}`)
  return readVectors(answer.json, batch.length, dimensions)
}

function readVectors(answer: unknown, count: number, dimensions: number): Result<Vectors> {
  const rows = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(rows) || rows.length !== count) return fail('returned another number of vectors than requested')
  const vectors: Vectors = Array.from({ length: count })
  const filled = new Set<number>()
  for (const [at, row] of (rows as ({ index?: unknown; embedding?: unknown } | null)[]).entries()) {
    const place = row?.index ?? at
    const values = row?.embedding
    if (typeof place !== 'number' || !Number.isInteger(place) || place < 0 || place >= count || filled.has(place)) {
      return fail('returned vectors without a valid index')
    }
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'number'))
      return fail('returned no vectors')
    if (values.length !== dimensions) {
      return fail(`returned vectors of ${values.length} dimensions where EMBEDDER_DIMENSIONS says ${dimensions}`)
    }
    filled.add(place)
    vectors[place] = toUnit(values)
  }
  return ok(vectors)
}

function fail(problem: string): Result<never> {
  return refuse({ code: 'UNAVAILABLE', message: `The embedder ${problem}.`, hint: 'Try again in a moment.' })
}
