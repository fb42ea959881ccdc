/**
 * The arguments and the environment of every git call. With them the output
 * depends on the commits alone, and no repository can run a command: no pager,
 * hook, helper, external diff, text conversion, network or prompt, and no part
 * of the user's configuration. This file starts no process; run-git.ts does.
 */
import { EMPTY_FILE, toSettingArguments } from './settings/output-settings.ts'

/**
 * Runs one git command, given by its name and its own arguments, and streams its
 * standard output. When git fails, the stream throws a `GitError` after the last
 * byte, so the bytes before it may be incomplete. Leaving the loop early ends
 * the process.
 */
export type Run = (command: readonly string[], input?: string) => AsyncIterable<Uint8Array>

/** Git could not be started, or ended with an error. */
export class GitError extends Error {
  /** Exit status; undefined when git was not found or was ended by a signal. */
  readonly exitCode: number | undefined
  /** Git's message, in English. */
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

/** Settings that name a command, or make git start one. An empty program cannot be started. */
const NO_COMMANDS = [
  'core.alternateRefsCommand=',
  'core.askPass=',
  // Git takes a colon for an editor that does nothing.
  'core.editor=:',
  'core.fsmonitor=false',
  `core.hooksPath=${EMPTY_FILE}`,
  'core.pager=cat',
  'core.sshCommand=false',
  'credential.helper=',
  'diff.external=',
  'fetch.recurseSubmodules=false',
  'gc.auto=0',
  'gpg.openpgp.program=',
  'gpg.program=',
  'gpg.ssh.defaultKeyCommand=',
  'gpg.ssh.program=',
  'gpg.x509.program=',
  'interactive.diffFilter=',
  'log.showSignature=false',
  'maintenance.auto=false',
  // GIT_ALLOW_PROTOCOL covers every protocol; `protocol.<name>.allow` of a repository overrides this setting.
  'protocol.allow=never',
  'sequence.editor=:',
  'submodule.recurse=false',
  'uploadpack.packObjectsHook=',
]

/** The complete argument list for one git command. */
export function gitArguments(...command: readonly string[]): string[] {
  return ['--no-pager', ...[...NO_COMMANDS, ...toSettingArguments()].flatMap((setting) => ['-c', setting]), ...command]
}

/** Variables that say where git is installed and how far it looks for a repository. All other GIT_ variables would change the output. */
const KEPT = new Set(['GIT_EXEC_PATH', 'GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM'])

/** Variables that say where the user's configuration is; kept by `userEnvironment` only. */
const USER_FILES = new Set(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'])

/** Variables without git's prefix that name a command for git to start. */
const PROGRAMS = new Set(['PAGER', 'EDITOR', 'VISUAL', 'SSH_ASKPASS', 'SSH_ASKPASS_REQUIRE', 'LESSOPEN', 'LESSCLOSE'])

export type Environment = Record<string, string | undefined>

/** The environment for git in a repository. `configuration` is the only configuration file that git reads besides the repository's own. */
export function gitEnvironment(env: Readonly<Environment>, configuration: string = EMPTY_FILE): Environment {
  return {
    ...withoutInfluence(env, KEPT),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: EMPTY_FILE,
    GIT_CONFIG_GLOBAL: configuration,
    GIT_ATTR_NOSYSTEM: '1',
    // A repository may hold a list that gives commits other parents.
    GIT_GRAFT_FILE: EMPTY_FILE,
  }
}

/** The environment for reading the user's configuration, out of reach of any repository. */
export function userEnvironment(env: Readonly<Environment>): Environment {
  return { ...withoutInfluence(env, new Set([...KEPT, ...USER_FILES])), GIT_DIR: EMPTY_FILE }
}

function withoutInfluence(env: Readonly<Environment>, kept: ReadonlySet<string>): Environment {
  const entries = Object.entries(env).filter(([name]) => {
    const upper = name.toUpperCase()
    return upper.startsWith('GIT_') ? kept.has(upper) : !PROGRAMS.has(upper)
  })
  return {
    ...Object.fromEntries(entries),
    LC_ALL: 'C',
    // No protocol has this name. A repository's configuration cannot override the list.
    GIT_ALLOW_PROTOCOL: 'none',
    // Set and empty, it keeps git from starting any other program for passwords.
    GIT_ASKPASS: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // These override the trace2.* settings of the user.
    GIT_TRACE2: '0',
    GIT_TRACE2_EVENT: '0',
    GIT_TRACE2_PERF: '0',
  }
}
