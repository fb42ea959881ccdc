/**
 * A git folder of our own that borrows the objects of a repository. Git compares
 * commits in it, so that nothing beside the commits has a say in their patches:
 * neither the repository's configuration with its drivers, nor the attributes of
 * its working tree and of `.git/info/attributes`, which no option switches off.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepFolder } from './kept-folder.ts'

/** The command whose output `toHistoryEnvironment` takes. */
export const HISTORY_QUERY: readonly string[] = [
  'rev-parse',
  '--path-format=absolute',
  '--git-path',
  'objects',
  '--git-path',
  'shallow',
  '--show-object-format',
]

/** The variables that lead git into the folder. Made from the output of `HISTORY_QUERY` in the repository. */
export function toHistoryEnvironment(output: string): Record<string, string> {
  const [objects = '', shallow = '', format = ''] = output.split('\n')
  return {
    GIT_DIR: keepGitFolder(format, isPartial(objects)),
    GIT_OBJECT_DIRECTORY: objects,
    // The commits at which a shallow clone was cut have no parents.
    GIT_SHALLOW_FILE: shallow,
  }
}

/** Git marks the packs of a partial clone, whose other objects are elsewhere. */
function isPartial(objects: string): boolean {
  const packs = join(objects, 'pack')
  return existsSync(packs) && readdirSync(packs).some((name) => name.endsWith('.promisor'))
}

/** In a partial clone git then says that an object is elsewhere, and not that the repository is broken. */
const ELSEWHERE = '\tpartialClone = elsewhere\n[remote "elsewhere"]\n\tpromisor = true\n\turl = elsewhere\n'

function keepGitFolder(format: string, partial: boolean): string {
  const isLong = format === 'sha256'
  const folder = join(keepFolder(), `${isLong ? 'sha256' : 'sha1'}${partial ? '-partial' : ''}`)
  if (existsSync(join(folder, 'HEAD'))) return folder
  mkdirSync(join(folder, 'refs'), { recursive: true })
  const extensions = `[extensions]\n${isLong ? '\tobjectFormat = sha256\n' : ''}${partial ? ELSEWHERE : ''}`
  writeFileSync(join(folder, 'config'), `[core]\n\tbare = true\n\trepositoryFormatVersion = 1\n${extensions}`)
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
  return folder
}
