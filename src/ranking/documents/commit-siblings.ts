/**
 * Scores the files of one commit together, because they answer a question together:
 * one contains `cookie`, its test `lowercase`. The score of a file is partly its own
 * and partly the score of its commit, which takes each term from the best candidate
 * file. A commit of many chunks matches more words by chance and counts for less, but
 * the words of its message are not there by chance.
 */
import { scoreOf, type ScoreParts, type TermPart } from './chunk-score.ts'

/** Chosen on known-item sets of commits: together .41 -> .49 nDCG@10. */
const COMMIT_SHARE = 2 / 3
const SIZE_POWER = 0.3

/** The least part of its own score that a message keeps, however large its commit is; with more, pages fall behind messages. */
const MESSAGE_SHARE = 0.8

/**
 * Scores of the candidate files of one commit, in their order. `chunks` is the
 * number of chunks of the commit in the whole index.
 */
export function shareCommit(files: readonly ScoreParts[], chunks: number, whole: number): number[] {
  const best = new Map<number, TermPart>()
  for (const { parts } of files) {
    for (const [key, part] of parts) if (part.score > (best.get(key)?.score ?? 0)) best.set(key, part)
  }
  const size = Math.max(chunks, files.length)
  const together = scoreOf({ parts: best, factor: 1 }, whole) / size ** SIZE_POWER
  return files.map((file) => (1 - COMMIT_SHARE) * scoreOf(file, whole) + COMMIT_SHARE * together * file.factor)
}

/** The score of a commit's message; `shared` is its score as one of the files. */
export function scoreMessage(message: ScoreParts, shared: number, whole: number): number {
  return Math.max(MESSAGE_SHARE * scoreOf(message, whole), shared)
}
