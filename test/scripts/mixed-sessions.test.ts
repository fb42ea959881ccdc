/** The generated sets of many sessions: what they contain, and that a seed always gives the same one. */
import { describe, expect, test } from 'vitest'
import { sessionsOfConversation, sessionsOfFacts, type Fact } from '../../scripts/bench/memory/mixed-sessions.ts'
import friends from '../questions/friends.json'
import ingrid from '../questions/mixed/ingrid.json'
import rafael from '../questions/mixed/rafael.json'
import topics from '../questions/mixed/topics.json'

describe.each([
  ['Ingrid', ingrid as readonly Fact[]],
  ['Rafael', rafael as readonly Fact[]],
])('the sessions of %s', (_, facts) => {
  const { messages, questions } = sessionsOfFacts(facts, topics, 200, 1)
  const textOf = new Map(messages.map(({ id, text }) => [id, text]))

  test('there are as many sessions as wanted, of turns of a realistic length', () => {
    expect(new Set(messages.map(({ session }) => session)).size).toBe(200)
    const answers = messages.filter(({ role }) => role === 'assistant').map(({ text }) => text.length)
    expect(answers.reduce((sum, length) => sum + length, 0) / answers.length).toBeGreaterThan(500)
    expect(textOf.size).toBe(messages.length)
  })

  test('every message that answers a question mentions its fact, and no other message does', () => {
    expect(questions).toHaveLength(3 * facts.length)
    for (const [at, { evidence }] of questions.entries()) {
      const { said } = facts[Math.floor(at / 3)]!
      const texts = typeof said === 'string' ? [said] : said.map(([, text = '']) => text)
      expect(evidence.size).toBe(texts.length)
      const mentioning = messages.filter(({ text }) => texts.some((one) => text.includes(one)))
      expect(new Set(mentioning.map(({ id }) => id))).toEqual(evidence)
    }
  })

  test('mentions of one fact keep their order', () => {
    const whole = messages.map(({ text }) => text)
    for (const { said } of facts) {
      if (typeof said === 'string') continue
      const places = said.map(([, text = '']) => whole.findIndex((one) => one.includes(text)))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    }
  })

  test('a seed gives the same set, another seed another one', () => {
    const texts = (seed: number) => sessionsOfFacts(facts, topics, 200, seed).messages.map(({ text }) => text)
    expect(texts(1)).toEqual(messages.map(({ text }) => text))
    expect(texts(2)).not.toEqual(texts(1))
  })
})

test('a conversation that is cut keeps its messages in order, and its questions name no session', () => {
  const whole = {
    messages: friends.docs.map(({ id, text }) => ({ id, text, session: 's', role: 'user' as const })),
    questions: [{ text: 'where?', kind: '', session: 's', evidence: new Set(['m001']) }],
  }
  const { messages, questions } = sessionsOfConversation(whole, topics, 170, 3)
  expect(new Set(messages.map(({ session }) => session)).size).toBe(170)
  const kept = messages.filter(({ id }) => /^m\d/.test(id))
  expect(kept.map(({ text }) => text)).toEqual(whole.messages.map(({ text }) => text))
  expect(questions).toEqual([{ text: 'where?', kind: '', evidence: new Set(['m001']) }])
})
