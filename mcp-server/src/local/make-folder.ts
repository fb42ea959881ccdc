/**
 * Makes a folder and its missing parents, each for its owner only (0700). Node's
 * recursive mkdir never returns where a file system takes no new folders, such
 * as /proc; here the first refusal is thrown.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Throws the file system's error. An existing folder is not changed. */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const one of missing) makeOne(one)
}

/** Another process may make the same folder at the same time. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
