/**
 * Conversations of one person in many sessions of mixed topics, put together from
 * hand-written parts: facts that the person mentions in passing, questions about
 * them, and a stock of openings, advice and follow-ups for each topic. A session
 * is about one topic; its assistant turns are long. The same seed gives the same
 * set. Or a long conversation is cut into sessions that lie between such ones.
 */
import { randomFrom, type Random } from '../corpus.ts'
import type { ConversationSet, EvidenceQuestion, SetMessage } from './conversation-set.ts'

/** Hand-written parts of sessions about one topic. */
interface Topic {
  /** First messages of the user. */
  readonly openings: readonly string[]
  /** Items of which the assistant's answers are made. */
  readonly advice: readonly string[]
  /** Further messages of the user. */
  readonly follows: readonly string[]
}

export type Topics = Readonly<Record<string, Topic>>

/** One place where a fact is mentioned: the topic of the session, and the words. */
type Mention = readonly [topic: string, text: string]

/** A fact with three questions about it; `multi` facts are mentioned in several sessions. */
export interface Fact {
  readonly kind?: string
  /** The subject of its sessions in the words of the user; most of their messages name it. */
  readonly about: string
  /** Who mentions it; the user unless it says so. */
  readonly by?: string
  /** Topic of the session of a single mention. */
  readonly in?: string
  readonly said: string | readonly (readonly string[])[]
  readonly near: string
  readonly usual: string
  readonly far: string
}

const WORDINGS = ['near', 'usual', 'far'] as const

/** A set with at least `sessions` sessions; each fact is mentioned in sessions of its own. */
export function sessionsOfFacts(
  facts: readonly Fact[],
  topics: Topics,
  sessions: number,
  seed: number,
): ConversationSet {
  const random = randomFrom(seed)
  const writer = new SessionWriter(topics, random)
  const evidence = new Map<Fact, Set<string>>(facts.map((fact) => [fact, new Set()]))
  const mentions = facts.flatMap((fact) => mentionsOf(fact).map(([topic, text]) => ({ topic, text, fact })))
  // Of the other sessions most are about something of which a fact is known, without mentioning it.
  const others = Array.from({ length: Math.max(0, sessions - mentions.length) }, (): Plan => {
    const { topic, fact } = pick(random, mentions)
    const about = [fact.about, pick(random, facts).about]
    return random() < ABOUT_SHARE ? { topic, about } : { topic: pick(random, Object.keys(topics)) }
  })
  const mentioning = mentions.map((one) => ({ ...one, about: [one.fact.about, pick(random, facts).about] }))
  const plans = inOrder(shuffled(random, [...mentioning, ...others]))
  const messages = plans.flatMap((plan, at) => {
    const { turns, place } = writer.session(plan)
    return turns.map((turn, step): SetMessage => {
      const id = `${at + 1}-${step + 1}`
      if (step === place && plan.fact !== undefined) evidence.get(plan.fact)?.add(id)
      return { id, session: `s${at + 1}`, ...turn }
    })
  })
  const questions = facts.flatMap((fact) =>
    WORDINGS.map((wording): EvidenceQuestion => {
      return { text: fact[wording], wording, kind: kindOf(fact), evidence: evidence.get(fact)! }
    }),
  )
  return { messages, questions }
}

/** Share of the sessions without a fact that are about the subject of one. */
const ABOUT_SHARE = 0.9

function kindOf({ kind, by }: Fact): string {
  return kind ?? (by === 'assistant' ? 'advice' : 'single')
}

/**
 * A conversation cut into sessions of four to nine messages, between them sessions
 * about the topics, as many as make `sessions` together. Its questions name no session.
 */
export function sessionsOfConversation(
  { messages, questions }: ConversationSet,
  topics: Topics,
  sessions: number,
  seed: number,
): ConversationSet {
  const random = randomFrom(seed)
  const writer = new SessionWriter(topics, random)
  const cut: SetMessage[][] = []
  for (let from = 0; from < messages.length;) {
    const to = from + between(random, 4, 9)
    cut.push(messages.slice(from, to))
    from = to
  }
  const names = Object.keys(topics)
  const others = Array.from({ length: Math.max(0, sessions - cut.length) }, (_, at) =>
    writer
      .session({ topic: pick(random, names) })
      .turns.map((turn, step) => ({ id: `other ${at + 1}-${step + 1}`, ...turn })),
  )
  const places = shuffled(random, [...cut.map(() => cut), ...others.map(() => others)])
  const taken = new Map<unknown, number>()
  const mixed = places.flatMap((source, at) => {
    const next = taken.get(source) ?? 0
    taken.set(source, next + 1)
    return source[next]!.map((message) => ({ ...message, session: `s${at + 1}` }))
  })
  const unbound = questions.map(({ text, kind, wording, evidence }): EvidenceQuestion => {
    return { text, kind, ...(wording !== undefined && { wording }), evidence }
  })
  return { messages: mixed, questions: unbound }
}

/** A session to write: its topic, its subject, and the fact that it mentions. */
interface Plan {
  readonly topic: string
  /** It turns from one to the next. */
  readonly about?: readonly string[]
  readonly text?: string
  readonly fact?: Fact
}

function mentionsOf({ said, in: topic = '' }: Fact): Mention[] {
  return typeof said === 'string' ? [[topic, said]] : said.map(([of = '', text = '']) => [of, text])
}

