/**
 * Processes pending vectors: sends the texts of documents to the embedder and
 * puts its vectors into the index. A document with a text that the embedder
 * refuses is retried later and does not block the others. When the embedder does
 * not answer, the documents of that call are retried later and the run ends.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/sql/index-database.ts'
import { retryLater } from '../index/maintenance/pending.ts'
import { isGuardFailure } from '../index/sql/guards.ts'
import { readStored } from '../index/documents/read-stored.ts'
import { chunkTexts } from '../index/vectors/chunk-texts.ts'
import { isSlotTaken } from '../index/vectors/d1-vectors.ts'
import { beginGeneration, listPendingVectors, walkOn, type PendingVectors } from '../index/vectors/pending-vectors.ts'
import type { VectorIndex, VectorsOwner, VectorsWrite } from '../index/vectors/vector-index.ts'
import type { Embedder } from '../models/embedder/embedder.ts'

export interface EmbedDependencies {
  readonly embedder: Embedder
  readonly vectors: VectorIndex
  readonly index: Index
  readonly now: () => number
  readonly log: Log
}

/** Documents in one batch. */
const BATCH = 40
/** A call to the embedder takes no further document once it has this many texts. */
const CALL_TEXTS = 256

/** Time for one call to the embedder: enough on a laptop without a graphics card. */
const TIME_LIMIT_MS = 60_000

export interface EmbedSummary {
  readonly embedded: number
  readonly retried: number
  /** More is pending and can be processed at once. */
  readonly more: boolean
}

export async function embedDocuments(deps: EmbedDependencies): Promise<EmbedSummary> {
  const { index, embedder, now } = deps
  const generation = await beginGeneration(index, embedder.model)
  const walked = await walkOn(index)
  const pending = await listPendingVectors(index, generation, now(), BATCH)
  const total = { embedded: 0, retried: 0 }
  let rest = pending
  while (rest.length > 0) {
    const { taken, requests } = await readRequests(index, rest)
    rest = rest.slice(taken)
    const done = await embedBatch(deps, requests, generation)
    total.embedded += done.embedded
    total.retried += done.retried
    if (done.isDown) return { ...total, more: false }
  }
  return { ...total, more: walked || pending.length === BATCH }
}

/** A document with its texts to embed; undefined where its vectors are still correct. */
interface EmbedRequest {
  readonly owner: VectorsOwner
  readonly texts: readonly string[] | undefined
}

/** Reads documents until their texts fill a call; those that changed since they were listed wait for the next run. */
async function readRequests(
  index: Index,
  pending: readonly PendingVectors[],
): Promise<{ taken: number; requests: EmbedRequest[] }> {
  const requests: EmbedRequest[] = []
  let [taken, texts] = [0, 0]
  for (const { document, version, repository, onlyAttributes } of pending) {
    if (texts >= CALL_TEXTS) break
    taken += 1
    const read = await readStored(index, document)
    if (read?.version !== version) continue
    const { vectorId, createdAt, updatedAt } = read
    const owner = {
      document,
      vectorId,
      version,
      repository,
      attributes: { stored: read.document, createdAt, updatedAt },
    }
    const own = onlyAttributes ? undefined : chunkTexts(read.document)
    texts += own?.length ?? 0
    requests.push({ owner, texts: own })
  }
  return { taken, requests }
}

async function embedBatch(deps: EmbedDependencies, requests: readonly EmbedRequest[], generation: number) {
  const texts = requests.flatMap(textsToSend)
  const embedded = texts.length === 0 ? undefined : await deps.embedder.embed(texts, TIME_LIMIT_MS)
  if (embedded?.ok === false) {
    const waiting = requests.filter((one) => textsToSend(one).length > 0)
    const retried = await retryAllLater(deps, waiting, embedded.failure.message)
    return { embedded: 0, retried, isDown: true }
  }
  const given = embedded?.value ?? []
  const writes: VectorsWrite[] = []
  const refused: EmbedRequest[] = []
  let at = 0
  for (const one of requests) {
    const own = given.slice(at, (at += textsToSend(one).length))
    if (own.includes(undefined)) refused.push(one)
    else writes.push({ ...one.owner, vectors: one.texts && alignVectors(one.texts, own) })
  }
  const retried = await retryAllLater(deps, refused, 'The embedder refuses a text of this document.')
  const done = await write(deps, writes, generation)
  return { embedded: done.embedded, retried: retried + done.retried, isDown: false }
}

/** Empty texts have no vector and are not sent. */
function textsToSend({ texts = [] }: EmbedRequest): string[] {
  return texts.filter((text) => text !== '')
}

/** The vectors at the positions of their texts; undefined at those of empty texts. */
function alignVectors(texts: readonly string[], vectors: readonly (Float32Array | undefined)[]) {
  let at = 0
  return texts.map((text) => (text === '' ? undefined : vectors[at++]))
}

/** Puts all documents in one write, since each write replaces packed rows; one by one where that fails. */
async function write(deps: EmbedDependencies, writes: readonly VectorsWrite[], generation: number) {
  if (writes.length === 0) return { embedded: 0, retried: 0 }
  try {
    await deps.vectors.put(writes, generation)
    return { embedded: writes.length, retried: 0 }
  } catch (error) {
    if (writes.length === 1) {
      // A page has rewritten the document, or another run has embedded it.
      if (isGuardFailure(error) || isSlotTaken(error)) return { embedded: 0, retried: 0 }
      return { embedded: 0, retried: await retryAllLater(deps, [{ owner: writes[0]! }], error) }
    }
  }
  const sum = { embedded: 0, retried: 0 }
  for (const one of writes) {
    const done = await write(deps, [one], generation)
    sum.embedded += done.embedded
    sum.retried += done.retried
  }
  return sum
}

async function retryAllLater(
  { index, now, log }: EmbedDependencies,
  some: readonly { readonly owner: VectorsOwner }[],
  error: unknown,
): Promise<number> {
  for (const { owner } of some) await retryLater(index, 'vectors', owner.document, error, now())
  if (some.length > 0) log.error('vectors_retried_later', { documents: some.length })
  return some.length
}
