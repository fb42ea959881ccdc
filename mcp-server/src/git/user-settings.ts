/**
 * What is taken over from the user's git configuration: which folders of other
 * users he trusts, and his short forms of addresses. Neither can name a command.
 * They reach git in a file of our own, because some versions read
 * `safe.directory` from files alone.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../../src/base/hash.ts'
import { NOTHING } from './git-command.ts'

/** For `git config --get-regexp`, which compares names in lower case. */
export const USER_SETTINGS = '^(safe\\.directory|url\\..*\\.insteadof)$'

/** A configuration file of the settings in `git config --null` output, in their order; empty without one. */
export function toConfiguration(output: string): string {
  return output
    .split('\0')
    .map((setting) => {
      const [name = '', ...value] = setting.split('\n')
      const written = quote(value.join('\n'))
      if (name === 'safe.directory') return `[safe]\n\tdirectory = ${written}\n`
      const base = /^url\.(.*)\.insteadof$/s.exec(name)?.[1]
      return base === undefined ? '' : `[url ${quote(base)}]\n\tinsteadOf = ${written}\n`
    })
    .join('')
}

/** As configuration files quote values; names of sections know the first two escapes and hold no newline. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

/** A folder of this process's own; another takes its place when something clears the temporary files. */
let kept: string | undefined

/** The file that holds this configuration; it goes with this process. */
export function keepConfiguration(text: string): string {
  if (text === '') return NOTHING
  if (kept === undefined)
    process.once('exit', () => {
      if (kept !== undefined) rmSync(kept, { recursive: true, force: true })
    })
  if (kept === undefined || !existsSync(kept)) kept = mkdtempSync(join(tmpdir(), 'kotodama-git-'))
  const file = join(kept, sha256(text))
  if (!existsSync(file)) writeFileSync(file, text)
  return file
}
