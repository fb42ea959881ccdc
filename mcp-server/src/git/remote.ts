/**
 * Derives a project's name, and on GitHub its web addresses, from the address of
 * a remote. Credentials in an address never leave this file.
 */
import { sha256 } from '../../../src/base/hash.ts'
import { encodeUrlPath } from '../../../src/base/url-path.ts'

export interface Remote {
  /** `owner/name`: the last two parts of the address's path. */
  readonly name: string
  readonly github: boolean
}

const URL_FORM = /^(?:https?|ssh|git|git\+ssh|git\+https):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i
const SCP_FORM = /^(?:[^@/\s]+@)?([^/:\s]{2,}):(?!\/\/)(.+)$/
const GITHUB_HOSTS = new Set(['github.com', 'www.github.com', 'ssh.github.com'])

/** Parses an address such as `git@github.com:owner/name.git`; undefined for a path on this machine. */
export function parseRemote(address: string): Remote | undefined {
  const match = URL_FORM.exec(address.trim()) ?? SCP_FORM.exec(address.trim())
  if (match === null) return undefined
  const [, host = '', path = ''] = match
  const parts = path
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .split('/')
    .filter((part) => part !== '' && part !== '~')
  const [owner, name] = parts.slice(-2)
  if (owner === undefined || name === undefined) return undefined
  return { name: `${toNamePart(owner)}/${toNamePart(name)}`, github: GITHUB_HOSTS.has(host.toLowerCase()) }
}

/** `local/<folder>`, for a checkout without a remote. */
export function toLocalName(folder: string): string {
  return `local/${toNamePart(folder)}`
}

/** Keeps letters, digits, `.`, `_` and `-`, as in a repository's name. A name that loses other scripts gets a digest of itself. */
function toNamePart(part: string): string {
  const plain = part
    .normalize('NFC')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  const lost = part.replace(/[\x20-\x7e]/g, '') !== '' || plain === '' || /^\.+$/.test(plain)
  if (!lost) return plain
  const digest = sha256(part.normalize('NFC')).replace(/[-_]/g, '').slice(0, 8)
  return /[A-Za-z0-9]/.test(plain) ? `${plain}-${digest}` : `folder-${digest}`
}

/** Web addresses; each is undefined without a GitHub remote. */
export interface WebPages {
  doc(path: string): string | undefined
  commit(sha: string): string | undefined
  release(tag: string): string | undefined
  wikiPage(slug: string): string | undefined
}

/** `ref` is the branch (or commit) in the addresses of documents. */
export function webPages(remote: Remote | undefined, ref: string): WebPages {
  const base = remote?.github === true ? `https://github.com/${remote.name}` : undefined
  const at = (rest: string): string | undefined => (base === undefined ? undefined : `${base}/${rest}`)
  return {
    doc: (path) => at(`blob/${encodeUrlPath(ref)}/${encodeUrlPath(path)}`),
    commit: (sha) => at(`commit/${sha}`),
    release: (tag) => at(`releases/tag/${encodeUrlPath(tag)}`),
    wikiPage: (slug) => at(`wiki/${encodeUrlPath(slug)}`),
  }
}
