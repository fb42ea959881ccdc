/** A scripted repository of commits, a reader of it, and what the index has of both. */
import { ModelReader } from './model-rows.ts'
import { ScriptedRepository, type Files } from './scripted-repository.ts'

/** A repository without commits and a reader of it. */
export function world(): { repository: ScriptedRepository; reader: ModelReader } {
  const repository = new ScriptedRepository()
  return { repository, reader: new ModelReader(repository) }
}

/** SHAs of the commits in the index, sorted. */
export function shas(reader: ModelReader): string[] {
  return reader.rows
    .documents('commit')
    .map(({ identity }) => (identity as { commitSha: string }).commitSha)
    .sort()
}

/** Patches in the index by path; with `sha` those of that commit. */
export function diffs(reader: ModelReader, sha?: string): Record<string, string> {
  const own = reader.rows.documents('diff').flatMap(({ identity, body }) => {
    const { commitSha, path } = identity as { commitSha: string; path: string }
    return sha === undefined || commitSha === sha ? [[path, body] as const] : []
  })
  return Object.fromEntries(own)
}

/** SHAs of the commits that the head and `also` lead to, sorted. */
export function expected(repository: ScriptedRepository, also: readonly string[] = []): string[] {
  return repository
    .reached([...(repository.head === undefined ? [] : [repository.head]), ...also])
    .map(({ sha }) => sha)
    .sort()
}

/** Makes commits, one after another, and gives their SHAs, the oldest first. */
export function line(repository: ScriptedRepository, count: number, start: Files = {}): string[] {
  const files: Record<string, string> = { ...start }
  return Array.from({ length: count }, (_, at) => {
    files[`f${at % 7}.ts`] = `text ${at} ${repository.commits.size}`
    return repository.commit({ ...files })
  })
}

/** Requests of the last run for one commit with its files. */
export const detailsOf = (reader: ModelReader): string[] =>
  reader.requests.filter((path) => /\/commits\/[0-9a-f]{40}$/.test(path))
