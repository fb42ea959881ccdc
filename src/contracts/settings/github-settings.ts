/**
 * The settings of reading from GitHub, one row each, and their parsers. Values
 * that depend on each other are put together in read-github-settings.ts. No
 * sentence of a row contains a value, so a secret cannot reach an error.
 */
import { createPrivateKey } from 'node:crypto'
import { REPOSITORY_NAME, toNameKey } from '../../base/repository-name.ts'
import type { Setting } from './setting.ts'

/** Enough for a small repository in one run, and well within an hour's limit of a token in ten. */
const DEFAULT_REQUESTS_PER_RUN = 400

const URL_FORM = 'must be an https address without user, query and fragment; plain http is accepted on loopback only.'

export const GITHUB_SETTINGS = {
  GITHUB_REPOSITORIES: {
    name: 'GITHUB_REPOSITORIES',
    kind: 'variable',
    whenAbsent: 'Nothing is read from GitHub',
    modes: 'all',
    meaning:
      'The repositories to read from GitHub, each as owner/name, separated by commas. A new one is read from the next run on. One that is taken out is no longer read, and its documents stay.',
    whenWrong: 'GITHUB_REPOSITORIES must be repositories as owner/name, separated by commas.',
    parse: parseRepositories,
  },
  GITHUB_TOKEN: {
    name: 'GITHUB_TOKEN',
    kind: 'secret',
    whenAbsent:
      'Public repositories are read with 60 requests an hour and without GraphQL: reviews and dates of files take more requests',
    modes: 'all',
    meaning:
      'The token that reads from GitHub: a fine-grained personal access token with read access to the repositories. It is sent to GITHUB_API_URL and GITHUB_GRAPHQL_URL and nowhere else.',
    whenWrong: 'GITHUB_TOKEN must be one token of printable ASCII characters without spaces.',
    parse: parseToken,
  },
  GITHUB_APP_ID: {
    name: 'GITHUB_APP_ID',
    kind: 'variable',
    whenAbsent: 'GITHUB_TOKEN is used',
    modes: 'all',
    meaning:
      'The number of a GitHub App that is installed on the repositories. It is used instead of GITHUB_TOKEN, and needs GITHUB_APP_PRIVATE_KEY. The installation is found for each repository.',
    whenWrong: 'GITHUB_APP_ID must be the number of a GitHub App.',
    parse: (text) => (/^[1-9]\d{0,14}$/.test(text) ? text : undefined),
  },
  GITHUB_APP_PRIVATE_KEY: {
    name: 'GITHUB_APP_PRIVATE_KEY',
    kind: 'secret',
    whenAbsent: 'With GITHUB_APP_ID set, every request is refused with 503',
    modes: 'all',
    meaning:
      'The private key of the GitHub App in PEM form, as GitHub gives it (PKCS#1) or as PKCS#8. Line breaks may be written as \\n. It signs requests and is sent nowhere.',
    whenWrong:
      'GITHUB_APP_PRIVATE_KEY must be the private RSA key of the App that GITHUB_APP_ID names, in PEM form (PKCS#1 or PKCS#8).',
    parse: parsePrivateKey,
  },
  GITHUB_API_URL: {
    name: 'GITHUB_API_URL',
    kind: 'variable',
    whenAbsent: 'https://api.github.com',
    fallback: 'https://api.github.com',
    modes: 'all',
    meaning:
      'The REST API. For GitHub Enterprise Server: https://HOST/api/v3; GraphQL, the server and raw files are then expected at https://HOST/api/graphql, https://HOST and https://HOST/raw unless the next three settings name others.',
    whenWrong: `GITHUB_API_URL ${URL_FORM}`,
    parse: parseServerUrl,
  },
  GITHUB_GRAPHQL_URL: {
    name: 'GITHUB_GRAPHQL_URL',
    kind: 'variable',
    whenAbsent: 'https://api.github.com/graphql, or the address that follows from GITHUB_API_URL',
    modes: 'all',
    meaning: 'The GraphQL API.',
    whenWrong: `GITHUB_GRAPHQL_URL ${URL_FORM}`,
    parse: parseServerUrl,
  },
  GITHUB_SERVER_URL: {
    name: 'GITHUB_SERVER_URL',
    kind: 'variable',
    whenAbsent: 'https://github.com, or the address that follows from GITHUB_API_URL',
    modes: 'all',
    meaning:
      'The web pages: addresses of files, wiki pages and commits are made of it, and lists of wiki pages are read from it, without the token.',
    whenWrong: `GITHUB_SERVER_URL ${URL_FORM}`,
    parse: parseServerUrl,
  },
  GITHUB_RAW_URL: {
    name: 'GITHUB_RAW_URL',
    kind: 'variable',
    whenAbsent: 'https://raw.githubusercontent.com, or the address that follows from GITHUB_API_URL',
    modes: 'all',
    meaning: 'Raw files. Wiki pages are read from GITHUB_RAW_URL/wiki/OWNER/NAME/FILE.md, without the token.',
    whenWrong: `GITHUB_RAW_URL ${URL_FORM}`,
    parse: parseServerUrl,
  },
  GITHUB_WEBHOOK_SECRET: {
    name: 'GITHUB_WEBHOOK_SECRET',
    kind: 'secret',
    whenAbsent: 'Webhooks are off: /webhooks/github answers 503',
    modes: 'all',
    meaning: 'The secret of the webhook, as it was entered at GitHub. Deliveries with another signature are refused.',
    whenWrong: 'GITHUB_WEBHOOK_SECRET must be more than blanks. Without it /webhooks/github answers 503.',
    parse: (text) => (text.trim() === '' ? undefined : text),
  },
  GITHUB_REQUESTS_PER_RUN: {
    name: 'GITHUB_REQUESTS_PER_RUN',
    kind: 'variable',
    whenAbsent: String(DEFAULT_REQUESTS_PER_RUN),
    fallback: DEFAULT_REQUESTS_PER_RUN,
    modes: 'all',
    meaning:
      'Requests to GitHub in one run. A run that ends early is continued by the next one, so a small number is slower and loses nothing.',
    whenWrong: 'GITHUB_REQUESTS_PER_RUN must be a whole number from 1.',
    parse: parseCount,
  },
} as const satisfies Record<string, Setting>

/** Each name once, in the order given: GitHub ignores letter case. */
function parseRepositories(text: string): readonly string[] | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (!names.every((name) => REPOSITORY_NAME.test(name))) return undefined
  return [...new Map(names.map((name) => [toNameKey(name), name])).values()]
}

/** Line breaks around a token come with files that it is kept in. */
function parseToken(text: string): string | undefined {
  const token = text.trim()
  return /^[\x21-\x7e]+$/.test(token) ? token : undefined
}

/** The key in PKCS#8, the only form that WebCrypto reads. Files of settings write line breaks as two characters. */
function parsePrivateKey(text: string): string | undefined {
  try {
    const key = createPrivateKey(text.replaceAll('\\n', '\n').trim())
    return key.asymmetricKeyType === 'rsa' ? String(key.export({ type: 'pkcs8', format: 'pem' })) : undefined
  } catch {
    return undefined
  }
}

/** Without a slash at the end, so that a path can be appended. Over plain http a token could be read on its way. */
function parseServerUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text)
  const safe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK_NAME.test(hostname))
  return safe && `${username}${password}${search}${hash}` === ''
    ? `${origin}${pathname}`.replace(/\/+$/, '')
    : undefined
}

/** As URL writes host names: addresses in other notations are normalised by then. */
const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/

function parseCount(text: string): number | undefined {
  const count = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(count) && count >= 1 ? count : undefined
}