/** The mentions of each fact in their own order, at the same places, so that a later one may correct an earlier one. */
function inOrder(plans: readonly Plan[]): Plan[] {
  const waiting = Map.groupBy(plans, ({ fact }) => fact)
  for (const [fact, ofFact] of waiting) {
    if (fact === undefined) continue
    const texts = mentionsOf(fact).map(([, text]) => text)
    ofFact.sort((a, b) => texts.indexOf(a.text ?? '') - texts.indexOf(b.text ?? ''))
  }
  return plans.map(({ fact }) => waiting.get(fact)!.shift()!)
}

type Turn = Pick<SetMessage, 'role' | 'text'>

/** Writes sessions; each part of a topic comes again only after all others. */
class SessionWriter {
  readonly #topics: Topics
  readonly #random: Random
  readonly #stocks = new Map<readonly string[], string[]>()

  constructor(topics: Topics, random: Random) {
    this.#topics = topics
    this.#random = random
  }

  /** Questions of the user with their answers; `place` is that of the turn that mentions the fact. */
  session({ topic, about = [], text, fact }: Plan): { turns: Turn[]; place: number } {
    const { openings, advice, follows } = this.#topics[topic]!
    const byAssistant = fact?.by === 'assistant'
    const rounds = between(this.#random, ...ROUNDS)
    const factRound = Math.floor(this.#random() * rounds)
    const turns: Turn[] = []
    for (let round = 0; round < rounds; round += 1) {
      const subject = about[Math.floor(this.#random() * about.length)]
      const named = round === 0 ? OPENINGS_ABOUT : FOLLOWS_ABOUT
      const request = `${this.#about(subject, named)}${this.#next(round === 0 ? openings : follows)}`
      const items = Array.from({ length: between(this.#random, 3, 7) }, () => this.#next(advice))
      const isFact = text !== undefined && round === factRound
      if (isFact && byAssistant) items.splice(between(this.#random, 0, items.length), 0, text)
      turns.push({ role: 'user', text: isFact && !byAssistant ? this.#joined(text, request) : request })
      turns.push({ role: 'assistant', text: this.#answer(items, subject) })
    }
    return { turns, place: 2 * factRound + Number(byAssistant) }
  }

  #joined(fact: string, request: string): string {
    return this.#random() < 0.5 ? `${fact} ${request}` : `${request} ${fact}`
  }

  #answer(items: readonly string[], about: string | undefined): string {
    const list = items.map((item, at) => `${at + 1}. ${item}`).join('\n')
    const yours = about?.replace(/\b(?:my|our)\b/g, 'your')
    return `${this.#about(yours, ANSWERS_ABOUT)}${this.#next(INTRODUCTIONS)}\n\n${list}\n\n${this.#next(ENDINGS)}`
  }

  /** A sentence that names the subject, or nothing. */
  #about(about: string | undefined, sentences: readonly string[]): string {
    if (about === undefined || this.#random() > NAMED_SHARE) return ''
    return `${this.#next(sentences).replace('…', about)} `
  }

  #next(stock: readonly string[]): string {
    const left = this.#stocks.get(stock) ?? []
    if (left.length === 0) left.push(...shuffled(this.#random, stock))
    this.#stocks.set(stock, left)
    return left.pop()!
  }
}

/** Questions of the user in a session, both ends included. */
const ROUNDS = [3, 7] as const

/** Share of the messages of a session that name its subject. */
const NAMED_SHARE = 0.8

const OPENINGS_ABOUT: readonly string[] = [
  "It's about … today.",
  'I have another question, this time because of ….',
  'You remember …? I keep coming back to that.',
  'Hello again. I was thinking about … on the way home.',
  'This one has to do with ….',
]

const FOLLOWS_ABOUT: readonly string[] = [
  'What does that mean for …?',
  'And if I think of …, does it change anything?',
  'Right, and … is part of it as well.',
  'So with … in mind:',
  'I had not thought of … in that way before.',
]

const ANSWERS_ABOUT: readonly string[] = [
  'As far as … is concerned, there is a simple way to look at it.',
  'I had … in mind when I put this together.',
  'Since you mention …: it fits in well here.',
  'That is a good way to think about ….',
  'For … I would keep it modest at first.',
]

const INTRODUCTIONS: readonly string[] = [
  'Good question, and you are not alone with it. Here is what tends to help most people:',
  'Let me sort that by what makes the biggest difference for the least effort.',
  'Thank you for the details. With those in mind, this is where I would begin:',
  'There are a few ways to go about this. In your place I would try these, in this order:',
  'Happy to help! A short list first, and then we can go deeper wherever you like.',
  'That depends a little on how much time you have, but these points hold nearly always:',
  'I understand. It sounds as if you have tried a lot already, so here are the less obvious ones:',
  'Yes, that works. Keep the following in mind and it should go smoothly:',
  'Here is a plan that has worked for others in a similar situation:',
  'It is easier than it looks. The main things are these:',
]

const ENDINGS: readonly string[] = [
  'Would you like me to turn this into a plan for the coming week?',
  'Tell me how it goes, and we can adjust from there.',
  'If only one of these fits into your days, take the first.',
  'Let me know which of them sounds realistic and I will go into detail.',
  'None of this has to happen at once; one change a week is plenty.',
  'If something about your situation is different, say so and I will think again.',
  'I hope that helps. Is there anything you would like to look at more closely?',
  'Start small, and write down what you notice.',
  'Do you want a shorter version that you can put on the fridge?',
  'I can also suggest a few alternatives if that does not suit you.',
]

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!
}

/** A whole number, both ends included. */
function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
