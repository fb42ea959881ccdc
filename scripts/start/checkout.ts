/** The few questions `npm start` asks git itself; reading history is the importer's work. */
import { execFile } from 'node:child_process'

const GIT_MS = 10_000

/** The commit HEAD stands on; undefined without git, a checkout or a commit. */
export function readHead(path: string): Promise<string | undefined> {
  return ask(path, ['rev-parse', 'HEAD'])
}

/** The subjects of the newest commits that are no merges, newest first; none without a history. */
export async function listNewestSubjects(path: string, limit: number): Promise<readonly string[]> {
  const subjects = await ask(path, ['log', `-${limit}`, '--no-merges', '--format=%s'])
  return (subjects ?? '').split('\n').filter((subject) => subject.trim() !== '')
}

function ask(path: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('git', ['-C', path, ...args], { timeout: GIT_MS, encoding: 'utf8' }, (error, stdout) => {
      resolve(error ? undefined : stdout.trim() || undefined)
    })
  })
}
