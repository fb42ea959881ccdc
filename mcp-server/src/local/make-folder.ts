/**
 * Makes a folder with all that leads to it, each for its owner only. Where a
 * file system takes no new folders, such as /proc, Node's own recursive way
 * tries without end and holds the process; here the first refusal is the last.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Throws what the file system answers; a folder that is there is left as it is. */
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
