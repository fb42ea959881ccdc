/**
 * Octokit on answers that are already whole: it would take a cut or malformed
 * body for text. Octokit forms addresses, bodies and errors; the fetch below
 * sends, counts and checks. Only the two addresses of the API are reached.
 */
import { GraphqlResponseError } from '@octokit/graphql'
import { request } from '@octokit/request'
import { RequestError } from '@octokit/request-error'
import { VERSION } from '../contracts/version.ts'
import { isWithin } from './address.ts'
import { failBecause } from './fault.ts'
import type { GitHubResult } from './github.ts'
import { readWhole, type WireOptions } from './whole-answer.ts'

export type OctokitRequest = typeof request

/** An answer of the API with any status; a good one has data of the expected kind. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
  /** Of a GraphQL answer. */
  readonly errors?: unknown
}

export interface SendOptions extends WireOptions {
  readonly api: string
  readonly graphql: string
  /** The value of the Authorization header; absent for anonymous requests. */
  readonly authorization: string | undefined
  /** The kind of a good answer's body. */
  readonly expects: 'array' | 'object'
  /** Called before each attempt. */
  readonly onAttempt: () => void
}

/** `ask` sends one request by the client it is given and returns the data of its answer. */
export async function sendByOctokit(
  options: SendOptions,
  ask: (client: OctokitRequest) => Promise<unknown>,
): Promise<GitHubResult<ApiAnswer>> {
  const wire = openWire(options)
  try {
    const data = await ask(request.defaults(toDefaults(options, wire)))
    return toAnswer(wire, data, options.expects)
  } catch (error) {
    const { seen } = wire
    if (error instanceof GraphqlResponseError && seen !== undefined) {
      return { ok: true, value: { ...seen, data: error.data, errors: error.errors } }
    }
    if (!(error instanceof RequestError)) {
      if (seen === undefined) throw error
      return failBecause('GitHub answered in a form that is not expected')
    }
    if (error.cause instanceof UnusableAnswer) return failBecause(error.cause.message)
    if (seen === undefined) throw error
    return { ok: true, value: { ...seen, data: error.response?.data } }
  }
}

/** The outcome of the attempt as far as Octokit does not pass it on. */
interface Wire {
  seen?: { readonly status: number; readonly headers: Headers }
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** Ends the attempt inside Octokit, which keeps it as the cause of its own error. */
class UnusableAnswer extends Error {}

function toAnswer({ seen }: Wire, data: unknown, expects: 'array' | 'object'): GitHubResult<ApiAnswer> {
  if (seen === undefined) return failBecause('GitHub was not asked')
  const isGood = seen.status < 300
  const isExpected = typeof data === 'object' && data !== null && Array.isArray(data) === (expects === 'array')
  if (isGood && !isExpected) return failBecause(`GitHub's answer is not the JSON ${expects} that was expected`)
  return { ok: true, value: { ...seen, data } }
}

function openWire(options: SendOptions): Wire {
  const wire: Wire = {
    fetch: async (url, { method, headers, body }) => {
      if (!isWithin(options.api, url) && url !== options.graphql) {
        throw new UnusableAnswer('the address is not one of the API')
      }
      options.onAttempt()
      const answer = await readWhole(
        url,
        { ...(method && { method }), ...(headers && { headers }), ...(body && { body }) },
        options,
      )
      if (!answer.ok) throw new UnusableAnswer('reason' in answer.fault ? answer.fault.reason : 'GitHub was not asked')
      const { status, headers: answered, bytes } = answer.value
      const problem = status >= 200 && status < 300 ? findProblem(status, answered, bytes) : undefined
      if (problem !== undefined) throw new UnusableAnswer(problem)
      wire.seen = { status, headers: answered }
      const type = isJson(answered) ? 'application/json' : 'text/plain'
      return new Response(status === 304 ? null : bytes, { status, headers: { 'content-type': type } })
    },
  }
  return wire
}

/** Octokit parses what this lets through; a body that is no JSON to its end becomes text there. */
function findProblem(status: number, headers: Headers, bytes: Uint8Array): string | undefined {
  if (status !== 200 && status !== 201) return `GitHub answered HTTP ${status}`
  if (bytes.byteLength === 0) return "GitHub's answer is empty"
  return isJson(headers) ? undefined : "GitHub's answer is not JSON"
}

function isJson(headers: Headers): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}

function toDefaults({ authorization }: SendOptions, wire: Wire): Parameters<OctokitRequest['defaults']>[0] {
  return {
    headers: {
      accept: 'application/vnd.github+json',
      'user-agent': `kotodama/${VERSION}`,
      'x-github-api-version': '2022-11-28',
      ...(authorization !== undefined && { authorization }),
    },
    // Octokit would write deprecations to the console.
    request: { fetch: wire.fetch, log: { warn: () => undefined } },
  }
}
