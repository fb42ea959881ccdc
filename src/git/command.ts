/**
 * How git is called so that its answer depends on the repository alone: no
 * pager, hook, external diff, text conversion, network, prompt or personal
 * taste in configuration. This folder only says what to run and reads what
 * comes back; a `Run` given by the caller starts the process.
 */

/**
 * Runs `git` with arguments from `gitArguments` and streams its standard
 * output. The stream throws a `GitError` after the last byte when git fails:
 * bytes before it may be part of an answer, never the whole. Leaving the loop
 * early ends the process.
 */
export type Run = (args: readonly string[], input?: string) => AsyncIterable<Uint8Array>

/** Git could not be started, or ended with an error. */
export class GitError extends Error {
  /** Exit status; undefined when git was not found or was ended by a signal. */
  readonly exitCode: number | undefined
  /** What git said, in English. */
  readonly stderr: string
  readonly notFound: boolean

  constructor(command: string, stderr: string, exitCode: number | undefined, notFound = false) {
    super(`git ${command}: ${stderr.trim() || (notFound ? 'not found' : `ended with status ${exitCode ?? 'unknown'}`)}`)
    this.name = 'GitError'
    this.exitCode = exitCode
    this.stderr = stderr
    this.notFound = notFound
  }
}

const SETTINGS = [
  'core.quotepath=off',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'color.ui=false',
  'diff.external=',
  'diff.renameLimit=1000',
  'diff.suppressBlankEmpty=false',
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
  'diff.indentHeuristic=true',
  'i18n.logOutputEncoding=UTF-8',
  'log.follow=false',
  'log.mailmap=false',
  'log.showRoot=true',
  'log.showSignature=false',
  // A partial clone would fetch missing blobs over a transport its own configuration chooses.
  'protocol.allow=never',
] as const

/** The whole argument list for one git command. */
export function gitArguments(...command: readonly string[]): string[] {
  return ['--no-pager', ...SETTINGS.flatMap((setting) => ['-c', setting]), ...command]
}

/** Where git and its configuration are installed is the user's business; all other GIT_ variables would bend the answer. */
const KEPT = new Set([
  'GIT_EXEC_PATH',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
])

export type Environment = Record<string, string | undefined>

/** The environment for every git process. */
export function gitEnvironment(env: Readonly<Environment>): Environment {
  const kept = Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('GIT_') || KEPT.has(name))
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
  }
}
