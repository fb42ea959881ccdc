/**
 * Analyses a question to the conversation store: its search terms, the kind of
 * answer that it asks for, and whose message would answer it. A question is plain
 * language; its only operator is a pair of double quotes.
 */
import { MAX_QUESTION_CHARACTERS, MAX_QUESTION_STOP_WORDS } from '../limits.ts'
import type { ConversationQuestion } from '../../ranking/conversations/rank-messages.ts'
import { prefixOf } from '../../text/tokenize/prefixes.ts'
import { questionCharacters } from '../../text/tokenize/characters.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import { normalise } from '../../text/tokenize/normalise.ts'
import { readPhrases, type Phrase } from '../../text/question/phrases.ts'
import { readTerms, type QuestionTerm } from '../../text/question/question-terms.ts'
import { STOP_WORDS } from '../../text/terms/stop-words.ts'

export interface MemoryQuestion extends ConversationQuestion {
  /** Distinct. First the candidate terms, then terms that only count in the ranking. */
  readonly terms: readonly QuestionTerm[]
  /** Terms to look up in the word index. Empty for a question without a searchable word: `***`. */
  readonly candidateTerms: readonly QuestionTerm[]
  /** Quoted phrases; every result has them all. */
  readonly phrases: readonly Phrase[]
}

/** A single CJK character occurs in many words, so it is less selective than a word. */
const CHARACTER_WEIGHT = 0.4

/** UTF-16 units at the start of a question from which its kind is read. */
const READ_CHARS = 1000

/** A question of fewer words gets no prefixes, because it names the thing that it searches for. */
const PREFIXES_FROM_WORDS = 3
const PREFIX_WEIGHT = 0.25

/**
 * In a sentence, stop words count a little in the ranking. They select no
 * candidates, but a message beside a candidate may be the answer and share no
 * other word with the question.
 */
const STOP_WORDS_FROM_WORDS = 4
const STOP_WORD_WEIGHT = 0.1

/** Personal pronouns and particles carry no topic in conversations, although some of them are rare. */
const STOP_WORDS_IN_TALK: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...'he him his himself she her hers herself themselves yourself up out off over down'.split(' '),
])

/** Accepts a question of any length, in linear time. */
export function readMemoryQuestion(text: string): MemoryQuestion {
  const { terms, words } = readTerms(text, { toTermOf: toBaseTerm, stopWords: STOP_WORDS_IN_TALK })
  const characters = [...new Set(questionCharacters(words))]
    .slice(0, MAX_QUESTION_CHARACTERS)
    .map((term) => ({ term, weight: CHARACTER_WEIGHT }))
  const start = normalise(text.slice(0, READ_CHARS))
  const phrases = readPhrases(normalise(text)).map((phrase) => phrase.map(withCharacter))
  const quoted = quotedTerms(phrases, [...terms, ...characters])
  const candidateTerms = [...terms, ...characters, ...quoted, ...prefixesOf(terms)]
  return {
    terms: [...candidateTerms, ...stopWordsOf(words, [...terms, ...quoted])],
    candidateTerms,
    phrases,
    names: capitalisedStopWords(start),
    asksWhen: ASKS_WHEN.test(start),
    asksHowMany: ASKS_HOW_MANY.test(start),
    saidBy: saidBy(start),
  }
}

const ASKS_WHEN =
  /^\W*(?:(?:and|so|but|since|until|by) )?when\b|\bwhen (?:did|was|were|is|are|will|do|does|has|have|had|would|should|can)\b|\b(?:what|which) (?:day|date|time|month|year|week|season)\b|\bhow (?:long|recently|soon)\b|いつ|何時|何日|何月|何年|何曜日|什么时候|何时|哪[天年]|几[号月点]|언제|몇 ?[시월년]|며칠/iu

const ASKS_HOW_MANY =
  /\bhow (?:many|much|often|old|long|far|few|big|large|tall|high|deep|wide|heavy|fast|expensive)\b|\bnumber of\b|いくつ|いくら|何[人個回本匹冊枚台歳杯度]|多少|几[个次只岁块人]|몇 ?[명개번마리살]|얼마/iu

/** `you suggested`, `did you recommend`, `remind me what you said`. */
const SAID_BY_ASSISTANT =
  /\byou (?:\w+ )?(?:said|say|told|tell|suggest|suggested|recommend|recommended|mention|mentioned|give|gave|provide|provided|list|listed|explain|explained|describe|described|advise|advised|propose|proposed|write|wrote|share|shared|name|named|call|called|create|created|come up with|came up with)\b|\b(?:your|the) (?:advice|suggestions?|recommendations?|answer|explanation)\b/i

const SAID_BY_USER = /\b(?:i|my|me|mine)\b|[私僕俺]|我(?!们|們)/iu

/** Whose message would answer: what `you` said is the assistant's, what is `mine` is the user's. */
function saidBy(text: string): 'user' | 'assistant' | undefined {
  if (SAID_BY_ASSISTANT.test(text)) return 'assistant'
  return SAID_BY_USER.test(text) ? 'user' : undefined
}

/** Names that are also stop words, as in `What did Will buy?`. The first word is capitalised anyway, so it is ignored. */
function capitalisedStopWords(text: string): string[] {
  const words = [...text.matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}\p{Ll}+/gu)].map(([word]) => word.toLowerCase())
  return words.filter((word) => STOP_WORDS.has(word)).map(toBaseTerm)
}

function prefixesOf(terms: readonly QuestionTerm[]): QuestionTerm[] {
  const words = terms.filter(({ word }) => word !== undefined)
  if (words.length < PREFIXES_FROM_WORDS) return []
  const prefixes = new Set(words.map(({ term }) => prefixOf(term)).filter((term) => term !== undefined))
  return [...prefixes].map((term) => ({ term, weight: PREFIX_WEIGHT }))
}

/** The run of a phrase that is one character is found inside longer words, as such a word of a question is. */
function withCharacter(run: readonly string[]): readonly string[] {
  return run.length === 1 && questionCharacters(run).length === 1 ? questionCharacters(run) : run
}

/** Terms of the phrases that are not known yet, because they are stop words: a message may have the phrase and nothing else. */
function quotedTerms(phrases: readonly Phrase[], known: readonly QuestionTerm[]): QuestionTerm[] {
  const quoted = new Set(phrases.flat(2).map(toBaseTerm))
  for (const { term } of known) quoted.delete(term)
  return [...quoted].map((term) => ({ term, weight: STOP_WORD_WEIGHT }))
}

function stopWordsOf(words: readonly string[], terms: readonly QuestionTerm[]): QuestionTerm[] {
  if (words.length < STOP_WORDS_FROM_WORDS) return []
  const known = new Set(terms.map(({ term }) => term))
  const stopWords = words.filter((word) => STOP_WORDS_IN_TALK.has(word)).map(toBaseTerm)
  const unknown = new Set(stopWords.filter((term) => !known.has(term)))
  return [...unknown].slice(0, MAX_QUESTION_STOP_WORDS).map((term) => ({ term, weight: STOP_WORD_WEIGHT }))
}
