/** A world as it is served: the truth, its snapshots, who may read it, its faults and its log. */
import type { Fault, FaultAction, LoggedRequest } from '../fault.ts'
import type { World } from '../truth/world.ts'
import { createAccess, type Access } from './access.ts'

interface ArmedFault {
  readonly pattern: RegExp
  readonly action: FaultAction
  skip: number
  left: number
}

export interface WorldState {
  readonly world: World
  readonly snapshots: Map<string, World>
  readonly access: Access
  readonly faults: ArmedFault[]
  readonly requests: LoggedRequest[]
}

export function createState(world: World): WorldState {
  return { world, snapshots: new Map(), access: createAccess(), faults: [], requests: [] }
}

export function armFault({ faults }: WorldState, { match, skip = 0, times = 1, action }: Fault): void {
  faults.push({ pattern: new RegExp(match, 's'), action, skip, left: times === 'always' ? Infinity : times })
}

/** The first fault that the request meets; it is used up by this. */
export function takeFault({ faults }: WorldState, request: string): FaultAction | undefined {
  for (const fault of faults) {
    if (fault.left === 0 || !fault.pattern.test(request)) continue
    if (fault.skip > 0) {
      fault.skip--
      continue
    }
    fault.left--
    return fault.action
  }
  return undefined
}

export function takeSnapshot({ snapshots, world }: WorldState, name: string): void {
  snapshots.set(name, structuredClone(world))
}
