/**
 * The whole product beside a scripted GitHub: `npm start` as a process with the
 * settings of a world, its admin routes, its search and its webhook over HTTP.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PollAnswer } from '../../../src/contracts/admin/poll-contract.ts'
import type { RepositoryStatus, StatusAnswer } from '../../../src/contracts/admin/status-contract.ts'
import type { HybridAnswer } from '../../../src/contracts/tools/search-answers.ts'
import { startServer, type Lock, type StartedServer } from '../started-server.ts'
import type { ScriptedGitHub, SignedDelivery } from './scripted-github.ts'

/** Settings of the tests' own environment, which must not reach the product. */
const NOT_SET = Object.fromEntries(
  ['REPOSITORIES', 'TOKEN', 'APP_ID', 'APP_PRIVATE_KEY', 'WEBHOOK_SECRET', 'REQUESTS_PER_RUN'].map((name) => [
    `GITHUB_${name}`,
    '',
  ]),
)

/** The environment of a product that reads this world with its token, and no login of the GitHub CLI. */
function environmentOf({ urls, token, secret }: ScriptedGitHub): Record<string, string> {
  return {
    ...NOT_SET,
    GITHUB_TOKEN: token,
    GITHUB_API_URL: urls.api,
    GITHUB_GRAPHQL_URL: urls.graphql,
    GITHUB_SERVER_URL: urls.server,
    GITHUB_RAW_URL: urls.raw,
    GITHUB_WEBHOOK_SECRET: secret,
  }
}

/** `npm start` on a data folder, in this world; `environment` is set over the world's. */
export function startWithGitHub(
  folder: string,
  github: ScriptedGitHub,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): StartedServer {
  return startServer(folder, args, { ...environmentOf(github), ...environment })
}

export interface Reply<Body> {
  readonly status: number
  readonly body: Body
}

const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}

/** A product that serves. */
export class StartedProduct {
  readonly endpoint: string
  readonly #secret: string

  constructor({ endpoint, secret }: Lock) {
    this.endpoint = endpoint
    this.#secret = secret
  }

  #ask(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(new URL(path, this.endpoint), { method, ...init })
  }

  async admin<Body>(method: string, path: string, body?: string): Promise<Reply<Body>> {
    const response = await this.#ask(method, `/admin/${path}`, {
      headers: { authorization: `Bearer ${this.#secret}` },
      ...(body !== undefined && { body }),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }

  async status(): Promise<StatusAnswer> {
    return (await this.admin<StatusAnswer>('GET', 'status')).body
  }

  async repository(name = 'acme/app'): Promise<RepositoryStatus | undefined> {
    return (await this.status()).repositories.find(({ repo }) => repo === name)
  }

  /** Calls until a round is complete. While another run has its turn it waits. Throws when it is refused or does not end. */
  async pollToEnd(query = ''): Promise<PollAnswer[]> {
    return this.#toEnd('poll', query)
  }

  async reconcileToEnd(query = ''): Promise<PollAnswer[]> {
    return this.#toEnd('reconcile', query)
  }

  async #toEnd(route: string, query: string): Promise<PollAnswer[]> {
    const answers: PollAnswer[] = []
    for (let calls = 0; calls < 5_000; calls += 1) {
      const { status, body } = await this.admin<PollAnswer & { error?: { code: string } }>('POST', route + query)
      if (status === 503 && body.error?.code === 'BUSY') {
        await sleep(250)
        continue
      }
      if (status !== 200) throw new Error(`${route} answered ${status}: ${JSON.stringify(body)}`)
      answers.push(body)
      if (body.done) return answers
      if (body.retry_after_ms !== undefined) throw new Error(`${route} waits: ${JSON.stringify(body)}`)
    }
    throw new Error(`${route} does not end`)
  }

  async maintain(): Promise<{ readonly fetched: number }> {
    return (await this.admin<{ fetched: number }>('POST', 'maintenance')).body
  }

  /** One healthy pass: everything read, compared, and read again where that was pending. */
  async heal(): Promise<void> {
    await this.pollToEnd('?force=true')
    await this.reconcileToEnd('?force=true')
    await this.maintain()
    await this.pollToEnd('?force=true')
  }

  /** The whole export as it is sent. */
  async export(repo?: string): Promise<string> {
    const query = repo === undefined ? '' : `?repo=${repo}`
    const response = await this.#ask('GET', `/admin/export${query}`, {
      headers: { authorization: `Bearer ${this.#secret}` },
    })
    if (!response.ok) throw new Error(`export answered ${response.status}: ${await response.text()}`)
    return response.text()
  }

  async search(args: Readonly<Record<string, unknown>>): Promise<HybridAnswer['results']> {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: args },
    })
    const response = await this.#ask('POST', '/mcp', { headers: MCP_HEADERS, body })
    const text = await response.text()
    const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '')
    const { result } = JSON.parse(json) as { result?: { structuredContent?: HybridAnswer } }
    if (result?.structuredContent === undefined) throw new Error(`search answered ${text.slice(0, 300)}`)
    return result.structuredContent.results
  }

  /** As GitHub posts it. */
  async deliver({ body, headers }: Pick<SignedDelivery, 'body' | 'headers'>): Promise<Reply<any>> {
    const response = await this.#ask('POST', '/webhooks/github', { headers: { ...headers }, body })
    return { status: response.status, body: await response.json() }
  }

  async frontPage(): Promise<string> {
    return (await this.#ask('GET', '/')).text()
  }
}

/** Waits until `look` gives a value. Rejects with what it was waiting for. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | false>,
  ms = 90_000,
): Promise<Value> {
  for (const end = Date.now() + ms; Date.now() < end;) {
    const value = await look()
    if (value !== undefined && value !== false) return value
    await sleep(100)
  }
  throw new Error(`not in time: ${what}`)
}
