/**
 * The product with objects that record the statements of a call and run such
 * statements again by themselves. Only the bench uses it.
 */
import { parseMessageLines, type MessageLine } from '../../../src/contracts/messages/message-lines.ts'
import type { Env } from '../../../src/app.ts'
import product, { MessageStore as ProductStore } from '../../../src/worker.ts'

export interface CountedStatement {
  readonly sql: string
  readonly values: readonly SqlStorageValue[]
}

/** Statements to run. A change is one transaction and answered after it is durable. */
export interface Replay {
  readonly isChange: boolean
  readonly statements: readonly CountedStatement[]
}

type Rows = readonly Record<string, SqlStorageValue>[]

interface BenchStub {
  importMessages(messages: readonly MessageLine[]): Promise<object>
  record(): Promise<void>
  takeStatements(): Promise<CountedStatement[]>
  replay(replay: Replay): Promise<Rows>
}

export class MessageStore extends ProductStore {
  readonly #sql: SqlStorage
  readonly #recorder: Recorder

  constructor(ctx: DurableObjectState, env: Env) {
    const { sql } = ctx.storage
    const recorder = new Recorder(sql)
    Object.defineProperty(ctx.storage, 'sql', { value: recorder })
    super(ctx, env)
    this.#sql = sql
    this.#recorder = recorder
  }

  async record(): Promise<void> {
    this.#recorder.statements = []
  }

  /** Returns the statements since `record` and ends the recording. */
  async takeStatements(): Promise<CountedStatement[]> {
    const { statements = [] } = this.#recorder
    this.#recorder.statements = undefined
    return statements
  }

  /** Reads the rows of all statements and returns those of the last. */
  async replay({ isChange, statements }: Replay): Promise<Rows> {
    let rows: Rows = []
    const all = (): void => {
      for (const { sql, values } of statements) rows = this.#sql.exec(sql, ...values).toArray()
    }
    if (!isChange) all()
    else {
      this.ctx.storage.transactionSync(all)
      await this.ctx.storage.sync()
    }
    return rows
  }
}

/** The SQL storage of an object, which records statements on request. */
class Recorder {
  statements: CountedStatement[] | undefined
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get databaseSize(): number {
    return this.#sql.databaseSize
  }

  exec(sql: string, ...values: SqlStorageValue[]) {
    this.statements?.push({ sql, values })
    return this.#sql.exec(sql, ...values)
  }
}

export default {
  async fetch(request, env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const stub = env.MESSAGES.get(env.MESSAGES.idFromName(searchParams.get('user') ?? '')) as unknown as BenchStub
    switch (pathname) {
      case '/import': {
        const messages = parseMessageLines(await request.text())
        if (!messages.ok) throw new Error(messages.failure.message)
        return Response.json(await stub.importMessages(messages.value))
      }
      case '/record':
        await stub.record()
        return Response.json({})
      case '/statements':
        return Response.json(await stub.takeStatements())
      case '/replay':
        return Response.json(await stub.replay((await request.json()) as Replay))
      default:
        return product.fetch(request, env)
    }
  },
} satisfies ExportedHandler<Env>
