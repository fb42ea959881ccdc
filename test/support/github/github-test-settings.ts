/** Settings of GitHub from texts that are right. */
import { readGitHubSettings, type GitHubSettings } from '../../../src/contracts/settings/read-github-settings.ts'
import type { SettingTexts } from '../../../src/contracts/settings/setting-texts.ts'

export function githubSettings(texts: SettingTexts = {}): GitHubSettings {
  const settings = readGitHubSettings(texts)
  if (!settings.ok) throw new Error(settings.failure.message)
  return settings.value
}
