/**
 * `npm run rebuild`: has a running server make everything derived again from
 * its stored documents. Progress goes to stderr, the outcome to stdout. Ended
 * half way, the server goes on by itself. Exit code 0 when all is made, 1 on
 * failure, 2 on bad arguments.
 */
import { parseArgs } from 'node:util'
import { dataFolder } from '../local/data-folder.ts'
import { findTarget, urlProblem } from '../local/find-target.ts'
import { AdminClient, type RebuildAnswer } from '../admin-client.ts'

const USAGE = `npm run rebuild -- [--dry-run] [--resume] [--url URL] [--data DIR]

Makes words, links and all else that is derived again from the stored documents.
Search goes on answering meanwhile.

  --dry-run    only say how much there is to make
  --resume     go on with a rebuild under way; begin none
  --url URL    the server    (default: the one running on the data folder)
  --data DIR   the server's data folder (default: this platform's folder for user data)`

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  resume: { type: 'boolean', default: false },
  url: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Calls without any progress after which waiting is left to the server. */
const MOST_IDLE_CALLS = 3

async function main(): Promise<number> {
  let values
  try {
    values = parseArgs({ options: OPTIONS }).values
  } catch (error) {
    return fail((error as Error).message, 2)
  }
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const problem = urlProblem(values.url)
  if (problem !== undefined) return fail(problem, 2)
  const target = findTarget(dataFolder(values.data), values.url)
  if (!target.ok) return fail([target.failure.message, target.failure.hint ?? ''].join('\n').trim(), 1)
  const client = new AdminClient(target.value)
  let resume = values.resume
  let [last, same] = ['', 0]
  while (same < MOST_IDLE_CALLS) {
    const answer = await client.rebuild({ dryRun: values['dry-run'], resume })
    if (!answer.ok) return fail([answer.failure.message, answer.failure.hint ?? ''].join('\n').trim(), 1)
    if (values['dry-run']) {
      console.log(`${answer.value.documents} documents would have their words and links made again.`)
      return 0
    }
    if (answer.value.done) {
      const { vectors = 0 } = answer.value.left
      const later = vectors > 0 ? ` The vectors of ${vectors} follow as fast as the embedder is.` : ''
      console.log(`All is made of ${answer.value.documents} documents.${later}`)
      return 0
    }
    const progress = toProgress(answer.value)
    same = progress === last ? same + 1 : 0
    last = progress
    process.stderr.write(`${progress}\n`)
    // From now on another rebuild is nobody's wish.
    resume = true
  }
  return fail(`It does not go on: ${last}. The server tries again by itself; npm run status shows why.`, 1)
}

function toProgress({ documents, left }: RebuildAnswer): string {
  const rest = Object.entries(left).map(([kind, count]) => `${kind} ${count}`)
  return `left of ${documents} documents: ${rest.join(', ')}`
}

function fail(problem: string, code: 1 | 2): number {
  console.error(code === 2 ? `${problem}\n\n${USAGE}` : problem)
  return code
}

process.exitCode = await main()
