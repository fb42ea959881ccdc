/**
 * Rebuild: all that is derived, made again from the stored documents alone. A
 * call begins a rebuild, or joins the one under way, and does a bounded part of
 * it; the pump does the rest, whether or not anyone calls again.
 */
import { readRebuildState } from '../index/maintenance/shadow-index.ts'
import { beginRebuild, readRest, type RebuildRest } from '../index/maintenance/invalidate.ts'
import { runMaintenance, type MaintenanceDependencies } from './maintenance-run.ts'

export interface RebuildCall {
  /** Only say what there would be to do. */
  readonly dryRun: boolean
  /** Go on with a rebuild under way; begin none. */
  readonly resume: boolean
}

export interface RebuildReport extends RebuildRest {
  /** Nothing is under way, and nothing is left but vectors. */
  readonly done: boolean
}

export async function rebuild(deps: MaintenanceDependencies, { dryRun, resume }: RebuildCall): Promise<RebuildReport> {
  const { index } = deps
  if (dryRun) {
    const { documents, vectors } = await readRest(index)
    return { documents, words: documents, edges: documents, vectors, index: documents, done: false }
  }
  if (!resume && (await readRebuildState(index)) !== 'asked') await beginRebuild(index)
  await runMaintenance(deps)
  const underWay = (await readRebuildState(index)) === 'asked'
  const rest = await readRest(index)
  return {
    ...rest,
    index: underWay ? rest.index : 0,
    done: !underWay && rest.words + rest.edges === 0,
  }
}
