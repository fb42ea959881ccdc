/** `--url` and `--data`, the same in every command that talks to a server, and the server that they name. */
import { ok, refuse, type Result } from '../../../../src/base/result.ts'
import { dataFolder } from '../../local/data-folder.ts'
import type { ServerChoice } from '../../local/find-target.ts'
import { wrongFlag } from './command.ts'

export const DATA_FLAG = {
  data: { type: 'string', value: 'DIR', help: `the data folder of the server (default: ${dataFolder()})` },
} as const

export const SERVER_FLAGS = {
  url: { type: 'string', value: 'URL', help: 'the server (default: the one that runs on the data folder)' },
  ...DATA_FLAG,
} as const

export const TOKEN_NOTE =
  'The admin token is KOTODAMA_ADMIN_TOKEN, else the one in lock.json of the data folder. The token of lock.json is sent to this machine only.'

export function parseServerFlags(values: {
  readonly url: string | undefined
  readonly data: string | undefined
}): Result<ServerChoice> {
  const { url, data } = values
  if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url))) {
    return refuse(wrongFlag('url', `${JSON.stringify(url)} is not an http:// or https:// address`))
  }
  if (url !== undefined && `${new URL(url).username}${new URL(url).password}` !== '') {
    return refuse(wrongFlag('url', 'an address with a user name or a password is not accepted'))
  }
  return ok({ folder: dataFolder(data), ...(url === undefined ? {} : { url }) })
}
