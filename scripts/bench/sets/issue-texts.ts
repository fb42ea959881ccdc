/**
 * Long questions: the whole text of an issue; the answers are the pull requests
 * that say they close it. Read from the archive of issues that working groups of
 * the IETF keep in a file of their repositories.
 */
import type { SetFile } from '../question-set.ts'
import type { OpenClone, CloneSource } from './clone.ts'
import { pick } from './pick.ts'

export interface IssueRecipe {
  readonly kind: 'issues'
  readonly sources: readonly (CloneSource & { readonly archive: string })[]
  readonly questions: number
}

interface ArchivedText {
  readonly number: number
  readonly title: string
  readonly body: string | null
}

interface Archive {
  readonly issues: readonly ArchivedText[]
  readonly pulls: readonly ArchivedText[]
}

const CLOSING = /\b(?:clos|fix|resolv|address)(?:es|ed|e|s|ing)?:?\s+(?:issue\s+)?#(\d+)/gi
/** Shorter issues are no long questions, and pull requests of fewer letters say nothing. */
const ISSUE_CHARS = 200
const PULL_CHARS = 60

export async function makeIssueSet(open: OpenClone, { sources, questions }: IssueRecipe): Promise<SetFile> {
  const parts = await Promise.all(
    sources.map(async (source) => {
      const clone = await open(source)
      return linkIssues(clone.repository, JSON.parse(await clone.readText(source.archive)) as Archive)
    }),
  )
  const posed = pick(
    parts.flatMap((part) => part.posed),
    questions,
    ({ id }) => id,
  )
  return {
    docs: parts.flatMap((part) => part.docs),
    queries: posed.map(({ id, text }) => ({ id, text })),
    qrels: Object.fromEntries(posed.map(({ id, answers }) => [id, Object.fromEntries(answers.map((one) => [one, 1]))])),
  }
}

function linkIssues(repository: string, { issues, pulls }: Archive) {
  const answersOf = new Map<number, string[]>()
  for (const { number, title, body } of pulls) {
    if (lettersOf(`${title} ${body ?? ''}`) < PULL_CHARS) continue
    const closed = new Set([...`${title} ${body ?? ''}`.matchAll(CLOSING)].map(([, issue]) => Number(issue)))
    for (const issue of closed) answersOf.set(issue, [...(answersOf.get(issue) ?? []), `${repository}#${number}`])
  }
  return {
    docs: pulls.map(({ number, title, body }) => ({
      id: `${repository}#${number}`,
      title,
      path: '',
      text: body ?? '',
    })),
    posed: issues.flatMap(({ number, title, body }) => {
      const answers = answersOf.get(number)
      if (answers === undefined || (body ?? '').length < ISSUE_CHARS) return []
      return [{ id: `${repository}#${number}`, text: `${title}\n\n${body}`, answers }]
    }),
  }
}

function lettersOf(text: string): number {
  return text.replace(CLOSING, '').replace(/[^\p{L}]/gu, '').length
}
