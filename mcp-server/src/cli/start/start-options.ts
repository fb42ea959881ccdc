/** The flags of `npm start`, and the words for them. */
import { parseArgs } from 'node:util'
import { invalid } from '../../../../src/base/failure.ts'
import { ok, refuse, type Result } from '../../../../src/base/result.ts'

export const DEFAULT_PORT = 8787

export const USAGE = `npm start -- [--data DIR] [--port N] [--repo PATH]... [--no-index]

Serves this machine's index over MCP on 127.0.0.1, and keeps it filled from git.

  --data DIR    where the index is kept (default: this platform's folder for user data)
  --port N      port to listen on (default ${DEFAULT_PORT}; 0 takes any free one)
  --repo PATH   a checkout to index; may be given more than once (default: the current folder)
  --no-index    serve what is there and read no repository
  --help        print this`

export interface StartOptions {
  readonly help: boolean
  readonly data?: string
  readonly port: number
  /** Folders as given; empty means the current one. */
  readonly repositories: readonly string[]
  readonly index: boolean
}

export function parseStartOptions(args: readonly string[]): Result<StartOptions> {
  let values
  try {
    ;({ values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        port: { type: 'string', default: String(DEFAULT_PORT) },
        repo: { type: 'string', multiple: true, default: [] },
        'no-index': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }))
  } catch (error) {
    return refuse({ code: 'VALIDATION_ERROR', message: (error as Error).message })
  }
  if (values.data === '') return refuse(invalid('--data', 'is empty', 'Name a folder.'))
  if (values.repo.includes('')) return refuse(invalid('--repo', 'is empty', 'Name the folder of a checkout.'))
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    return refuse(invalid('--port', `${values.port} is no port`, 'Use a whole number from 0 to 65535.'))
  }
  return ok({
    help: values.help,
    port: Number(values.port),
    repositories: values.repo,
    index: !values['no-index'],
    ...(values.data === undefined ? {} : { data: values.data }),
  })
}
