/** Reads the rules of paths that a commit's tree holds. */
import { packageFolderOf } from '../../../../src/documents/paths/excluded-paths.ts'
import {
  isAttributeFile,
  listPackageFolders,
  toPathRules,
  type PathRules,
} from '../../../../src/documents/paths/path-rules.ts'
import { toBlobText } from '../../git/blobs.ts'
import type { Run } from '../../git/git-command.ts'
import { listTree, readBlobs } from '../../git/git-reader.ts'

export async function readPathRules(run: Run, commit: string): Promise<PathRules> {
  const isWanted = (path: string): boolean => isAttributeFile(path) || packageFolderOf(path) !== undefined
  const found = await listTree(run, commit, { keyOf: (path) => (isWanted(path) ? path : undefined) })
  const attributeFiles = found.filter(({ path }) => isAttributeFile(path))
  const texts: string[] = []
  const ids = attributeFiles.map(({ blob }) => blob)
  for await (const blob of readBlobs(run, ids)) texts.push(toBlobText(blob)?.text ?? '')
  const files = attributeFiles.map(({ path }, at) => ({ path, text: texts[at] ?? '' }))
  return toPathRules(files, listPackageFolders(found.map(({ path }) => path)))
}
