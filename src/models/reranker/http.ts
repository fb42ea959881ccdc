/**
 * A reranker behind the form of `POST .../rerank` that llama.cpp, vLLM, Infinity, Jina
 * and Cohere share: a question and documents in, the index and score of each out, in
 * any order. Answers are validated.
 */
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { postToModel } from '../post-to-model.ts'
import type { Fetch } from '../post-to-model.ts'
import { cutToBytes } from '../../base/text-cut.ts'
import type { Reranker } from './reranker.ts'
import { MAX_RERANKER_QUERY_BYTES, MAX_RERANKER_TEXT_BYTES } from '../limits.ts'

export interface HttpRerankerOptions {
  /** The whole address, because servers differ in the path. */
  readonly url: string
  readonly model: string
  readonly key?: string
  readonly fetch: Fetch
}

type Scores = (number | undefined)[]

export function httpReranker({ url, model, key, fetch }: HttpRerankerOptions): Reranker {
  return {
    reranks: true,
    async rerank(query, texts, timeLimitMs) {
      if (texts.length === 0) return ok([])
      const body = {
        model,
        query: cutToBytes(query, MAX_RERANKER_QUERY_BYTES),
        documents: texts.map((text) => cutToBytes(text, MAX_RERANKER_TEXT_BYTES)),
        // Some servers return only the best few by default.
        top_n: texts.length,
      }
      const answer = await postToModel({ url, ...(key && { key }), fetch, body, timeLimitMs })
      if ('problem' in answer) return fail(answer.problem)
      if ('status' in answer) return fail(`answers ${answer.status}`)
      return readScores(answer.json, texts.length)
    },
  }
}

function readScores(answer: unknown, count: number): Result<Scores> {
  const rows = (answer as { results?: unknown } | null)?.results
  if (!Array.isArray(rows)) return fail('returned no results')
  const scores: Scores = Array.from({ length: count })
  for (const row of rows as ({ index?: unknown; relevance_score?: unknown } | null)[]) {
    const place = row?.index
    const score = row?.relevance_score
    if (typeof place !== 'number' || !Number.isInteger(place) || place < 0 || place >= count) {
      return fail('scored a text that it was not given')
    }
    if (scores[place] !== undefined) return fail('scored one text twice')
    if (typeof score !== 'number' || !Number.isFinite(score)) return fail('returned no scores')
    scores[place] = score
  }
  return ok(scores)
}

function fail(problem: string): Result<never> {
  return refuse({ code: 'UNAVAILABLE', message: `The reranker ${problem}.`, hint: 'Try again in a moment.' })
}
