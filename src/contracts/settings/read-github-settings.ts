/**
 * The settings of reading from GitHub put together: which credential signs
 * requests, and the addresses, which follow from the API's where they are not
 * set. No I/O and no environment: the values are passed in.
 */
import { ok, type Result } from '../../base/result.ts'
import { readNeeded, readText, type SettingTexts } from './setting-texts.ts'
import { SETTINGS } from './settings.ts'

/** The credential that signs requests. */
type GitHubCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  /** `privateKey` is in PKCS#8. */
  | { readonly kind: 'app'; readonly appId: string; readonly privateKey: string }

/** Addresses without a slash at the end. */
interface GitHubUrls {
  readonly api: string
  readonly graphql: string
  readonly server: string
  readonly raw: string
}

export interface GitHubSettings {
  /** `owner/name`, each once. Empty: nothing is read. */
  readonly repositories: readonly string[]
  readonly credential: GitHubCredential
  readonly urls: GitHubUrls
  /** Undefined when webhooks are off. */
  readonly webhookSecret: string | undefined
  readonly requestsPerRun: number
}

/** All settings of GitHub, or UNAVAILABLE with the sentence of the first wrong one. */
export function readGitHubSettings(texts: SettingTexts): Result<GitHubSettings> {
  const repositories = readText(texts, 'GITHUB_REPOSITORIES')
  if (!repositories.ok) return repositories
  const credential = readCredential(texts)
  if (!credential.ok) return credential
  const urls = readUrls(texts)
  if (!urls.ok) return urls
  const webhookSecret = readText(texts, 'GITHUB_WEBHOOK_SECRET')
  if (!webhookSecret.ok) return webhookSecret
  const requestsPerRun = readText(texts, 'GITHUB_REQUESTS_PER_RUN')
  if (!requestsPerRun.ok) return requestsPerRun
  return ok({
    repositories: repositories.value ?? [],
    credential: credential.value,
    urls: urls.value,
    webhookSecret: webhookSecret.value,
    requestsPerRun: requestsPerRun.value ?? SETTINGS.GITHUB_REQUESTS_PER_RUN.fallback,
  })
}

/** An App goes before a token. A wrong value is refused even where another credential would be used. */
function readCredential(texts: SettingTexts): Result<GitHubCredential> {
  const token = readText(texts, 'GITHUB_TOKEN')
  if (!token.ok) return token
  const appId = readText(texts, 'GITHUB_APP_ID')
  if (!appId.ok) return appId
  const privateKey = appId.value === undefined ? readText(texts, KEY_NAME) : readNeeded(texts, KEY_NAME)
  if (!privateKey.ok) return privateKey
  if (appId.value !== undefined && privateKey.value !== undefined) {
    return ok({ kind: 'app', appId: appId.value, privateKey: privateKey.value })
  }
  return ok(token.value === undefined ? { kind: 'none' } : { kind: 'token', token: token.value })
}

const KEY_NAME = 'GITHUB_APP_PRIVATE_KEY'

function readUrls(texts: SettingTexts): Result<GitHubUrls> {
  const api = readText(texts, 'GITHUB_API_URL')
  if (!api.ok) return api
  const graphql = readText(texts, 'GITHUB_GRAPHQL_URL')
  if (!graphql.ok) return graphql
  const server = readText(texts, 'GITHUB_SERVER_URL')
  if (!server.ok) return server
  const raw = readText(texts, 'GITHUB_RAW_URL')
  if (!raw.ok) return raw
  const known = toUrls(api.value ?? SETTINGS.GITHUB_API_URL.fallback)
  return ok({
    api: known.api,
    graphql: graphql.value ?? known.graphql,
    server: server.value ?? known.server,
    raw: raw.value ?? known.raw,
  })
}

/**
 * The addresses that follow from the API's. Those of another server are never
 * github.com's: a token of one must not be sent to the other.
 */
function toUrls(api: string): GitHubUrls {
  if (api === SETTINGS.GITHUB_API_URL.fallback) {
    return { api, graphql: `${api}/graphql`, server: 'https://github.com', raw: 'https://raw.githubusercontent.com' }
  }
  const enterprise = /^(.*)\/api\/v3$/.exec(api)?.[1]
  const server = enterprise ?? new URL(api).origin.replace('://api.', '://')
  return {
    api,
    graphql: enterprise === undefined ? `${api}/graphql` : `${server}/api/graphql`,
    server,
    raw: `${server}/raw`,
  }
}
