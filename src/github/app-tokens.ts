/**
 * Tokens of a GitHub App: the installation is found for each repository, and its
 * token is kept in memory until five minutes before its end. Signed with our own
 * clock, corrected by GitHub's when the two differ. Octokit's package for Apps
 * is not used: it shares unfinished requests between calls of a Worker, which the
 * platform cancels.
 */
import githubAppJwt from 'universal-github-app-jwt'
import { toNameKey } from '../base/repository-name.ts'
import { fail, failBecause } from './fault.ts'
import type { GitHubResult } from './github.ts'
import { MAX_CLOCK_DIFFERENCE_MS, TOKEN_MARGIN_MS } from './limits.ts'
import { getRest } from './rest.ts'
import { refuseAnswer, type Ask, type SpokenAnswer } from './session.ts'

export interface InstallationToken {
  readonly installation: number
  readonly token: string
}

/** Lasts as long as the isolate. Only finished values are in it. */
export interface AppMemory {
  readonly installations: Map<string, number>
  readonly tokens: Map<number, { readonly token: string; readonly expiresAtMs: number }>
  /** GitHub's clock minus ours. */
  clockDifferenceMs: number
}

export interface AppParts {
  readonly appId: string
  /** In PKCS#8. */
  readonly privateKey: string
  readonly apiUrl: string
  readonly now: () => number
  readonly memory: AppMemory
}

/** Sends a request that is signed with this token. */
type SignedAsker = (token: string, ask: Ask) => Promise<GitHubResult<SpokenAnswer>>

export function emptyAppMemory(): AppMemory {
  return { installations: new Map(), tokens: new Map(), clockDifferenceMs: 0 }
}

/** The token for a repository: the one in memory while it lasts, unless it is the refused one. */
export async function findToken(
  parts: AppParts,
  repository: string,
  refused: string | undefined,
  asker: SignedAsker,
): Promise<GitHubResult<InstallationToken>> {
  const { memory, now } = parts
  const installation = await findInstallation(parts, repository, asker)
  if (!installation.ok) return installation
  const known = memory.tokens.get(installation.value)
  const lasts = known !== undefined && known.expiresAtMs - TOKEN_MARGIN_MS > now() + memory.clockDifferenceMs
  if (lasts && known.token !== refused) {
    return { ok: true, value: { installation: installation.value, token: known.token } }
  }
  return makeToken(parts, repository, installation.value, asker)
}

async function findInstallation(
  parts: AppParts,
  repository: string,
  asker: SignedAsker,
): Promise<GitHubResult<number>> {
  const key = toNameKey(repository)
  const known = parts.memory.installations.get(key)
  if (known !== undefined) return { ok: true, value: known }
  const path = `/repos/${repository}/installation`
  const answer = await getRest(parts.apiUrl, path, { expects: 'object', followMoved: true }, (ask) =>
    askAsApp(parts, ask, asker),
  )
  if (!answer.ok) return answer
  if (answer.value.kind !== 'ok') {
    const status = answer.value.kind === 'absent' ? answer.value.status : 404
    return fail({ kind: 'refused', status, reason: 'the GitHub App is not installed on this repository' })
  }
  const { id } = answer.value.body as { readonly id?: unknown }
  if (!Number.isSafeInteger(id)) return failBecause("GitHub's answer has no id of an installation")
  parts.memory.installations.set(key, id as number)
  return { ok: true, value: id as number }
}

async function makeToken(
  parts: AppParts,
  repository: string,
  installation: number,
  asker: SignedAsker,
): Promise<GitHubResult<InstallationToken>> {
  const { memory, apiUrl } = parts
  memory.tokens.delete(installation)
  const address = `${apiUrl}/app/installations/${installation}/access_tokens`
  const answer = await askAsApp(
    parts,
    {
      api: 'rest',
      expects: 'object',
      send: async (client) => {
        const { data } = await client('POST {+address}', { address })
        return data as unknown
      },
    },
    asker,
  )
  if (!answer.ok) return answer
  if (answer.value.status !== 201) {
    // Installed again, it has another number.
    if (answer.value.status === 404) memory.installations.delete(toNameKey(repository))
    return refuseAnswer(answer.value)
  }
  const { token, expires_at: expiresAt } = answer.value.data as {
    readonly token?: unknown
    readonly expires_at?: unknown
  }
  const expiresAtMs = Date.parse(String(expiresAt))
  if (typeof token !== 'string' || !/^[\u0021-\u007e]+$/.test(token) || Number.isNaN(expiresAtMs)) {
    return failBecause("GitHub's answer has no token of the installation")
  }
  memory.tokens.set(installation, { token, expiresAtMs })
  return { ok: true, value: { installation, token } }
}

/** Signs as the App. A refused signature is made once more by GitHub's clock, if that is another time than ours. */
async function askAsApp(
  { appId, privateKey, now, memory }: AppParts,
  ask: Ask,
  asker: SignedAsker,
): Promise<GitHubResult<SpokenAnswer>> {
  const send = async (): Promise<GitHubResult<SpokenAnswer>> => {
    const seconds = Math.floor((now() + memory.clockDifferenceMs) / 1000)
    // The package dates back by another 30 seconds.
    const { token } = await githubAppJwt({ id: appId, privateKey, now: seconds - 30 })
    return asker(token, ask)
  }
  const first = await send()
  if (!first.ok || first.value.status !== 401) return first
  const differenceMs = Date.parse(first.value.headers.get('date') ?? '') - now()
  if (!(Math.abs(differenceMs - memory.clockDifferenceMs) > MAX_CLOCK_DIFFERENCE_MS)) return first
  memory.clockDifferenceMs = differenceMs
  return send()
}
