/**
 * The Worker's settings, as a local server takes them from the environment of its
 * process. The access mode and the admin token are the local server's own.
 */
import { TEXT_NAMES } from '../../../src/contracts/settings/setting-texts.ts'

const OWN_SETTINGS: readonly string[] = ['AUTH_MODE', 'ADMIN_TOKEN']

/** The settings that are present. Their values are not checked here. */
export function settingsOf(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = TEXT_NAMES.filter((name) => !OWN_SETTINGS.includes(name))
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))
}
