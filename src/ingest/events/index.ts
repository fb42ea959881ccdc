/** Stub */
import type { ReadAgain } from '../surfaces/surface.ts'
export const EVENTS: Readonly<Record<string, (payload: Readonly<Record<string, unknown>>) => ReadAgain>> = {}
