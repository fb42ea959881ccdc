/** The questions of surfaces to the index, answered from a map that takes their changes as the index does. */
import type { DocumentType, Surface } from '../../src/base/vocabulary.ts'
import { valueOf, type Document, type DocumentChange, type Identity } from '../../src/documents/document.ts'
import type { GitHubFault } from '../../src/github/github.ts'
import type { ComparedRow, StoredRelease } from '../../src/index/ingestion/compared-rows.ts'
import type { PendingRead, Step, SurfaceContext, SurfaceRows, SurfaceSpec } from '../../src/ingest/surfaces/surface.ts'
import { REPOSITORY, type ListedGitHub } from './listed-github.ts'

interface StoredRow {
  readonly document: Document
  readonly sourceVersion?: string
}

export interface SurfaceWorld {
  readonly context: SurfaceContext
  readonly stored: Map<string, StoredRow>
  readonly positions: Map<Surface, unknown>
  readonly pending: PendingRead[]
  readonly apply: (changes: readonly DocumentChange[]) => void
}

export function surfaceWorld(github: ListedGitHub): SurfaceWorld {
  const stored = new Map<string, StoredRow>()
  const positions = new Map<Surface, unknown>()
  const apply = (changes: readonly DocumentChange[]): void => {
    for (const change of changes) applyOne(stored, change)
  }
  const context = { github, repository: REPOSITORY, rows: rowsOf(stored, positions), nowMs: 0 }
  return { context, stored, positions, pending: [], apply }
}

function keyOf(identity: Identity): string {
  const { type, ...parts } = identity
  return `${type === 'pull_request' ? 'issue' : type} ${Object.values(parts).join(' ')}`
}

function applyOne(stored: Map<string, StoredRow>, change: DocumentChange): void {
  if ('remove' in change) {
    const { identity } = change.remove
    stored.delete(keyOf(identity))
    if (!('number' in identity)) return
    for (const [key, { document }] of stored) {
      if (valueOf(document, 'number') === identity.number) stored.delete(key)
    }
    return
  }
  const before = stored.get(keyOf(change.put.identity))
  if ((before?.document.updatedAt ?? 0) > (change.put.updatedAt ?? 0)) return
  stored.set(keyOf(change.put.identity), {
    document: change.put,
    ...(change.sourceVersion !== undefined && { sourceVersion: change.sourceVersion }),
  })
}

function numericKey(identity: Identity): number {
  return Number(keyOf(identity).split(' ')[1])
}

function rowsOf(stored: Map<string, StoredRow>, positions: Map<Surface, unknown>): SurfaceRows {
  const toRow = ({ document, sourceVersion }: StoredRow): ComparedRow => {
    const number = valueOf(document, 'number')
    return {
      identity: document.identity,
      updatedAt: document.updatedAt ?? 0,
      ...(number !== undefined && { number }),
      ...(sourceVersion !== undefined && { sourceVersion }),
    }
  }
  const list = (types: readonly DocumentType[]): ComparedRow[] =>
    [...stored.values()].filter(({ document }) => types.includes(document.identity.type)).map(toRow)
  const order = (a: ComparedRow, at: { updatedAt: number; key: number }): number =>
    a.updatedAt - at.updatedAt || numericKey(a.identity) - at.key
  return {
    async listBetween(types, from, to, limit) {
      return list(types)
        .filter((row) => order(row, from) > 0 && (to === undefined || order(row, to) <= 0))
        .sort((a, b) => order(a, { updatedAt: b.updatedAt, key: numericKey(b.identity) }))
        .slice(0, limit)
    },
    async listUnder(numbers, type) {
      return list([type]).filter(({ number }) => numbers.includes(number ?? 0))
    },
    async listReleases(tags) {
      return [...stored.values()].filter(
        ({ document: { identity } }) =>
          identity.type === 'release' && (tags === undefined || tags.includes(identity.tagName)),
      ) as StoredRelease[]
    },
    pollPosition: async (surface) => positions.get(surface),
    listAll: async (type) => list([type]),
    listCommits: async () => [],
    findCommits: async () => new Map<string, readonly string[]>(),
    listOfCommit: async () => [],
  }
}

/** Steps of a walk until it ends; a fault ends it too and is returned. */
export async function walkToEnd(
  world: SurfaceWorld,
  { surface, poll, lap }: SurfaceSpec,
  walk: 'poll' | 'lap' = 'poll',
): Promise<{ readonly steps: Step[]; readonly fault?: GitHubFault }> {
  const steps: Step[] = []
  let position: unknown = walk === 'poll' ? world.positions.get(surface) : undefined
  for (;;) {
    const step = await (walk === 'poll' ? poll : lap)(world.context, position)
    if (!step.ok) return { steps, fault: step.fault }
    steps.push(step.value)
    world.apply(step.value.changes)
    world.pending.push(...(step.value.pending ?? []))
    // A position is kept as JSON.
    position = step.value.position === undefined ? undefined : JSON.parse(JSON.stringify(step.value.position))
    if (walk === 'poll') world.positions.set(surface, position)
    if (step.value.ended) return { steps }
    if (steps.length > 5_000) throw new Error('the walk does not end')
  }
}
