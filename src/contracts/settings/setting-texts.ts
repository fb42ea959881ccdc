/**
 * One setting at a time: its text as the platform passes it, read by the parser
 * of its row. A wrong text is refused with the sentence of its row, which never
 * contains the text.
 */
import { ok, refuse, type Result } from '../../base/result.ts'
import { SETTINGS } from './settings.ts'

/** The settings that are texts, as the platform passes them. Others in the same object are ignored. */
export type SettingTexts = { readonly [Name in TextName]?: string | undefined }

type Table = typeof SETTINGS
type TextName = { [Name in keyof Table]: Table[Name] extends { readonly parse: unknown } ? Name : never }[keyof Table]
type Value<Name extends TextName> = Exclude<ReturnType<Table[Name]['parse']>, undefined>

/** Every setting that is a text. */
export const TEXT_NAMES = Object.keys(SETTINGS).filter(
  (name): name is TextName => 'parse' in SETTINGS[name as keyof Table],
)

/** Refused when the setting is absent, too. */
export function readNeeded<Name extends TextName>(texts: SettingTexts, name: Name): Result<Value<Name>> {
  const read = readText(texts, name)
  if (!read.ok) return read
  return read.value === undefined ? refuseWrong(name) : ok(read.value)
}

/** Undefined when the setting is absent or empty. Variables are trimmed; a secret is taken as it is. */
export function readText<Name extends TextName>(texts: SettingTexts, name: Name): Result<Value<Name> | undefined> {
  const { kind, parse } = SETTINGS[name]
  const given = texts[name] ?? ''
  const text = kind === 'secret' ? given : given.trim()
  if (text === '') return ok(undefined)
  const value = parse(text) as Value<Name> | undefined
  return value === undefined ? refuseWrong(name) : ok(value)
}

/** UNAVAILABLE with the sentence of the row. */
export function refuseWrong(name: TextName): Result<never> {
  return refuse({ code: 'UNAVAILABLE', message: SETTINGS[name].whenWrong })
}
