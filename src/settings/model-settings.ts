/** What the settings of every model have in common: an address that is one, and a refusal that names the setting. */
import { refuse, type Result } from '../base/result.ts'
import { SETTINGS } from '../contracts/settings.ts'

/** An http or https address that holds no secret and nothing that a path could not follow. */
export function isModelAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
}

/** UNAVAILABLE, in the words of the table of settings. */
export function refuseSetting(name: keyof typeof SETTINGS): Result<never> {
  return refuse({ code: 'UNAVAILABLE', message: SETTINGS[name].whenWrong })
}
