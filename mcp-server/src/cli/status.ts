/**
 * `npm run status`: what the server of this machine holds and how far it has
 * read, as a table for people or (`--json`) as the server's own answer. Asks
 * nothing but GET /admin/status, with the token from the data folder.
 */
import { parseArgs } from 'node:util'
import { dataFolder, inspectLock, type Lock } from '../local/data-folder.ts'
import { formatStatus, type Status } from './status-table.ts'

const ASK_MS = 30_000
const USAGE = `npm run status -- [--data DIR] [--json]

  --data DIR   the server's data folder (default: this platform's folder for user data)
  --json       print the server's answer as it is`

async function main(): Promise<void> {
  const { data, json, help } = parseOptions()
  if (help) return void console.log(USAGE)
  const lock = findServer(dataFolder(data))
  const status = await ask(lock)
  console.log(json ? JSON.stringify(status, undefined, 2) : formatStatus(lock.endpoint, status, Date.now()))
}

function parseOptions(): { data: string | undefined; json: boolean; help: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return { data: values.data, json: values.json, help: values.help }
  } catch (error) {
    return give(`${(error as Error).message}\n\n${USAGE}`, 2)
  }
}

function findServer(folder: string): Lock {
  const reading = inspectLock(folder)
  if (reading.state === 'absent') return give(`No server has ${folder}. Start one with npm start.`)
  if (reading.state === 'corrupt')
    return give(`lock.json in ${folder} cannot be read as a lock. Start anew with npm start.`)
  if (reading.state === 'unreadable') return give(`lock.json in ${folder} cannot be read: ${reading.problem}`)
  const { pid, endpoint, secret } = reading.lock
  if (endpoint === undefined) return give(`The server of ${folder} (pid ${pid}) is still starting.`)
  return { pid, endpoint, secret }
}

async function ask({ endpoint, pid, secret }: Lock): Promise<Status> {
  const url = new URL('/admin/status', endpoint)
  let response: Response
  try {
    response = await fetch(url, {
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(ASK_MS),
      redirect: 'error',
    })
  } catch {
    return give(`Nothing answers at ${url.origin} (pid ${pid} had it). Start a server with npm start.`)
  }
  const status = response.ok ? await response.json().catch(() => undefined) : undefined
  if (isStatus(status)) return status
  return give(`${url} answered ${response.status}, which is no status of this product.`)
}

function isStatus(value: unknown): value is Status {
  return (
    typeof value === 'object' && value !== null && Array.isArray((value as { repositories?: unknown }).repositories)
  )
}

function give(problem: string, exitCode = 1): never {
  console.error(problem)
  process.exit(exitCode)
}

await main()
