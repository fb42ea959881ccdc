/** Requests to a scripted GitHub as a plain client makes them, for tests of the server itself. */
import type { ScriptedGitHub } from './scripted-github.ts'

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON; text where it is none. */
  readonly body: Body
  /** The address of the next page. */
  readonly next: string | undefined
}

export interface AskOptions {
  /** Null is an anonymous request; the world's own token if absent. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

/** `path` below the API, or a whole address. Redirects are not followed. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely.
export async function ask<Body = any>(
  github: ScriptedGitHub,
  path: string,
  { token = github.token, headers = {}, method = 'GET' }: AskOptions = {},
): Promise<Answer<Body>> {
  const address = path.startsWith('http') ? path : github.urls.api + path
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(address, {
    method,
    headers: { 'user-agent': 'test', ...authorization, ...headers },
    redirect: 'manual',
  })
  const text = await response.text()
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return { status: response.status, headers: response.headers, body: toBody(text) as Body, next }
}

function toBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** All items of a list, page after page. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely.
export async function askAll<Item = any>(
  github: ScriptedGitHub,
  path: string,
  options: AskOptions = {},
): Promise<Item[]> {
  const items: Item[] = []
  for (let at: string | undefined = path; at !== undefined;) {
    const page: Answer<Item[]> = await ask<Item[]>(github, at, options)
    items.push(...page.body)
    at = page.next
  }
  return items
}

/** The whole answer to a query: data and errors. */
export async function askGraphql(
  github: ScriptedGitHub,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  token: string | null = github.token,
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely.
): Promise<{ readonly status: number; readonly data?: any; readonly errors?: any[] }> {
  const response = await fetch(github.urls.graphql, {
    method: 'POST',
    headers: { 'user-agent': 'test', ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  })
  const body = toBody(await response.text())
  return { ...(typeof body === 'object' ? body : {}), status: response.status }
}
