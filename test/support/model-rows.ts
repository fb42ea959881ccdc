/**
 * A model of the index for the readers of GitHub: rows in a map, by the rules of
 * pages. Runs a walk in budgets, and can lose steps as a killed run does.
 */
import type { Document, DocumentChange, Identity } from '../../src/documents/document.ts'
import type { GitHub } from '../../src/github/github.ts'
import type { StoredRelease } from '../../src/index/ingestion/compared-rows.ts'
import type { SurfaceContext, SurfaceRows, SurfaceSpec, Step } from '../../src/ingest/surfaces/surface.ts'
import { ScriptedPort, type PortOptions } from './scripted-port.ts'
import type { ScriptedRepository } from './scripted-repository.ts'

interface ModelRow {
  readonly document: Document
  readonly sourceVersion?: string
}

export class ModelRows implements SurfaceRows {
  readonly rows = new Map<string, ModelRow>()

  apply(changes: readonly DocumentChange[]): void {
    for (const change of changes) {
      if ('remove' in change) {
        this.rows.delete(keyOf(change.remove.identity))
        continue
      }
      const { put, sourceVersion } = change
      const key = keyOf(put.identity)
      const known = this.rows.get(key)?.document.updatedAt ?? 0
      if ((put.updatedAt ?? known) < known) continue
      this.rows.set(key, { document: put, ...(sourceVersion !== undefined && { sourceVersion }) })
    }
  }

  documents(type: Identity['type']): Document[] {
    return [...this.rows.values()].map(({ document }) => document).filter(({ identity }) => identity.type === type)
  }

  async listBetween(): Promise<never[]> {
    return []
  }

  async listAll(type: Identity['type']): ReturnType<SurfaceRows['listAll']> {
    return [...this.rows.values()].filter(({ document }) => document.identity.type === type).map(toCompared)
  }

  async listCommits(): ReturnType<SurfaceRows['listCommits']> {
    return this.documents('commit').map((document) => ({ sha: shaOfCommit(document), parents: document.parents ?? [] }))
  }

  async findCommits(shas: readonly string[]): ReturnType<SurfaceRows['findCommits']> {
    const all = await this.listCommits()
    return new Map(all.filter(({ sha }) => shas.includes(sha)).map(({ sha, parents }) => [sha, parents]))
  }

  async listReleases(): Promise<StoredRelease[]> {
    return [...this.rows.values()].filter(({ document }) => document.identity.type === 'release') as StoredRelease[]
  }

  async listUnder(): Promise<never[]> {
    return []
  }

  async pollPosition(): Promise<undefined> {
    return undefined
  }

  async listOfCommit(sha: string): ReturnType<SurfaceRows['listOfCommit']> {
    return [...this.rows.values()].filter(({ document }) => shaOfCommit(document) === sha).map(toCompared)
  }
}

function toCompared({ document, sourceVersion }: ModelRow): Awaited<ReturnType<SurfaceRows['listAll']>>[number] {
  const { identity, updatedAt = 0 } = document
  return { identity, updatedAt, ...(sourceVersion !== undefined && { sourceVersion }) }
}

function shaOfCommit({ identity }: Document): string {
  return identity.type === 'commit' || identity.type === 'diff' ? identity.commitSha : ''
}

function keyOf(identity: Identity): string {
  return JSON.stringify(Object.entries(identity).sort())
}

export interface WalkOptions extends PortOptions {
  readonly walk?: 'poll' | 'lap'
  /** True loses this step: the run is killed before it commits. */
  readonly isKilled?: () => boolean
  readonly private?: boolean
  readonly branch?: string
  /** In place of the scripted repository. */
  readonly github?: GitHub
  /** Called before each step. */
  readonly before?: () => void
}

/** A reader of one repository, with its stored positions. */
export class ModelReader {
  readonly rows = new ModelRows()
  readonly positions = new Map<string, unknown>()
  readonly repository: ScriptedRepository
  /** Of the last run. */
  requests: string[] = []
  faults: string[] = []

  constructor(repository: ScriptedRepository) {
    this.repository = repository
  }

  /** Runs a walk to its end; in runs of `budget` requests. Stops after too many faults. */
  async run(spec: SurfaceSpec, options: WalkOptions = {}): Promise<Step> {
    const { walk = 'poll', isKilled = () => false } = options
    const key = `${spec.surface} ${walk}`
    this.requests = []
    this.faults = []
    for (let runs = 0; runs < 20_000; runs += 1) {
      const port = new ScriptedPort(this.repository, options)
      for (;;) {
        options.before?.()
        const step = await spec[walk](this.#context(options.github ?? port, options), clone(this.positions.get(key)))
        if (!step.ok) {
          if (step.fault.kind !== 'spent') this.faults.push(JSON.stringify(step.fault))
          break
        }
        if (isKilled()) break
        this.rows.apply(step.value.changes)
        this.positions.set(key, clone(step.value.position))
        if (step.value.ended) {
          this.requests.push(...port.requests)
          return step.value
        }
      }
      this.requests.push(...port.requests)
      if (this.faults.length > 500) throw new Error(`the walk does not end: ${this.faults.at(-1)}`)
    }
    throw new Error('the walk does not end')
  }

  #context(github: GitHub, options: WalkOptions): SurfaceContext {
    const repository = {
      id: 7,
      name: 'acme/app',
      private: options.private ?? false,
      defaultBranch: options.branch ?? this.repository.branch,
      serverUrl: 'https://github.test',
    }
    return { github, repository, rows: this.rows, nowMs: 0 }
  }
}

/** As the position is stored: only plain JSON survives. */
function clone(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown)
}
