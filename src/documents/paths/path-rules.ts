/**
 * The rules that a commit's tree holds for its paths: which of them tools wrote,
 * and in which encoding a file is. Only what is committed counts, so that every
 * reader of the commit decides alike.
 */
import { parseAttributes, type AttributeFile } from './attribute-rules.ts'
import { EXCLUSION_ATTRIBUTES, findExclusion, packageFolderOf, type Exclusion } from './excluded-paths.ts'

export interface PathRules {
  /** Undefined for a path whose diffs are read. */
  findExclusion(path: string): Exclusion | undefined
  /** The declared encoding of a file's contents, by the name that its attribute has. */
  encodingOf(path: string): string | undefined
}

/** The first is of the committed bytes. Git converts the second itself, where it was declared before the commit. */
const ENCODING_ATTRIBUTES = ['encoding', 'working-tree-encoding'] as const

const WANTED: ReadonlySet<string> = new Set([...EXCLUSION_ATTRIBUTES, ...ENCODING_ATTRIBUTES])

export function isAttributeFile(path: string): boolean {
  return /(^|\/)\.gitattributes$/.test(path)
}

/** `packageFolders`: the folders, each with its slash, that package managers fill. */
export function toPathRules(files: readonly AttributeFile[], packageFolders: ReadonlySet<string>): PathRules {
  const attributesOf = parseAttributes(files, WANTED)
  return {
    findExclusion: (path) => findExclusion(path, attributesOf(path), packageFolders),
    encodingOf(path) {
      const attributes = attributesOf(path)
      return ENCODING_ATTRIBUTES.map((name) => attributes.get(name)).find((value) => typeof value === 'string')
    },
  }
}

/** The folders that package managers fill, by the files in them. */
export function listPackageFolders(paths: readonly string[]): Set<string> {
  return new Set(paths.flatMap((path) => packageFolderOf(path) ?? []))
}
