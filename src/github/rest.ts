/**
 * A GET of the REST API and the meaning of its statuses. Redirects lead on only
 * within the API; one that leads elsewhere proves nothing and is a fault.
 */
import { isWithin, resolveAddress } from './address.ts'
import { failBecause } from './fault.ts'
import type { GitHubResult, RestAnswer, RestOptions } from './github.ts'
import { MAX_REDIRECTS } from './limits.ts'
import { findNextPage } from './next-page.ts'
import type { Ask, SpokenAnswer } from './session.ts'
import { refuseAnswer } from './session.ts'

/** Sends what it is given, signed. */
export type Asker = (ask: Ask) => Promise<GitHubResult<SpokenAnswer>>

const MOVED = [301, 302, 307, 308]

/** `path` begins with `/`, or is an address of the API. */
export async function getRest(
  api: string,
  path: string,
  options: Pick<RestOptions, 'expects' | 'etag' | 'followMoved'>,
  asker: Asker,
): Promise<GitHubResult<RestAnswer>> {
  let address = path.startsWith('/') ? `${api}${path}` : path
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (!isWithin(api, address)) return failBecause('the address is not one of the API')
    const answer = await asker(toGet(address, options))
    if (!answer.ok) return answer
    const read = readRest(api, address, options, answer.value)
    if (!read.ok || read.value.kind !== 'moved' || options.followMoved !== true) return read
    address = read.value.location
  }
  return failBecause(`GitHub redirected more than ${MAX_REDIRECTS} times`)
}

function toGet(address: string, { expects, etag }: Pick<RestOptions, 'expects' | 'etag'>): Ask {
  return {
    api: 'rest',
    expects,
    // As a variable the address is taken as it is: in a template a colon would begin a variable.
    send: async (client) => {
      const headers = etag === undefined ? {} : { 'if-none-match': etag }
      const { data } = await client('GET {+address}', { address, headers })
      return data as unknown
    },
  }
}

function readRest(
  api: string,
  address: string,
  { etag }: Pick<RestOptions, 'etag'>,
  answer: SpokenAnswer,
): GitHubResult<RestAnswer> {
  const { status, headers, data } = answer
  if (status < 300) return readGood(api, address, answer)
  if (status === 304 && etag !== undefined) return { ok: true, value: { kind: 'unchanged' } }
  if (MOVED.includes(status)) {
    const location = resolveAddress(headers.get('location') ?? 'none:', address)
    if (location === undefined || !isWithin(api, location))
      return failBecause('GitHub redirected to an address that is not on the API')
    return { ok: true, value: { kind: 'moved', location } }
  }
  if (status === 404 || status === 410 || status === 451) {
    return isOwnAnswer(data)
      ? { ok: true, value: { kind: 'absent', status } }
      : failBecause(`HTTP ${status} came without GitHub's own words`)
  }
  if (status === 409 && isOwnAnswer(data)) return { ok: true, value: { kind: 'empty' } }
  return refuseAnswer(answer)
}

function readGood(api: string, address: string, { headers, data }: SpokenAnswer): GitHubResult<RestAnswer> {
  const page = findNextPage(headers.get('link'), address, api)
  if ('problem' in page) return failBecause(page.problem)
  const etag = headers.get('etag')
  return {
    ok: true,
    value: {
      kind: 'ok',
      body: data,
      ...(etag !== null && { etag }),
      ...(page.next !== undefined && { next: page.next }),
    },
  }
}

/** GitHub answers in JSON, or with an empty body. A page in HTML comes from a proxy on the way, and says nothing about the thing asked for. */
function isOwnAnswer(data: unknown): boolean {
  return data === '' || (typeof data === 'object' && data !== null)
}
