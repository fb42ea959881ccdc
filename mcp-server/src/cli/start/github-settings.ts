/** The GITHUB_ settings of `npm start`: those of the environment, with the repositories of `--github` and a token found. */
import { toNameKey } from '../../../../src/base/repository-name.ts'
import { findGitHubCredential } from './github-token.ts'

interface GitHubSettings {
  /** To be set over those of the environment. */
  readonly settings: Readonly<Record<string, string>>
  /** All repositories to read, `owner/name`, each once. */
  readonly repositories: readonly string[]
  /** Whose requests these are, in words. */
  readonly owner: string
}

/** Without a repository nothing is looked for. A wrong GITHUB_REPOSITORIES is left for the Worker's settings to refuse. */
export async function githubSettings(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GitHubSettings> {
  const configured = (environment['GITHUB_REPOSITORIES'] ?? '').split(',').map((name) => name.trim())
  const names = [...configured.filter((name) => name !== ''), ...flags]
  const repositories = [...new Map(names.map((name) => [toNameKey(name), name])).values()]
  if (repositories.length === 0) return { settings: {}, repositories, owner: '' }
  const { token, owner } = await findGitHubCredential(environment)
  const settings = { GITHUB_REPOSITORIES: repositories.join(','), ...(token !== undefined && { GITHUB_TOKEN: token }) }
  return { settings, repositories, owner }
}
