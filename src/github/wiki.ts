/**
 * A public wiki over plain HTTP: its git head, its list of pages and its raw
 * pages. The token is never sent here. Redirects are followed on the same
 * server only, as renamed repositories have them.
 */
import { toText } from '../base/utf8.ts'
import { VERSION } from '../contracts/version.ts'
import { isWithin, resolveAddress } from './address.ts'
import { fail, failBecause, textOf } from './fault.ts'
import type { GitHub, GitHubResult, WikiPageAnswer } from './github.ts'
import type { LimitGate } from './limit-gate.ts'
import { MAX_REDIRECTS } from './limits.ts'
import { readHead } from './pkt-lines.ts'
import { readWhole, type WholeAnswer, type WireOptions } from './whole-answer.ts'

export interface WikiParts extends WireOptions {
  readonly serverUrl: string
  readonly rawUrl: string
  /** The limits of anonymous requests. */
  readonly gate: LimitGate
  /** Called before each attempt. */
  readonly count: () => void
}

type Wiki = Pick<GitHub, 'readWikiHead' | 'readWikiPageList' | 'readWikiPage'>

export function openWiki(parts: WikiParts, repository: string): Wiki {
  const { serverUrl, rawUrl } = parts
  return {
    async readWikiHead() {
      const address = `${serverUrl}/${repository}.wiki.git/info/refs?service=git-upload-pack`
      const answer = await getWeb(parts, { base: serverUrl, address, ending: '.wiki.git/info/refs' })
      if (!answer.ok) return answer
      // A server asks for a password where there is nothing that anyone may read.
      if (answer.value.status === 401 || isNoWiki(answer.value)) return { ok: true, value: undefined }
      if (answer.value.status !== 200) return refuseWeb(answer.value)
      // The form of the lines proves more than the type.
      const read = readHead(answer.value.bytes)
      return read === undefined ? failBecause(NO_REFERENCES) : { ok: true, value: read.head }
    },

    async readWikiPageList() {
      const address = `${serverUrl}/${repository}/wiki/_pages`
      const answer = await getWeb(parts, { base: serverUrl, address, ending: '/wiki/_pages' })
      if (!answer.ok) return answer
      if (isNoWiki(answer.value)) return { ok: true, value: undefined }
      const { status, bytes } = answer.value
      if (status !== 200) return refuseWeb(answer.value)
      if (bytes.byteLength === 0 || typeOf(answer.value) !== 'text/html')
        return failBecause('the list of wiki pages is not HTML')
      return { ok: true, value: toText(bytes) }
    },

    async readWikiPage(file, etag) {
      const folder = `${rawUrl}/wiki/${repository}`
      // Names come from a page that anyone may edit: one with half a character or dots would lead elsewhere.
      const address = `${folder}/${file.toWellFormed().split('/').map(encodeURIComponent).join('/')}`
      if (!isWithin(folder, address)) return { ok: true, value: { kind: 'absent' } }
      const answer = await getWeb(parts, { base: rawUrl, address, ...(etag !== undefined && { etag }) })
      return answer.ok ? toPage(answer.value, etag) : answer
    },
  }
}

const NO_REFERENCES = 'the wiki answered with something else than its references'

/** Without a wiki the server leads to the repository, or to its login. */
function isNoWiki(answer: WholeAnswer): boolean {
  return answer.status === 404 || isRedirect(answer)
}

/** Raw files are text, or of a type that the server does not know; HTML is a page about something else. */
const RAW_TYPES = /^(text\/(?!html)[\w.+-]+|application\/octet-stream|)$/

/** A page may be empty, but then its length says so. */
function toPage(answer: WholeAnswer, etag: string | undefined): GitHubResult<WikiPageAnswer> {
  const { status, headers, bytes } = answer
  if (status === 304 && etag !== undefined) return { ok: true, value: { kind: 'unchanged' } }
  if (status === 404) return { ok: true, value: { kind: 'absent' } }
  if (status !== 200) return refuseWeb(answer)
  if (!RAW_TYPES.test(typeOf(answer))) return failBecause('a wiki page is not plain text')
  if (bytes.byteLength === 0 && headers.get('content-length') !== '0')
    return failBecause('a wiki page is empty without saying so')
  const version = headers.get('etag')
  // People commit files in any encoding, so bytes that are not UTF-8 are replaced.
  return { ok: true, value: { kind: 'ok', text: toText(bytes), ...(version !== null && { etag: version }) } }
}

interface WebTarget {
  /** Redirects stay below it. */
  readonly base: string
  readonly address: string
  readonly etag?: string
  /** Of the path: a redirect to another path is answered, not followed. */
  readonly ending?: string
}

async function getWeb(
  { fetch, timeLimitMs, gate, count }: WikiParts,
  target: WebTarget,
): Promise<GitHubResult<WholeAnswer>> {
  const { base, etag, ending = '' } = target
  const headers = { 'user-agent': `kotodama/${VERSION}`, ...(etag !== undefined && { 'if-none-match': etag }) }
  let { address } = target
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const waiting = await gate.check('rest')
    if (waiting !== undefined) return waiting
    count()
    const answer = await readWhole(address, { headers }, { fetch, timeLimitMs })
    if (!answer.ok) return answer
    const { status, headers: answered, bytes } = answer.value
    const text = status === 403 || status === 429 ? textOf(toText(bytes)) : ''
    const wait = await gate.learn('rest', { status, headers: answered, text })
    if (wait !== undefined) return wait
    if (!isRedirect(answer.value)) return answer
    const location = resolveAddress(answered.get('location') ?? 'none:', address)
    if (location === undefined || !isWithin(base, location)) return failBecause('the wiki redirected to another server')
    if (!new URL(location).pathname.endsWith(ending)) return answer
    address = location
  }
  return failBecause(`the wiki redirected more than ${MAX_REDIRECTS} times`)
}

function isRedirect({ status }: WholeAnswer): boolean {
  return status >= 300 && status < 400 && status !== 304
}

function refuseWeb({ status }: WholeAnswer): GitHubResult<never> {
  const reason = `the wiki answered HTTP ${status}`
  return status >= 400 && status < 500 ? fail({ kind: 'refused', status, reason }) : failBecause(reason)
}

function typeOf({ headers }: WholeAnswer): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
