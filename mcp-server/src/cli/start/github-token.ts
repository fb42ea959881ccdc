/**
 * The token that `npm start` reads GitHub with: GITHUB_TOKEN, else the one that
 * the GitHub CLI is logged in with, else none. The CLI is asked for the configured
 * server only, so that no token reaches another one. The token is not printed.
 */
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'

export interface GitHubCredential {
  /** Absent where GITHUB_TOKEN or an App is configured already, and where there is none. */
  readonly token?: string
  /** Whose requests these are, for the terminal. */
  readonly owner: string
}

/** Not the current folder, which may be a repository with a program called gh. */
const START_FOLDER = dirname(process.execPath)

/** A login may be kept in the system's keyring, which can ask its user first. */
const GH_MS = 10_000

const NONE =
  'no token: public repositories only, 60 requests an hour (log in with `gh auth login`, or set GITHUB_TOKEN)'

/** `environment` is that of the command. Never rejects. */
export async function findGitHubCredential(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GitHubCredential> {
  if (environment['GITHUB_APP_ID']) return { owner: `the GitHub App ${environment['GITHUB_APP_ID']}` }
  if (environment['GITHUB_TOKEN']) return { owner: 'the token of GITHUB_TOKEN' }
  const host = hostOf(environment['GITHUB_API_URL'])
  const token = await askGh(host, environment)
  return token === undefined ? { owner: NONE } : { token, owner: `the token of the GitHub CLI (gh) for ${host}` }
}

/** The host that the GitHub CLI knows the server by; that of github.com's API is github.com. */
function hostOf(apiUrl: string | undefined): string {
  if (!apiUrl || !URL.canParse(apiUrl)) return 'github.com'
  const { host } = new URL(apiUrl)
  return host === 'api.github.com' ? 'github.com' : host
}

/** Undefined without the CLI, and where it is not logged in. */
function askGh(host: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = { ...environment, GH_PROMPT_DISABLED: '1' }
    const options = { timeout: GH_MS, cwd: START_FOLDER, env, windowsHide: true }
    execFile('gh', ['auth', 'token', '--hostname', host], options, (error, stdout) => {
      const token = stdout.trim()
      resolve(error === null && /^\S+$/.test(token) ? token : undefined)
    })
  })
}
