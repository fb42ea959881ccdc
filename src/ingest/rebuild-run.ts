/**
 * Rebuilds everything derived from the stored documents. A call begins a rebuild
 * or joins the running one and does one maintenance run; later calls or scheduled
 * runs finish it.
 */
import { readRebuildReason } from '../index/maintenance/shadow-index.ts'
import { beginRebuild, readRemainder, type RebuildRemainder } from '../index/maintenance/begin-rebuild.ts'
import { runMaintenance, type MaintenanceDependencies } from './maintenance-run.ts'

export interface RebuildCall {
  /** Count the work and change nothing. */
  readonly dryRun: boolean
  /** Continue a running rebuild; begin none. */
  readonly resume: boolean
}

export interface RebuildReport extends RebuildRemainder {
  /** No rebuild is running, and only vectors may be pending. */
  readonly done: boolean
}

export async function rebuild(deps: MaintenanceDependencies, { dryRun, resume }: RebuildCall): Promise<RebuildReport> {
  const { index } = deps
  if (dryRun) {
    const { documents, vectors } = await readRemainder(index)
    return { documents, words: documents, edges: documents, vectors, index: documents, done: false }
  }
  if (!resume && (await readRebuildReason(index)) !== 'requested') await beginRebuild(index)
  await runMaintenance(deps)
  const isRunning = (await readRebuildReason(index)) === 'requested'
  const remainder = await readRemainder(index)
  return {
    ...remainder,
    index: isRunning ? remainder.index : 0,
    done: !isRunning && remainder.words + remainder.edges === 0,
  }
}
