/**
 * The two settings that are taken over from the user's git configuration: trusted
 * folders of other users, and short forms of addresses. Neither can name a
 * command. They are passed to git in a file, because some versions of git read
 * `safe.directory` from files only.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../../src/base/hash.ts'
import { keepFolder } from './settings/kept-folder.ts'
import { EMPTY_FILE } from './settings/output-settings.ts'

/** For `git config --get-regexp`, which compares names in lower case. */
export const USER_SETTINGS = '^(safe\\.directory|url\\..*\\.insteadof)$'

/** The settings in the output of `git config --null` as a configuration file, in the same order; empty without any. */
export function toConfiguration(output: string): string {
  return output
    .split('\0')
    .map((setting) => {
      const [name = '', ...value] = setting.split('\n')
      const quoted = quote(value.join('\n'))
      if (name === 'safe.directory') return `[safe]\n\tdirectory = ${quoted}\n`
      const base = /^url\.(.*)\.insteadof$/s.exec(name)?.[1]
      return base === undefined ? '' : `[url ${quote(base)}]\n\tinsteadOf = ${quoted}\n`
    })
    .join('')
}

/** Quotes a value for a configuration file. A section's name allows only the first two escapes, and has no newline. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

/** Path of a file with this configuration; it is removed when this process ends. */
export function keepConfiguration(text: string): string {
  if (text === '') return EMPTY_FILE
  const file = join(keepFolder(), sha256(text))
  if (!existsSync(file)) writeFileSync(file, text)
  return file
}
