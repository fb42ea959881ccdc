/**
 * A user's message store in its own Durable Object, called through the client of
 * the product, with a test's access to its storage. Answers are in the full form
 * unless a test asks for the compact one.
 */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { FailureCode } from '../../src/base/failure.ts'
import type { Result } from '../../src/base/result.ts'
import type { Message, MetadataChange, ShownMessage } from '../../src/contracts/messages/message-fields.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../../src/contracts/tools/search-messages.ts'
import type { WriteMessageArguments } from '../../src/contracts/tools/write-message.ts'
import type {
  HistoryArguments,
  ContentArguments,
  ContextArguments,
  SessionsArguments,
} from '../../src/contracts/tools/read-messages.ts'
import type {
  ContentAnswer,
  ContextAnswer,
  HistoryAnswer,
  SessionsAnswer,
} from '../../src/contracts/tools/read-messages-answers.ts'
import { toMemory, type Memory } from '../../src/memory/memory.ts'

export const memory: Memory = toMemory(stubOf)

/** An answer in the full form: every message has all its fields. */
type Full<Answer> = Answer extends ShownMessage
  ? Message & Omit<Answer, keyof Message | 'score_breakdown'> & { score_breakdown: Required<Scores> }
  : Answer extends readonly (infer Item)[]
    ? Full<Item>[]
    : Answer extends object
      ? { [Field in keyof Answer]: Full<Answer[Field]> }
      : Answer
type Scores = NonNullable<SearchMessagesAnswer['results'][number]['score_breakdown']>

function stubOf(user: string) {
  return env.MESSAGES.get(env.MESSAGES.idFromName(user))
}

/** The store of a new user. */
export class TestStore {
  readonly user: string

  constructor(user: string = crypto.randomUUID()) {
    this.user = user
  }

  async write(content: string, more: Partial<WriteMessageArguments> = {}): Promise<Message> {
    const { message } = value(await this.tryWrite(content, more))
    if (message === undefined) throw new Error('the write answered without a message')
    return message
  }

  tryWrite(content: string, more: Partial<WriteMessageArguments> = {}) {
    return memory.write(this.user, { session_id: 's', role: 'user', metadata: {}, content, ...more })
  }

  update(message_id: string, change: { content?: string; metadata?: MetadataChange; expected_revision?: number }) {
    return memory.update(this.user, { message_id, ...change })
  }

  delete(message_id: string, session_id?: string) {
    return memory.delete(this.user, { message_id, ...(session_id !== undefined && { session_id }) })
  }

  history(more: Partial<HistoryArguments> = {}) {
    const args: HistoryArguments = {
      view: 'history',
      session_id: 's',
      limit: 100,
      order: 'asc',
      detail: 'full',
      ...more,
    }
    return memory.read(this.user, args) as Promise<Result<Full<HistoryAnswer>>>
  }

  content(message_id: string, more: Partial<ContentArguments> = {}) {
    const args: ContentArguments = { view: 'content', message_id, content_offset: 0, content_limit: 4096, ...more }
    return memory.read(this.user, args) as Promise<Result<ContentAnswer>>
  }

  context(message_id: string, more: Partial<ContextArguments> = {}) {
    const args: ContextArguments = {
      view: 'context',
      message_id,
      before: 1,
      after: 1,
      relation_depth: 1,
      relation_types: [],
      detail: 'full',
      ...more,
    }
    return memory.read(this.user, args) as Promise<Result<Full<ContextAnswer>>>
  }

  sessions(more: Partial<SessionsArguments> = {}) {
    const args: SessionsArguments = { view: 'sessions', limit: 100, order: 'asc', detail: 'full', ...more }
    return memory.read(this.user, args) as Promise<Result<SessionsAnswer>>
  }

  search(query: string, more: Partial<SearchMessagesArguments> = {}) {
    return this.list({ query, ...more })
  }

  /** A search without a query. */
  list(more: Partial<SearchMessagesArguments> = {}) {
    return memory.search(this.user, {
      filters: NO_FILTERS,
      min_importance: 0,
      context_size: 0,
      limit: 20,
      detail: 'full',
      ...more,
    }) as Promise<Result<Full<SearchMessagesAnswer>>>
  }

  /** Contents of the results, best first. */
  async found(query: string, more: Partial<SearchMessagesArguments> = {}): Promise<string[]> {
    return value(await this.search(query, more)).results.map(({ content }) => content)
  }

  health() {
    return memory.health(this.user).then(value)
  }

  rebuild() {
    return memory.rebuild(this.user)
  }

  /** All messages of a session, read page by page, and the number of pages. */
  async walk(more: Partial<HistoryArguments> = {}): Promise<{ messages: Message[]; pages: number }> {
    const messages: Message[] = []
    for (let pages = 1, cursor: string | undefined; ; pages += 1) {
      const page = value(await this.history({ ...more, ...(cursor !== undefined && { cursor }) }))
      messages.push(...page.history)
      cursor = page.nextCursor
      if (cursor === undefined) return { messages, pages }
      if (pages > 10_000) throw new Error('the walk does not end')
    }
  }

  /** Evicts the object; the next call opens its store again. */
  restart(): Promise<void> {
    return evictDurableObject(stubOf(this.user))
  }

  /** Aborts the object in the middle of its work. */
  async abort(): Promise<void> {
    await runInDurableObject(stubOf(this.user), (_, state) => state.abort('stopped by a test')).catch(() => undefined)
  }

  /** Runs the alarm now; false when none is set. */
  ring(): Promise<boolean> {
    return runDurableObjectAlarm(stubOf(this.user))
  }

  /** Time of the alarm in Unix ms. */
  alarm(): Promise<number | null> {
    return runInDurableObject(stubOf(this.user), (_, state) => state.storage.getAlarm())
  }

  /** Adds messages without index rows, as in a store that needs a rebuild. Number 77 contains `needle`. */
  async fill(messages: number): Promise<void> {
    await this.sql(
      `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?)
      INSERT INTO messages SELECT value + 10, printf('01ARZ3NDEKTSV4RRFF%08d', value), 1, value + 10, 0, 1, 1, 1, 'user',
        'short', 'conversation', 50, NULL, NULL, '[]', '[]', '[]', NULL, 100, 10,
        CASE value WHEN 77 THEN 'needle in row 77' ELSE 'row ' || value END
      FROM n`,
      messages,
    )
    await this.sql('UPDATE store SET live_messages = ?', messages + 1)
  }

  /** Runs SQL directly on the storage of the object. */
  sql(statement: string, ...values: (string | number | null)[]): Promise<Record<string, unknown>[]> {
    return runInDurableObject(stubOf(this.user), (_, state) => state.storage.sql.exec(statement, ...values).toArray())
  }
}

export const NO_FILTERS: SearchMessagesArguments['filters'] = { kinds: [], tiers: [], tags: [], hide_superseded: false }

/** The value of a result; throws for a refusal. */
export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.failure.code} ${result.failure.message}`)
  return result.value
}

/** The code of a refusal, or `ok`. */
export function codeOf(result: Result<unknown>): FailureCode | 'ok' {
  return result.ok ? 'ok' : result.failure.code
}

/** Writes messages one after another into one session. */
export async function written(store: TestStore, contents: readonly string[], session_id = 's') {
  const messages = []
  for (const content of contents) messages.push(await store.write(content, { session_id }))
  return messages
}
