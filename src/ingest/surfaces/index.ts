/** The registry of surfaces. Webhooks, polls and laps are written once, over it. */
import type { Surface } from '../../base/vocabulary.ts'
import type { SurfaceSpec } from './surface.ts'

export const SURFACE_SPECS: Readonly<Record<Surface, SurfaceSpec>> = {} as never
