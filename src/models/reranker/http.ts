/**
 * A reranker behind the form of `POST .../rerank` that llama.cpp, vLLM,
 * Infinity, Jina and Cohere share: a question and documents in, the place and
 * score of each out, in any order. Answers are checked before they are believed.
 */
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { askModel } from '../ask-model.ts'
import type { Fetch } from '../ask-model.ts'
import { cutToBytes } from '../../base/text-cut.ts'
import type { Reranker } from './reranker.ts'

export interface HttpRerankerOptions {
  /** What is posted to, whole: servers differ in the path. */
  readonly url: string
  readonly model: string
  readonly key?: string
  readonly fetch: Fetch
}

/** A model reads the question with every text, so a long question is paid for many times; UTF-8 bytes. */
export const MAX_QUERY_BYTES = 2_048
/** A chunk as it is usually cut, in any script; UTF-8 bytes. */
export const MAX_TEXT_BYTES = 4_096

type Scores = (number | undefined)[]

export function httpReranker({ url, model, key, fetch }: HttpRerankerOptions): Reranker {
  return {
    reranks: true,
    async rerank(query, texts, timeLimitMs) {
      if (texts.length === 0) return ok([])
      const body = {
        model,
        query: cutToBytes(query, MAX_QUERY_BYTES),
        documents: texts.map((text) => cutToBytes(text, MAX_TEXT_BYTES)),
        // Some give only the best few unless told.
        top_n: texts.length,
      }
      const answer = await askModel({ url, ...(key && { key }), fetch, body, timeLimitMs })
      if ('problem' in answer) return fail(answer.problem)
      if ('status' in answer) return fail(`answers ${answer.status}`)
      return readScores(answer.json, texts.length)
    },
  }
}

function readScores(answer: unknown, count: number): Result<Scores> {
  const rows = (answer as { results?: unknown } | null)?.results
  if (!Array.isArray(rows)) return fail('gives no results')
  const scores: Scores = Array.from({ length: count })
  for (const row of rows as ({ index?: unknown; relevance_score?: unknown } | null)[]) {
    const place = row?.index
    const score = row?.relevance_score
    if (typeof place !== 'number' || !Number.isInteger(place) || place < 0 || place >= count) {
      return fail('scores what it was not given')
    }
    if (scores[place] !== undefined) return fail('scores one text twice')
    if (typeof score !== 'number' || !Number.isFinite(score)) return fail('gives no scores')
    scores[place] = score
  }
  return ok(scores)
}

function fail(problem: string): Result<never> {
  return refuse({ code: 'UNAVAILABLE', message: `The reranker ${problem}.`, hint: 'Try again in a moment.' })
}
