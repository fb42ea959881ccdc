/**
 * `npm run check:shape`: the layout of files and names. Sub-folders import one
 * way, no folder is too full, names of files and of exported types are unique,
 * limits are declared on their page, each file opens with a doc comment, and
 * the table of layers has no arrow that no file uses.
 * `node scripts/check/shape.ts [FOLDER]` checks another checkout.
 */
import { join, posix, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findUnusedArrows, WORKER_ENTRIES } from './layers.ts'
import { lineOf, listSources, listTargets, reportOffences, type Offence, type ParsedSource } from './parsed-sources.ts'

/** Most files in one folder, sub-folders not counted. */
const FILES_PER_FOLDER = 15

/** Base names of parts that every folder may have. */
const COMMON_PARTS = ['index.ts', 'limits.ts', 'server.ts', 'find.ts', 'worker.ts']

/** Folders of like things: the same part may have the same name in each. */
const LIKE_FOLDERS: readonly (readonly string[])[] = [['src/models/embedder', 'src/models/reranker']]

/** A contract and its handler have one name; a bench has the name of what it measures. */
const CONTRACTS = 'src/contracts/'
const BENCHES = 'scripts/bench/'

/** A number that bounds something the product accepts or does. */
const LIMIT_NAME = /^(?:MAX|MIN|MOST|LEAST)_/
const LIMIT_PAGE = /^(?:src|mcp-server\/src|scripts)\/(?:[^/]+\/)?limits\.ts$/

export function checkShape(root: string): Offence[] {
  const sources = listSources(root, ['src', 'mcp-server', 'scripts'])
  return [
    ...findFolderCircles(sources),
    ...findFullFolders(sources),
    ...findEqualBaseNames(sources),
    ...findEqualTypeNames(sources),
    ...sources.flatMap(findStrayLimits),
    ...sources.flatMap(checkOpening),
    ...findUnusedArrows(sources),
  ]
}

interface Arrow {
  readonly file: string
  readonly line: number
  readonly target: string
  readonly from: string
  readonly to: string
}

/**
 * In each folder, its sub-folders and its own files are boxes, and imports
 * between the boxes run one way. One offence for each import of a circle.
 */
function findFolderCircles(sources: readonly ParsedSource[]): Offence[] {
  const arrowsByFolder = new Map<string, Arrow[]>()
  for (const source of sources) {
    for (const { target, line } of listTargets(source)) {
      const folder = commonFolder(source.file, target)
      if (folder === '') continue
      const from = boxIn(folder, source.file)
      const to = boxIn(folder, target)
      const arrow = { file: source.file, line, target, from, to }
      if (from !== to) arrowsByFolder.set(folder, [...(arrowsByFolder.get(folder) ?? []), arrow])
    }
  }
  return [...arrowsByFolder].flatMap(([folder, arrows]) => {
    const circles = findCircularBoxes(arrows)
    return arrows.flatMap(({ file, line, target, from, to }) => {
      const circle = circles.find((boxes) => boxes.includes(from) && boxes.includes(to))
      if (circle === undefined) return []
      const rule = `the folders of ${folder} import one way, and these import each other: ${circle.join(', ')}`
      return [{ file, line, subject: target, rule }]
    })
  })
}

/** Groups of boxes that reach each other. */
function findCircularBoxes(arrows: readonly Arrow[]): string[][] {
  const boxes = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].sort()
  const reach = new Map(boxes.map((box) => [box, reachableFrom(box, arrows)]))
  const groups = boxes.map((box) => boxes.filter((other) => reach.get(box)?.has(other) && reach.get(other)?.has(box)))
  const circles = groups.filter((group) => group.length > 1)
  return [...new Map(circles.map((group) => [group.join(' '), group])).values()]
}

function reachableFrom(start: string, arrows: readonly Arrow[]): Set<string> {
  const reached = new Set<string>()
  const queue = [start]
  for (let box = queue.pop(); box !== undefined; box = queue.pop()) {
    for (const { from, to } of arrows) {
      if (from !== box || reached.has(to)) continue
      reached.add(to)
      queue.push(to)
    }
  }
  return reached
}

