/**
 * A question to the conversation store as it is searched and ranked: its terms,
 * what kind of answer it wants and whose. Plain language; nothing in it is an
 * operator.
 */
import type { ConversationQuestion } from '../../ranking/conversations/rank-messages.ts'
import { prefixOf } from '../../text/tokenize/prefixes.ts'
import { questionCharacters } from '../../text/tokenize/characters.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import { normalise } from '../../text/tokenize/normalise.ts'
import { readTerms, type QuestionTerm } from '../../text/question/question-terms.ts'
import { STOP_WORDS } from '../../text/terms/stop-words.ts'

export interface MemoryQuestion extends ConversationQuestion {
  /** Distinct; those that choose messages first, then those that only count in messages near them. */
  readonly terms: readonly QuestionTerm[]
  /** What the word index is asked for. Empty when nothing in the question can be searched: `***`. */
  readonly candidateTerms: readonly QuestionTerm[]
}

/** A character stands inside any word; the word it is part of tells more. */
const CHARACTER_WEIGHT = 0.4
const MAX_CHARACTERS = 32

/** Only so much of a question is read for its kind, in UTF-16 units. */
const READ_CHARS = 1000

/** A question of fewer words names what it looks for. */
const PREFIXES_FROM_WORDS = 3
const PREFIX_WEIGHT = 0.25

/**
 * In a sentence its words without meaning count a little. They choose nothing, but a message beside one
 * that answers may be the answer itself, and share no other word with the question.
 */
const FILLERS_FROM_WORDS = 4
const FILLER_WEIGHT = 0.1
const MAX_FILLERS = 32

/** Friends say I and you: in what they write these words are rare, and say nothing all the same. */
const STOP_WORDS_IN_TALK: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...'he him his himself she her hers herself themselves yourself up out off over down'.split(' '),
])

/** Reads a question of any length; time is linear in it. */
export function readMemoryQuestion(text: string): MemoryQuestion {
  const { terms, words } = readTerms(text, { toTermOf: toBaseTerm, stopWords: STOP_WORDS_IN_TALK })
  const characters = [...new Set(questionCharacters(words))]
    .slice(0, MAX_CHARACTERS)
    .map((term) => ({ term, weight: CHARACTER_WEIGHT }))
  const asked = normalise(text.slice(0, READ_CHARS))
  const choosing = [...terms, ...characters, ...prefixesOf(terms)]
  return {
    terms: [...choosing, ...fillersOf(words, terms)],
    candidateTerms: choosing,
    names: capitalisedStopWords(asked),
    asksWhen: ASKS_WHEN.test(asked),
    asksHowMany: ASKS_HOW_MANY.test(asked),
    saidBy: saidBy(asked),
  }
}

const ASKS_WHEN =
  /^\W*(?:(?:and|so|but|since|until|by) )?when\b|\bwhen (?:did|was|were|is|are|will|do|does|has|have|had|would|should|can)\b|\b(?:what|which) (?:day|date|time|month|year|week|season)\b|\bhow (?:long|recently|soon)\b|いつ|何時|何日|何月|何年|何曜日|什么时候|何时|哪[天年]|几[号月点]|언제|몇 ?[시월년]|며칠/iu

const ASKS_HOW_MANY =
  /\bhow (?:many|much|often|old|long|far|few|big|large|tall|high|deep|wide|heavy|fast|expensive)\b|\bnumber of\b|いくつ|いくら|何[人個回本匹冊枚台歳杯度]|多少|几[个次只岁块人]|몇 ?[명개번마리살]|얼마/iu

/** `you told me`, `did you recommend`, `remind me what you said`. */
const SAID_BY_ASSISTANT =
  /\byou (?:\w+ )?(?:said|say|told|tell|suggest|suggested|recommend|recommended|mention|mentioned|give|gave|provide|provided|list|listed|explain|explained|describe|described|advise|advised|propose|proposed|write|wrote|share|shared|name|named|call|called|create|created|come up with|came up with)\b|\b(?:your|the) (?:advice|suggestions?|recommendations?|answer|explanation)\b/i

const SAID_BY_USER = /\b(?:i|my|me|mine)\b|[私僕俺]|我(?!们|們)/iu

/** Whose message answers: what `you` said is the assistant's, what is `mine` the user's. */
function saidBy(text: string): 'user' | 'assistant' | undefined {
  if (SAID_BY_ASSISTANT.test(text)) return 'assistant'
  return SAID_BY_USER.test(text) ? 'user' : undefined
}

/** Names that are also words without meaning, as in `What did Will buy?`; the first word has its capital anyway. */
function capitalisedStopWords(text: string): string[] {
  const words = [...text.matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}\p{Ll}+/gu)].map(([word]) => word.toLowerCase())
  return words.filter((word) => STOP_WORDS.has(word)).map(toBaseTerm)
}

function prefixesOf(terms: readonly QuestionTerm[]): QuestionTerm[] {
  const words = terms.filter(({ word }) => word !== undefined)
  if (words.length < PREFIXES_FROM_WORDS) return []
  const beginnings = new Set(words.map(({ term }) => prefixOf(term)).filter((term) => term !== undefined))
  return [...beginnings].map((term) => ({ term, weight: PREFIX_WEIGHT }))
}

function fillersOf(words: readonly string[], terms: readonly QuestionTerm[]): QuestionTerm[] {
  if (words.length < FILLERS_FROM_WORDS) return []
  const known = new Set(terms.map(({ term }) => term))
  const fillers = words.filter((word) => STOP_WORDS_IN_TALK.has(word)).map(toBaseTerm)
  const unknown = new Set(fillers.filter((term) => !known.has(term)))
  return [...unknown].slice(0, MAX_FILLERS).map((term) => ({ term, weight: FILLER_WEIGHT }))
}
