/** A message store with the tests' embedder, and access to the vectors that it stores. */
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, inject, vi } from 'vitest'
import { HASHED_DIMENSIONS } from './hashed-embedder.ts'
import { TestStore } from './memory-world.ts'

/** Configures the embedder of objects that are created from now on; undefined removes a setting. */
export function configure(settings: Partial<Record<'EMBEDDER' | `EMBEDDER_${string}`, string | undefined>> = {}): void {
  Object.assign(env, {
    EMBEDDER: undefined,
    EMBEDDER_URL: inject('embedderUrl'),
    EMBEDDER_MODEL: 'hashed',
    EMBEDDER_DIMENSIONS: String(HASHED_DIMENSIONS),
    EMBEDDER_MESSAGE_WEIGHT: '0.3',
    EMBEDDER_KEY: 'test-key',
    ...settings,
  })
}

export const NO_EMBEDDER = { EMBEDDER: 'none' }

/** No setting of an embedder, as most installations have it. */
export const NO_SETTINGS = {
  EMBEDDER_URL: undefined,
  EMBEDDER_MODEL: undefined,
  EMBEDDER_DIMENSIONS: undefined,
  EMBEDDER_MESSAGE_WEIGHT: undefined,
  EMBEDDER_KEY: undefined,
}

/** They have no word in common, but letters, by which the tests' embedder makes them similar. */
export const [CONTENT, QUESTION] = ['photosynthesis', 'biosynthesis'] as const

export const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

/** Configures the embedder before each test of a file, and watches what is sent to it. */
export function watchEmbedder() {
  const realFetch = globalThis.fetch
  let send = vi.spyOn(globalThis, 'fetch')
  beforeEach(() => {
    configure()
    send = vi.spyOn(globalThis, 'fetch')
  })
  afterEach(() => send.mockRestore())

  /** Batches in order. */
  const batches = () =>
    send.mock.calls.map(([, init]) => (JSON.parse(init?.body as string) as { input: string[] }).input)

  return {
    realFetch,
    /** The spy of this test. Reset, it sends again. */
    send: () => send,
    batches,
    /** Texts of all batches. */
    sent: () => batches().flat(),
    down: () => send.mockImplementation(() => Promise.reject(new Error('down'))),
    /** Never answers, and ends when the caller gives up. */
    hang: () =>
      send.mockImplementation(
        (_, init) =>
          new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
      ),
  }
}

/** Time in ms that a test waits for vectors. */
const WAIT_MS = 10_000

export class VectorStore extends TestStore {
  /** Resolves when no message has pending vectors. */
  async allEmbedded(): Promise<void> {
    for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
      if ((await this.pendingVectors()) === 0) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('vectors are still pending')
  }

  /** The same, without the delays after failures of the embedder. */
  async allEmbeddedAfterFailures(): Promise<void> {
    for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
      if ((await this.pendingVectors()) === 0) return
      await this.retryNow()
      // The runtime listens to no server while calls follow one another without a pause.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('vectors are still pending')
  }

  /** Number of messages with pending vectors. */
  async pendingVectors(): Promise<number> {
    const [found] = await this.sql(
      `SELECT (SELECT count(*) FROM messages WHERE deleted = 0 AND sequence > vectors_upto)
        + (SELECT count(*) FROM pending_vectors) AS pending FROM store`,
    )
    return found?.['pending'] as number
  }

  /** Contents of messages that have vectors, in order, one for each vector. */
  async embedded(): Promise<string[]> {
    const found = await this.sql(
      `SELECT coalesce(m.content, '(none)') AS content FROM vectors v LEFT JOIN messages m
      ON m.sequence = v.chunk / 8192 AND m.deleted = 0 ORDER BY v.chunk`,
    )
    return found.map(({ content }) => content as string)
  }

  /** Chunks of the vectors and of the sketches, ascending. The two lists must be equal. */
  async chunks(): Promise<{ vectors: number[]; sketches: number[] }> {
    const vectors = await this.sql('SELECT chunk FROM vectors ORDER BY chunk')
    const packs = await this.sql('SELECT records FROM sketches')
    const sketches = packs.flatMap(({ records }) => {
      const bytes = new DataView(records as unknown as ArrayBuffer)
      return Array.from(
        { length: bytes.byteLength / 138 },
        (_, at) => bytes.getUint16(at * 138 + 128) * 2 ** 32 + bytes.getUint32(at * 138 + 130),
      )
    })
    return { vectors: vectors.map(({ chunk }) => chunk as number), sketches: sketches.sort((a, b) => a - b) }
  }

  /** Makes all delayed vectors due now and runs the alarm. */
  async retryNow(): Promise<void> {
    await this.sql('UPDATE store SET vectors_not_before = 0')
    await this.sql('UPDATE pending_vectors SET due_at = 0')
    await this.ring()
  }
}

/** A store with five messages, of which two were updated and one, of several pages, was deleted. */
export async function usedStore(): Promise<VectorStore> {
  const store = new VectorStore()
  const messages = []
  for (const content of ['apple', 'pear', 'plum '.repeat(2_000), 'quince', 'medlar'])
    messages.push(await store.write(content))
  await store.update(messages[0]!.message_id, { content: 'apricot' })
  await store.update(messages[1]!.message_id, { metadata: { tags: ['fruit'] } })
  await store.delete(messages[2]!.message_id)
  return store
}
