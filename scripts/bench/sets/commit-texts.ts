/**
 * Long questions from messages of commits: `changes` asks with the body of a
 * message, and the diffs of that commit answer; `mentions` asks with a whole
 * message that refers to one earlier commit, and that commit's message answers,
 * the reference itself removed.
 */
import type { SetFile } from '../question-set.ts'
import type { CommitMessage, OpenClone, CloneSource } from './clone.ts'
import { pick } from './pick.ts'

interface CommitRecipe {
  readonly source: CloneSource
  /** Number of commits read, the newest ones. */
  readonly commits: number
  readonly questions: number
}

export interface ChangeRecipe extends CommitRecipe {
  readonly kind: 'changes'
}

export interface MentionRecipe extends CommitRecipe {
  readonly kind: 'mentions'
  readonly documents: number
}

/** A shorter body is no long question. */
const BODY_CHARS = 400
/** A commit of more files is a sweep over the project, and a patch of more characters is generated or foreign. */
const COMMIT_FILES = 12
const PATCH_CHARS = 30_000

export async function makeChangeSet(open: OpenClone, recipe: ChangeRecipe): Promise<SetFile> {
  const clone = await open(recipe.source)
  const messages = await clone.listMessages(recipe.commits)
  const filesOf = new Map<string, SetFile['docs'][number][]>()
  for await (const { commit, path, patch } of clone.patchesOf(messages.map(({ sha }) => sha))) {
    const doc = { id: `${commit.sha} ${path}`, title: '', path, sha: commit.sha, text: patch }
    filesOf.set(commit.sha, [...(filesOf.get(commit.sha) ?? []), doc])
  }
  const kept = new Map(
    [...filesOf].flatMap(([sha, docs]) => {
      const readable = docs.filter(({ text }) => text !== '' && text.length <= PATCH_CHARS)
      return docs.length <= COMMIT_FILES && readable.length > 0 ? [[sha, readable] as const] : []
    }),
  )
  const long = messages.filter(({ sha, body }) => body.length >= BODY_CHARS && kept.has(sha))
  const posed = pick(long, recipe.questions, ({ sha }) => sha)
  return {
    docs: [...kept.values()].flat(),
    queries: posed.map(({ sha, body }) => ({ id: sha, text: body })),
    qrels: Object.fromEntries(
      posed.map(({ sha }) => [sha, Object.fromEntries(kept.get(sha)!.map(({ id }) => [id, 1]))]),
    ),
  }
}

/** `1234567 (the subject, 2020-01-31)`, the form of `git log --format=reference`. */
const REFERENCE = /(?:\bcommit\s+)?\b([0-9a-f]{7,40})\s+\((?:[^()]|\([^()]*\))*?,\s+\d{4}-\d\d-\d\d\)/g

export async function makeMentionSet(open: OpenClone, recipe: MentionRecipe): Promise<SetFile> {
  const messages = await (await open(recipe.source)).listMessages(recipe.commits)
  const bySha = messages.toSorted((a, b) => (a.sha < b.sha ? -1 : 1))
  const mentions = messages.flatMap((message) => {
    const named = new Set([...message.body.matchAll(REFERENCE)].map(([, sha]) => sha!))
    const [short, ...others] = named
    if (short === undefined || others.length > 0 || message.body.length < BODY_CHARS) return []
    const answer = findCommit(bySha, short)
    return answer === undefined ? [] : [{ message, answer }]
  })
  const posed = pick(mentions, recipe.questions, ({ message }) => message.sha)
  const asking = new Set(posed.map(({ message }) => message.sha))
  const answering = new Set(posed.map(({ answer }) => answer.sha).filter((sha) => !asking.has(sha)))
  const others = messages.filter(({ sha, body }) => body !== '' && !asking.has(sha) && !answering.has(sha))
  const kept = new Set(pick(others, recipe.documents - answering.size, ({ sha }) => sha).map(({ sha }) => sha))
  const answered = posed.filter(({ answer }) => answering.has(answer.sha))
  return {
    docs: messages
      .filter(({ sha }) => answering.has(sha) || kept.has(sha))
      .map(({ sha, subject, body }) => ({ id: sha, title: subject, path: '', text: body })),
    queries: answered.map(({ message }) => ({
      id: message.sha,
      text: `${message.subject}\n\n${message.body.replace(REFERENCE, '')}`,
    })),
    qrels: Object.fromEntries(answered.map(({ message, answer }) => [message.sha, { [answer.sha]: 1 }])),
  }
}

/** The only commit of the sorted list with this prefix. */
function findCommit(bySha: readonly CommitMessage[], short: string): CommitMessage | undefined {
  let [low, high] = [0, bySha.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (bySha[middle]!.sha < short) low = middle + 1
    else high = middle
  }
  const [found, next] = [bySha[low], bySha[low + 1]]
  return found?.sha.startsWith(short) && !next?.sha.startsWith(short) ? found : undefined
}
