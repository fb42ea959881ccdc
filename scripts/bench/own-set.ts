/**
 * Questions about this project, test/questions/own.json, for an index of its own
 * checkout: `about` docs, history or code. An answer is a document's path, the
 * first line of a commit's message, or the path of a file in the history; its
 * `former` paths count as that file. A question without an answer in this
 * checkout (a shallow clone, a folder without history) is skipped.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { GitError } from '../../mcp-server/src/git/git-command.ts'
import { listSubjects } from '../../mcp-server/src/git/git-reader.ts'
import { importCheckout } from '../../mcp-server/src/import/import-checkout.ts'
import { gitIn } from '../../mcp-server/src/git/run-git.ts'
import type { QuestionSet } from './question-set.ts'
import { ADMIN_TOKEN } from './runner.ts'

const ROOT = resolve(import.meta.dirname, '../..')
export const OWN_QUESTIONS = join(ROOT, 'test/questions/own.json')

interface OwnQuestion {
  readonly ask: string
  readonly about: 'docs' | 'history' | 'code'
  readonly answers: readonly string[]
  /** Earlier paths of the answer, if it is one file. */
  readonly former?: readonly string[]
}

export async function readOwnSet(): Promise<QuestionSet> {
  const subjects = await readSubjects()
  const history = new Set(subjects.values())
  const isHere = {
    docs: isFile,
    code: (path: string) => history.size > 0 && isFile(path),
    history: (subject: string) => history.has(subject),
  }
  const ownQuestions = JSON.parse(readFileSync(OWN_QUESTIONS, 'utf8')) as readonly OwnQuestion[]
  const presentPath = new Map(
    ownQuestions.flatMap(({ answers, former = [] }) => former.map((path) => [path, answers[0]])),
  )
  return {
    questions: ownQuestions.flatMap(({ ask, about, answers }) => {
      const here = answers.filter((answer) => isHere[about](answer))
      const wanted = new Set(here)
      return here.length > 0 ? [{ text: ask, tag: about, answers: wanted, things: wanted }] : []
    }),
    async fill({ origin }) {
      const { outcome, failure } = await importCheckout({ path: ROOT, endpoint: origin, adminToken: ADMIN_TOKEN })
      if (failure !== undefined) throw new Error(`the project's own import was ${outcome}: ${failure.message}`)
    },
    namesOf: ({ doc_path, file_path, commit_sha = '', files = [] }) => {
      const paths = [file_path, ...files.map(({ path }) => path)].flatMap((path) => path ?? [])
      const present = paths.map((path) => presentPath.get(path) ?? path)
      return [doc_path, subjects.get(commit_sha), ...present].filter((name) => name !== undefined)
    },
  }
}

function isFile(path: string): boolean {
  return existsSync(join(ROOT, path))
}

/** Commit -> the first line of its message; empty without a history. */
async function readSubjects(): Promise<Map<string, string>> {
  try {
    return new Map((await listSubjects(gitIn(ROOT))).map(({ sha, subject }) => [sha, subject]))
  } catch (error) {
    if (error instanceof GitError) return new Map()
    throw error
  }
}
