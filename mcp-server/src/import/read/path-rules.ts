/**
 * The rules that a commit's tree holds for its paths: which of them tools wrote,
 * and in which encoding a file is. Only what is committed counts, so that every checkout
 * of the commit is read alike.
 */
import { parseAttributes } from '../../git/attributes/attribute-rules.ts'
import { toBlobText } from '../../git/blobs.ts'
import { EXCLUSION_ATTRIBUTES, findExclusion, packageFolderOf, type Exclusion } from '../../git/excluded-paths.ts'
import type { Run } from '../../git/git-command.ts'
import { listTree, readBlobs } from '../../git/git-reader.ts'

export interface PathRules {
  /** Undefined for a path whose diffs are read. */
  findExclusion(path: string): Exclusion | undefined
  /** The declared encoding of a file's contents, by the name that its attribute has. */
  encodingOf(path: string): string | undefined
}

const ATTRIBUTE_FILE = /(^|\/)\.gitattributes$/

/** The first is of the committed bytes. Git converts the second itself, where it was declared before the commit. */
const ENCODING_ATTRIBUTES = ['encoding', 'working-tree-encoding'] as const

const WANTED: ReadonlySet<string> = new Set([...EXCLUSION_ATTRIBUTES, ...ENCODING_ATTRIBUTES])

export async function readPathRules(run: Run, commit: string): Promise<PathRules> {
  const isWanted = (path: string): boolean => ATTRIBUTE_FILE.test(path) || packageFolderOf(path) !== undefined
  const found = await listTree(run, commit, { keyOf: (path) => (isWanted(path) ? path : undefined) })
  const packageFolders = new Set(found.flatMap(({ path }) => packageFolderOf(path) ?? []))
  const attributeFiles = found.filter(({ path }) => ATTRIBUTE_FILE.test(path))
  const texts: string[] = []
  const ids = attributeFiles.map(({ blob }) => blob)
  for await (const blob of readBlobs(run, ids)) texts.push(toBlobText(blob)?.text ?? '')
  const files = attributeFiles.map(({ path }, at) => ({ path, text: texts[at] ?? '' }))
  const attributesOf = parseAttributes(files, WANTED)
  return {
    findExclusion: (path) => findExclusion(path, attributesOf(path), packageFolders),
    encodingOf(path) {
      const attributes = attributesOf(path)
      return ENCODING_ATTRIBUTES.map((name) => attributes.get(name)).find((value) => typeof value === 'string')
    },
  }
}