function findFullFolders(sources: readonly ParsedSource[]): Offence[] {
  const counts = Map.groupBy(
    sources.filter(({ file }) => !file.startsWith('scripts/')),
    ({ file }) => posix.dirname(file),
  )
  return [...counts]
    .filter(([, files]) => files.length > FILES_PER_FOLDER)
    .map(([folder, files]) => ({
      file: folder,
      line: 1,
      subject: `${files.length} files`,
      rule: `a folder holds at most ${FILES_PER_FOLDER} files`,
    }))
}

function findEqualBaseNames(sources: readonly ParsedSource[]): Offence[] {
  const byName = Map.groupBy(
    sources.map(({ file }) => file).filter((file) => !file.startsWith(BENCHES)),
    (file) => posix.basename(file),
  )
  return [...byName].flatMap(([name, files]) => {
    if (files.length === 1 || COMMON_PARTS.includes(name) || isContractAndHandler(files) || arePartsOfLikes(files))
      return []
    return files.map((file) => {
      const others = files.filter((other) => other !== file).join(', ')
      return { file, line: 1, subject: name, rule: `a base name is unique, and ${others} has this one too` }
    })
  })
}

function isContractAndHandler(files: readonly string[]): boolean {
  return files.length === 2 && files.filter((file) => file.startsWith(CONTRACTS)).length === 1
}

function arePartsOfLikes(files: readonly string[]): boolean {
  const folders = files.map((file) => posix.dirname(file))
  return LIKE_FOLDERS.some((like) => folders.every((folder) => like.includes(folder)))
}

/** The classes of a Worker's entry are named by its configuration, so those names are not counted. */
function findEqualTypeNames(sources: readonly ParsedSource[]): Offence[] {
  const declared = sources.filter(({ file }) => !WORKER_ENTRIES.includes(file)).flatMap(listExportedTypes)
  return [...Map.groupBy(declared, ({ subject }) => subject).values()].flatMap((same) => {
    const files = new Set(same.map(({ file }) => file))
    if (files.size === 1) return []
    return same.map(({ file, line, subject }) => {
      const others = [...files].filter((other) => other !== file).join(', ')
      return { file, line, subject, rule: `an exported type has a name of its own, and ${others} exports this one too` }
    })
  })
}

function listExportedTypes({ file, text, parsed }: ParsedSource): Omit<Offence, 'rule'>[] {
  return parsed.program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return []
    const { declaration } = statement
    const isType =
      declaration.type === 'TSInterfaceDeclaration' ||
      declaration.type === 'TSTypeAliasDeclaration' ||
      declaration.type === 'ClassDeclaration'
    if (!isType || declaration.id === null) return []
    return [{ file, line: lineOf(text, declaration.start), subject: declaration.id.name }]
  })
}

function findStrayLimits({ file, text, parsed }: ParsedSource): Offence[] {
  if (LIMIT_PAGE.test(file)) return []
  return parsed.program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ id, start }) => {
      if (id.type !== 'Identifier' || !LIMIT_NAME.test(id.name)) return []
      return [
        {
          file,
          line: lineOf(text, start),
          subject: id.name,
          rule: 'a limit is declared in the limits.ts of its folder',
        },
      ]
    })
  })
}

function checkOpening({ file, text, parsed }: ParsedSource): Offence[] {
  const start = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0
  const first = parsed.comments.find((comment) => comment.start >= start)
  if (first?.start === start && first.type === 'Block' && first.value.startsWith('*')) return []
  return [{ file, line: 1, subject: 'first line', rule: 'a file opens with a doc comment' }]
}

/** The deepest folder that both files are in; empty when they share none. */
function commonFolder(a: string, b: string): string {
  const [left, right] = [posix.dirname(a).split('/'), posix.dirname(b).split('/')]
  const end = left.findIndex((part, index) => part !== right[index])
  return left.slice(0, end === -1 ? left.length : end).join('/')
}

function boxIn(folder: string, file: string): string {
  return file.slice(folder.length + 1).split('/')[0] ?? file
}

function main(): void {
  const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
  reportOffences(checkShape(root), 'shape: folders, names and limits are as laid out')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
