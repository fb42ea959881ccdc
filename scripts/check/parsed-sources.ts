/**
 * The source files below a folder, each parsed once: imports, exports, comments
 * and the names it declares. The parser is the one that comes with Vite, so a
 * name in a comment or in a string is never taken for code.
 * Files that do not parse throw: the checks never pass over a file in silence.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync, type ESTree, type ParseResult } from 'vite'

export interface ParsedSource {
  /** From the root, with forward slashes: `src/base/result.ts`. */
  readonly file: string
  readonly text: string
  readonly parsed: ParseResult
}

export interface Offence {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The import, name or word that breaks the rule. */
  readonly subject: string
  readonly rule: string
}

/** An import, a re-export, a lazy import or an imported type. */
export interface Import {
  readonly specifier: string
  readonly line: number
}

/** Any node of the tree; its children are the values that have a `type`. */
export type SyntaxNode = ESTree.Node

/** In order of file name; empty for a folder that does not exist. */
export function listSources(root: string, folders: readonly string[]): ParsedSource[] {
  return folders
    .flatMap((folder) => listFiles(root, folder))
    .filter((file) => /\.(?:ts|mjs|js)$/.test(file))
    .map((file) => toSource(file, readFileSync(join(root, file), 'utf8')))
}

/** Every file below a folder, or the file itself, from the root and in order of name; no file of a dependency or a build. */
export function listFiles(root: string, folder: string): string[] {
  let entries
  try {
    entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ENOTDIR' ? [folder] : []
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length).replaceAll('\\', '/'))
    .filter((file) => !/(?:^|\/)(?:node_modules|dist)\//.test(file))
    .sort()
}

export function toSource(file: string, text: string): ParsedSource {
  const parsed = parseSync(file, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${file}: ${error.message}`)
  return { file, text, parsed }
}

/** Types included, in the order of the file. */
export function listImports(source: ParsedSource): Import[] {
  const { staticImports, staticExports } = source.parsed.module
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
  ].map(({ value, start }) => ({ value, start }))
  visit(source.parsed.program, (node) => {
    if ((node.type === 'ImportExpression' || node.type === 'TSImportType') && node.source.type === 'Literal') {
      requests.push({ value: String(node.source.value), start: node.source.start })
    }
  })
  const unique = new Map(requests.map((request) => [request.start, request]))
  return [...unique.values()]
    .toSorted((a, b) => a.start - b.start)
    .map(({ value, start }) => ({ specifier: value, line: lineOf(source.text, start) }))
}

/** The files of the project that a file imports, as paths from the root. */
export function listTargets(source: ParsedSource): { readonly target: string; readonly line: number }[] {
  return listImports(source).flatMap(({ specifier, line }) =>
    specifier.startsWith('.') ? [{ target: posix.join(posix.dirname(source.file), specifier), line }] : [],
  )
}

/** Calls `see` with the node and everything below it, parents first. */
export function visit(node: SyntaxNode, see: (node: SyntaxNode) => void): void {
  see(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, see)
    }
  }
}

/** From 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Prints each offence on one line and sets the exit code to 1, or prints that there is none. */
export function reportOffences(offences: readonly Offence[], clean: string): void {
  const ordered = offences.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  for (const { file, line, subject, rule } of ordered) console.error(`${file}:${line}: ${subject}: ${rule}`)
  if (offences.length > 0) process.exitCode = 1
  else console.log(clean)
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
