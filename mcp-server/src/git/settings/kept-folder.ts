/**
 * A temporary folder of this process, for files that git reads. It is made when it
 * is needed, again when something clears the temporary files, and removed when
 * this process ends.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let kept: string | undefined

export function keepFolder(): string {
  if (kept === undefined) {
    process.once('exit', () => {
      if (kept !== undefined) rmSync(kept, { recursive: true, force: true })
    })
  }
  if (kept === undefined || !existsSync(kept)) kept = mkdtempSync(join(tmpdir(), 'kotodama-git-'))
  return kept
}
