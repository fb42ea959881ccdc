/** The queries that `npm start` makes of a checkout besides importing it. A checkout that git cannot read gives no answer. */
import { GitError, type Run } from '../../git/git-command.ts'
import { listSubjects, readHead as readHeadBy } from '../../git/git-reader.ts'
import { MAX_SHORT_QUERY_MS } from '../../git/limits.ts'
import { gitIn } from '../../git/run-git.ts'

/** The commit of HEAD; undefined without git, a checkout or a commit. */
export function readHead(path: string): Promise<string | undefined> {
  return query(path, readHeadBy)
}

/** The subjects of the newest commits that are no merges, newest first; empty without a history. */
export async function listNewestSubjects(path: string, limit: number): Promise<readonly string[]> {
  const newest = (await query(path, (run) => listSubjects(run, limit))) ?? []
  return newest.map(({ subject }) => subject).filter((subject) => subject.trim() !== '')
}

/** Undefined when git has no answer, fails or takes too long. */
async function query<T>(path: string, read: (run: Run) => Promise<T>): Promise<T | undefined> {
  try {
    return await read(gitIn(path, undefined, { totalMs: MAX_SHORT_QUERY_MS }))
  } catch (error) {
    // The import reports what is wrong; a look at all checkouts must not stop at one.
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof GitError || typeof code === 'string') return undefined
    throw error
  }
}
