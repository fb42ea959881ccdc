/**
 * Generated conversations for measuring cost: messages and questions from a seed,
 * made of common English words and an invented vocabulary with Zipf's law, so that
 * a store has stop words, common and rare words like a real one. They say nothing
 * about quality.
 */
import { ulid } from 'ulid'
import { randomFrom, wordOf, type Random } from '../corpus.ts'

/** The arguments of a write. */
export interface ChatMessage {
  readonly session_id: string
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** Message number `at`; equal numbers give equal messages. */
export function messageAt(at: number): ChatMessage {
  const random = randomFrom(at + 1)
  const words = Array.from({ length: between(random, MESSAGE_WORDS) }, () => VOCABULARY[zipf(random)]!)
  return {
    session_id: `conversation-${Math.floor(at / SESSION_MESSAGES)}`,
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: punctuated(words, random),
  }
}

/** Messages `from` to `to` (exclusive) as lines of an import. */
export function linesOf(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, offset) => {
    const at = from + offset
    const timestamp = FIRST_MS + at * BETWEEN_MS
    const message_id = ulid(timestamp, randomFrom(at + 1))
    return JSON.stringify({ ...messageAt(at), message_id, timestamp, updated_at: timestamp, revision: 1, metadata: {} })
  }).join('\n')
}

/** Distinct questions about the first `size` messages, each of consecutive words of one of them. */
export function questionsAbout(size: number, count: number): string[] {
  const random = randomFrom(size)
  const questions = new Set<string>()
  while (questions.size < count) {
    const words =
      messageAt(Math.floor(random() * size))
        .content.toLowerCase()
        .match(/[a-z']+/g) ?? []
    const length = between(random, QUESTION_WORDS)
    if (words.length < length) continue
    const start = Math.floor(random() * (words.length - length + 1))
    questions.add(`${words.slice(start, start + length).join(' ')}?`)
  }
  return [...questions]
}

/** Questions of one word each, of the most common word of the messages and less common ones. */
export function commonQuestions(): string[] {
  return COMMON.filter((_, rank) => rank % COMMON_STEP === 0)
}

const COMMON_STEP = 5

const SESSION_MESSAGES = 200
const MESSAGE_WORDS = [10, 60] as const
const QUESTION_WORDS = [5, 12] as const
const FIRST_MS = Date.UTC(2026, 0, 1)
const BETWEEN_MS = 60_000

/** The most common words of conversations, approximately in order. */
const COMMON =
  `i you the to a and it that is of in my was for on me have so but do with this be just what not are like we at no know
  your can all he if they get she how want go about one think time good up out there will would got really had when
  yeah see as oh now them an okay or going her from because some him did then too here need much more today well been
  has work back our day could home make love let people very tell things day feel sure great never only thought little
  something again mean week should us over by their last even other new`.split(/\s+/)

const WORDS = 20_000
const VOCABULARY = Array.from({ length: WORDS }, (_, rank) => COMMON[rank] ?? wordOf(rank))

/** A rank by Zipf's law with exponent 1: the inverse of its cumulative distribution, approximately. */
function zipf(random: Random): number {
  return Math.min(WORDS - 1, Math.floor(WORDS ** random()) - 1)
}

/** A whole number, both ends included. */
function between(random: Random, [least, most]: readonly [number, number]): number {
  return least + Math.floor(random() * (most - least + 1))
}

/** Sentences of about ten words; one message in five ends as a question. */
function punctuated(words: readonly string[], random: Random): string {
  const sentences: string[] = []
  for (let at = 0; at < words.length; at += 10) sentences.push(words.slice(at, at + 10).join(' '))
  return sentences.map((text) => text[0]!.toUpperCase() + text.slice(1)).join('. ') + (random() < 0.2 ? '?' : '.')
}
