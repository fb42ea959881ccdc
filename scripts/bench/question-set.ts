/**
 * Sets of questions whose answers are known: `{docs, queries, qrels}`, the usual
 * form of retrieval sets, converted to lines of the page schema. Answers name a
 * document by its `id` in the set.
 */
import { readFileSync } from 'node:fs'
import type { CorpusLine } from './corpus.ts'
import type { BenchWorker } from './runner.ts'
import type { FoundRow } from './worker.ts'

export interface SetQuestion {
  readonly text: string
  /** Kind of question, where a set has several; figures are printed for each. */
  readonly tag: string
  /** The documents that answer it. */
  readonly answers: ReadonlySet<string>
  /** The same where a commit is one thing: instead of its diffs the commit. */
  readonly things: ReadonlySet<string>
}

export interface QuestionSet {
  /** Imports the documents into an empty index. */
  fill(worker: BenchWorker): Promise<void>
  readonly questions: readonly SetQuestion[]
  /** The names by which a found row may be an answer. */
  namesOf(row: FoundRow): readonly string[]
}

const PAGE = 100

export interface SetFile {
  readonly docs: readonly Readonly<Record<'id' | 'title' | 'path' | 'text', string> & { sha?: string }>[]
  readonly queries: readonly { readonly id: string; readonly text: string; readonly tag?: string }[]
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** Numbers of pull requests begin behind this one, so that no `#12` of a question names one. */
const FIRST_NUMBER = 1_000_000

export function readQuestionSet(file: string): QuestionSet {
  return toQuestionSet(JSON.parse(readFileSync(file, 'utf8')) as SetFile)
}

/**
 * Passages become docs whose path is their id, documents with a sha become
 * diffs without a message, and those with neither path nor sha pull requests.
 */
export function toQuestionSet({ docs, queries, qrels }: SetFile): QuestionSet {
  const ids = new Map<string, string>()
  const commits = new Map(docs.flatMap(({ id, sha }) => (sha === undefined ? [] : [[id, `commit ${sha}`]])))
  const lines = docs.map(({ id, title, path, sha, text }, at): CorpusLine => {
    const line = { repo: 'bench/set', body: text, ...(title && { title }) }
    if (sha !== undefined) {
      ids.set(`${sha} ${path}`, id)
      return { ...line, type: 'diff', commit_sha: sha, file_path: path }
    }
    if (path) {
      ids.set(id, id)
      return { ...line, type: 'doc', doc_path: id }
    }
    const number = FIRST_NUMBER + at
    ids.set(`#${number}`, id)
    return { ...line, type: 'pull_request', number, title: title || '-', state: 'closed' }
  })
  const questions = queries.flatMap(({ id, text, tag = '' }) => {
    const answers = new Set(Object.keys(qrels[id] ?? {}))
    const things = new Set([...answers].map((id) => commits.get(id) ?? id))
    return answers.size > 0 ? [{ text, tag, answers, things }] : []
  })
  return {
    questions,
    async fill(worker) {
      for (let at = 0; at < lines.length; at += PAGE) {
        const page = lines.slice(at, at + PAGE).map((line) => JSON.stringify(line))
        await worker.post('/import', page.join('\n'))
      }
    },
    namesOf: (row) =>
      row.type === 'commit' ? [`commit ${row.commit_sha}`] : [ids.get(keyOf(row))].filter((id) => id !== undefined),
  }
}

function keyOf({ type, number, commit_sha, file_path, doc_path }: FoundRow): string {
  if (type === 'diff') return `${commit_sha} ${file_path}`
  return type === 'doc' ? `${doc_path}` : `#${number}`
}

/** Letters of a typing error. */
const KEYS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * The question with one typing error in one of its words of five letters or
 * more, never in the first letter: a letter added, removed, replaced, or two
 * swapped.
 */
export function misspelt(text: string, random: () => number): string {
  const words = [...text.matchAll(/[A-Za-z]{5,}/g)]
  const word = words[Math.floor(random() * words.length)]
  if (word === undefined) return text
  const [typed] = word
  const at = 1 + Math.floor(random() * (typed.length - 2))
  const [before, here, next, rest] = [typed.slice(0, at), typed[at]!, typed[at + 1]!, typed.slice(at + 2)]
  const key = KEYS[Math.floor(random() * KEYS.length)]!
  const slips = [key + here + next, next, key + next, next + here]
  const slip = before + slips[Math.floor(random() * slips.length)]! + rest
  return text.slice(0, word.index) + slip + text.slice(word.index + typed.length)
}
