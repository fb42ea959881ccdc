/**
 * The Worker over a scripted GitHub, on the D1 of the test file: its routes as an
 * operator calls them, deliveries as GitHub sends them, and what its index holds
 * beside what it must hold.
 */
import { env } from 'cloudflare:workers'
import { toApp, type Env } from '../../../src/app.ts'
import { ok } from '../../../src/base/result.ts'
import type { PollAnswer } from '../../../src/contracts/admin/poll-contract.ts'
import type { ReconcileAnswer } from '../../../src/contracts/admin/reconcile-contract.ts'
import type { RepositoryStatus, StatusAnswer } from '../../../src/contracts/admin/status-contract.ts'
import { toPageLine } from '../../../src/contracts/import/write-page.ts'
import type { Settings } from '../../../src/contracts/settings/read-settings.ts'
import type { SettingTexts } from '../../../src/contracts/settings/setting-texts.ts'
import type { App } from '../../../src/http/route.ts'
import { handle } from '../../../src/http/server.ts'
import { exportDocuments } from '../../../src/index/documents/export-documents.ts'
import { ORIGIN } from '../app.ts'
import { expectLines, type Line } from './compared-lines.ts'
import { githubSettings } from './github-test-settings.ts'
import type { ScriptedGitHub, SignedDelivery } from './scripted-github.ts'
import type { ExpectedOptions } from './truth/expected-documents.ts'

const ADMIN_TOKEN = 'admin-token-of-tests'

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

export interface Failed {
  readonly error?: { readonly code: string; readonly message: string; readonly retry_after_ms?: number }
}

interface ProductOptions {
  readonly texts?: SettingTexts
  readonly database?: D1Database
  readonly now?: () => number
}

export class Product {
  readonly app: App
  readonly #database: D1Database

  /** Reads `acme/app` with the token of the world; `texts` are settings beside these. */
  constructor(github: ScriptedGitHub, { texts = {}, database = env.DB, now = Date.now }: ProductOptions = {}) {
    const { api, graphql, server, raw } = github.urls
    const settings: Settings = {
      mode: 'local',
      allowedOrigins: [],
      adminToken: ADMIN_TOKEN,
      embedder: undefined,
      reranker: undefined,
      github: githubSettings({
        GITHUB_REPOSITORIES: 'acme/app',
        GITHUB_TOKEN: github.token,
        GITHUB_API_URL: api,
        GITHUB_GRAPHQL_URL: graphql,
        GITHUB_SERVER_URL: server,
        GITHUB_RAW_URL: raw,
        GITHUB_WEBHOOK_SECRET: github.secret,
        ...texts,
      }),
    }
    const log = { info: () => {}, error: () => {} }
    const bindings: Env = { DB: database, MESSAGES: env.MESSAGES }
    this.app = toApp(bindings, settings, { log, now })
    this.#database = database
  }

  async admin<Body>(method: string, path: string, body?: string): Promise<Answer<Body & Failed>> {
    const headers = { host: new URL(ORIGIN).host, authorization: `Bearer ${ADMIN_TOKEN}` }
    const init = { method, headers, ...(body !== undefined && { body }) }
    const response = await handle(new Request(new URL(`/admin/${path}`, ORIGIN), init), ok(this.app))
    return { status: response.status, body: await response.json() }
  }

  poll(query = ''): Promise<Answer<PollAnswer & Failed>> {
    return this.admin('POST', `poll${query}`)
  }

  reconcile(query = ''): Promise<Answer<ReconcileAnswer & Failed>> {
    return this.admin('POST', `reconcile${query}`)
  }

  async maintain(): Promise<{ readonly fetched: number }> {
    return (await this.admin<{ fetched: number }>('POST', 'maintenance')).body
  }

  /** Runs of one round, until it is complete; the answers in their order. Throws if it does not end. */
  async pollToEnd(query = ''): Promise<PollAnswer[]> {
    return toEnd(() => this.poll(query))
  }

  async reconcileToEnd(query = ''): Promise<ReconcileAnswer[]> {
    return toEnd(() => this.reconcile(query))
  }

  /** One healthy pass: everything is read, compared, and read again where that is pending. */
  async heal(): Promise<void> {
    await this.pollToEnd('?force=true')
    await this.reconcileToEnd('?force=true')
    await this.maintain()
    await this.pollToEnd('?force=true')
  }

  /** As GitHub posts it. */
  async deliver({ body, headers }: Pick<SignedDelivery, 'body' | 'headers'>): Promise<Answer<any>> {
    const all = { host: new URL(ORIGIN).host, ...headers }
    const request = new Request(new URL('/webhooks/github', ORIGIN), { method: 'POST', headers: all, body })
    const response = await handle(request, ok(this.app))
    return { status: response.status, body: await response.json() }
  }

  async status(): Promise<StatusAnswer> {
    return (await this.admin<StatusAnswer>('GET', 'status')).body
  }

  async repository(name = 'acme/app'): Promise<RepositoryStatus> {
    const { repositories } = await this.status()
    return repositories.find(({ repo }) => repo === name)!
  }

  /** The index as lines of the page schema, by type and identity. */
  async lines(): Promise<Line[]> {
    const lines: Line[] = []
    for await (const batch of exportDocuments({ database: this.#database })) {
      for (const document of batch) lines.push(JSON.parse(toPageLine(document)) as Line)
    }
    return lines
  }
}

async function toEnd<Body extends PollAnswer>(run: () => Promise<Answer<Body & Failed>>): Promise<Body[]> {
  const answers: Body[] = []
  for (let runs = 0; runs < 5_000; runs += 1) {
    const { status, body } = await run()
    if (status !== 200) throw new Error(JSON.stringify(body))
    answers.push(body)
    if (body.done) return answers
    if (body.retry_after_ms !== undefined) throw new Error(`waits: ${JSON.stringify(body)}`)
  }
  throw new Error('the round does not end')
}

/** The index equals the truth; commits that pull requests hold may be there or not. */
export async function expectConverged(
  product: Product,
  github: ScriptedGitHub,
  options: ExpectedOptions = {},
): Promise<void> {
  expectLines(await product.lines(), await github.expected(options))
}
