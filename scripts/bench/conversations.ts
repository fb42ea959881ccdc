/**
 * Sets of conversations with questions whose answers are known: `{docs, queries,
 * qrels}`. Docs are messages in the order they were written; a question may name
 * its session. The sets of this repository are two long conversations, and four
 * people with many sessions of mixed topics, whose questions name no session.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ConversationSet, SetMessage } from './memory/conversation-set.ts'
import { sessionsOfConversation, sessionsOfFacts, type Fact, type Topics } from './memory/mixed-sessions.ts'

const QUESTIONS = resolve(import.meta.dirname, '../../test/questions')

export interface NamedSet {
  readonly name: string
  read(): ConversationSet
}

/** The sets in this repository. Each of the mixed ones has 170 sessions or more. */
export const OWN_SETS: readonly NamedSet[] = [
  ...['friends', 'assistant'].map((name) => fileSet(join(QUESTIONS, `${name}.json`))),
  ...['ingrid', 'rafael'].map((name, at) => ({
    name,
    read: () => sessionsOfFacts(readMixed(name) as Fact[], readMixed('topics') as Topics, 200, at + 1),
  })),
  ...['friends', 'assistant'].map((name, at) => ({
    name: `${name}, cut`,
    read: () => {
      const whole = readConversations(join(QUESTIONS, `${name}.json`))
      return sessionsOfConversation(whole, readMixed('topics') as Topics, 170, at + 3)
    },
  })),
]

export function fileSet(file: string): NamedSet {
  const name = file.replace(/^.*\//, '').replace(/\.json$/, '')
  return { name, read: () => readConversations(file) }
}

function readMixed(name: string): unknown {
  return JSON.parse(readFileSync(join(QUESTIONS, 'mixed', `${name}.json`), 'utf8'))
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
function readConversations(file: string): ConversationSet {
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
