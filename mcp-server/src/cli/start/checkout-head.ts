/** The few questions `npm start` asks git itself; reading history is the importer's work. */
import { GitError, type Run } from '../../git/git-command.ts'
import { listSubjects, readHead as readHeadBy } from '../../git/git-reader.ts'
import { gitIn } from '../../git/run-git.ts'

const GIT_MS = 10_000

/** The commit HEAD stands on; undefined without git, a checkout or a commit. */
export function readHead(path: string): Promise<string | undefined> {
  return ask(path, readHeadBy)
}

/** The subjects of the newest commits that are no merges, newest first; none without a history. */
export async function listNewestSubjects(path: string, limit: number): Promise<readonly string[]> {
  const newest = (await ask(path, (run) => listSubjects(run, limit))) ?? []
  return newest.map(({ subject }) => subject).filter((subject) => subject.trim() !== '')
}

/** The answer; undefined when git has none, fails or takes too long. */
async function ask<T>(path: string, question: (run: Run) => Promise<T>): Promise<T | undefined> {
  try {
    return await question(gitIn(path, undefined, { totalMs: GIT_MS }))
  } catch (error) {
    // The importer says what is wrong; whoever looks at every checkout must not stop at one.
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof GitError || typeof code === 'string') return undefined
    throw error
  }
}
