/**
 * The files that are documents: pages of documentation by their endings, and
 * pages of a wiki, which a slug names.
 */

export const DOC_EXTENSIONS: readonly string[] = ['md', 'mdx', 'rst', 'adoc', 'txt', 'org']

/** The markups that GitHub shows as pages of a wiki; the commonest first. */
export const WIKI_EXTENSIONS: readonly string[] = [
  ...DOC_EXTENSIONS,
  'markdown',
  'asciidoc',
  'mediawiki',
  'wiki',
  'textile',
  'creole',
  'rdoc',
  'pod',
]

export function isDocFile(path: string): boolean {
  return hasExtension(path, DOC_EXTENSIONS)
}

/**
 * A page's slug is its file name, with dashes for spaces. Undefined for a file
 * that is no page, such as `_Sidebar.md`.
 */
export function wikiSlugOf(path: string): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1)
  if (file.startsWith('_') || !hasExtension(file, WIKI_EXTENSIONS)) return undefined
  return file.slice(0, file.lastIndexOf('.')).trim().replace(/\s/g, '-')
}

function hasExtension(path: string, extensions: readonly string[]): boolean {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 && extensions.includes(path.slice(dot + 1).toLowerCase())
}
