/** The configured repositories: each name of the setting, what it stands for now, and what the index knows of that. */
import { toNameKey } from '../../base/repository-name.ts'
import { listConfiguredNames, type ConfiguredName } from '../../index/ingestion/configured-names.ts'
import { listRepositories, type KnownRepository } from '../../index/write/put-repository.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'

export interface ConfiguredRepository {
  /** As the setting spells it. */
  readonly configured: string
  /** Absent before it was asked for the first time. */
  readonly name?: ConfiguredName
  /** Absent until the name is known to stand for one. */
  readonly repository?: KnownRepository
}

/** In the order of the setting; a repository that two names stand for comes once. */
export async function listConfigured({
  index,
  settings: { repositories },
}: Pick<IngestDependencies, 'index' | 'settings'>): Promise<ConfiguredRepository[]> {
  const names = new Map((await listConfiguredNames(index, repositories)).map((name) => [name.nameKey, name]))
  const known = new Map((await listRepositories(index)).map((repository) => [repository.repoId, repository]))
  const seen = new Set<number>()
  return repositories.flatMap((configured) => {
    const name = names.get(toNameKey(configured))
    const repository = name?.repoId === undefined ? undefined : known.get(name.repoId)
    if (repository !== undefined && seen.has(repository.repoId)) return []
    if (repository !== undefined) seen.add(repository.repoId)
    return [{ configured, ...(name && { name }), ...(repository && { repository }) }]
  })
}
