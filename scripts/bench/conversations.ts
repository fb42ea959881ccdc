/**
 * Sets of conversations with questions whose answers are known: `{docs, queries,
 * qrels}`. Docs are messages in the order they were written; a question may name
 * its session.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const QUESTIONS = resolve(import.meta.dirname, '../../test/questions')

/** The sets in this repository. */
export const OWN_SETS: readonly string[] = ['friends.json', 'assistant.json'].map((name) => join(QUESTIONS, name))

export interface SetMessage {
  readonly id: string
  readonly session: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly text: string
}

export interface EvidenceQuestion {
  readonly text: string
  /** Kind of question; figures are printed for each. */
  readonly kind: string
  /** Distance of its words from those of its answer, where the set has it: `near` or `far`. */
  readonly wording?: string
  readonly session?: string
  /** The ids of the messages that answer it. */
  readonly evidence: ReadonlySet<string>
}

export interface ConversationSet {
  readonly messages: readonly SetMessage[]
  readonly questions: readonly EvidenceQuestion[]
}

interface SetFile {
  readonly docs: readonly SetMessage[]
  readonly queries: readonly {
    readonly id: string
    readonly text: string
    readonly kind?: string
    readonly tag?: string
    readonly wording?: string
    readonly session?: string
  }[]
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** Questions without an answer in the set are omitted. */
export function readConversations(file: string): ConversationSet {
  const { docs, queries, qrels } = JSON.parse(readFileSync(file, 'utf8')) as SetFile
  const questions = queries.map(({ id, text, kind, tag, wording, session }) => ({
    text,
    kind: kind ?? tag ?? '',
    ...(wording !== undefined && { wording }),
    ...(session !== undefined && { session }),
    evidence: new Set(Object.keys(qrels[id] ?? {})),
  }))
  return { messages: docs, questions: questions.filter(({ evidence }) => evidence.size > 0) }
}
