/** A message store with the tests' embedder, and a look at what the store keeps of vectors. */
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { HASHED_DIMENSIONS } from './hashed-embedder.ts'
import { TestStore } from './memory-world.ts'

/** For objects that are made from now on; what is undefined is not set. */
export function configure(settings: Partial<Record<`EMBEDDER_${string}`, string | undefined>> = {}): void {
  Object.assign(env, {
    EMBEDDER_URL: inject('embedderUrl'),
    EMBEDDER_MODEL: 'hashed',
    EMBEDDER_DIMENSIONS: String(HASHED_DIMENSIONS),
    EMBEDDER_WEIGHT: '0.3',
    EMBEDDER_KEY: 'test-key',
    ...settings,
  })
}

export const NO_EMBEDDER = { EMBEDDER_URL: undefined }

/** How long a test waits for vectors, in ms. */
const WAIT_MS = 10_000

export class MeaningStore extends TestStore {
  /** Resolves when no message owes vectors. */
  async settled(): Promise<void> {
    for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
      if ((await this.owed()) === 0) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('vectors are owed still')
  }

  /** The same, however often the embedder has failed. */
  async settledInTheEnd(): Promise<void> {
    for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
      if ((await this.owed()) === 0) return
      await this.due()
      // The runtime listens to no server while calls follow one another without a pause.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('vectors are owed still')
  }

  /** How many messages owe vectors. */
  async owed(): Promise<number> {
    const [found] = await this.sql(
      `SELECT (SELECT count(*) FROM messages WHERE deleted = 0 AND sequence > vectors_upto)
        + (SELECT count(*) FROM pending_vectors) AS owed FROM store`,
    )
    return found?.['owed'] as number
  }

  /** Contents of messages that have vectors, in order, once for each vector. */
  async embedded(): Promise<string[]> {
    const found = await this.sql(
      `SELECT coalesce(m.content, '(none)') AS content FROM vectors v LEFT JOIN messages m
      ON m.sequence = v.chunk / 8192 AND m.deleted = 0 ORDER BY v.chunk`,
    )
    return found.map(({ content }) => content as string)
  }

  /** Chunks of the vectors, and those of the sketches, each ascending: always the same. */
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

  /** What was put off is due now. */
  async due(): Promise<void> {
    await this.sql('UPDATE store SET vectors_not_before = 0')
    await this.sql('UPDATE pending_vectors SET due_at = 0')
    await this.ring()
  }
}
