/**
 * Paths as people type them. npm runs a script in the package's folder, however
 * far from it the person stands, and notes in INIT_CWD where that is.
 */
import { basename, resolve } from 'node:path'

/** The absolute path that was meant. INIT_CWD counts only for the script npm itself was asked for. */
export function typedPath(path: string, script = process.argv[1] ?? '', env = process.env): string {
  const { INIT_CWD: stoodIn, npm_lifecycle_event: asked } = env
  return stoodIn !== undefined && asked === basename(script, '.ts') ? resolve(stoodIn, path) : resolve(path)
}
