/**
 * The patches of commits, also of files in UTF-16, which git takes for binary:
 * both sides are decoded into temporary files, and git compares those. Files
 * longer than the text limit stay binary.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toBlobText } from '../../git/blobs.ts'
import { toBoundedText } from '../../git/bytes.ts'
import type { Run } from '../../git/git-command.ts'
import { compareFiles, readBlobs, readPatches } from '../../git/git-reader.ts'
import type { CommitFiles, FilePatch } from '../../git/patches.ts'
import { keepFolder } from '../../git/settings/kept-folder.ts'
import type { PathRules } from './path-rules.ts'

/** Like `readPatches`, with the rules of the paths. */
export async function* readTextPatches(
  run: Run,
  commits: readonly string[],
  rules: PathRules,
): AsyncGenerator<CommitFiles | FilePatch> {
  for await (const part of readPatches(run, commits, rules.encodingOf)) {
    const mayBeText = !('files' in part) && part.binary && rules.findExclusion(part.path) === undefined
    yield mayBeText ? ((await decodePatch(run, part, rules.encodingOf(part.path))) ?? part) : part
  }
}

/** Undefined when a side is no text. */
async function decodePatch(run: Run, file: FilePatch, declared: string | undefined): Promise<FilePatch | undefined> {
  const texts = await readTexts(run, file.blobs, declared)
  if (texts === undefined) return undefined
  const folder = mkdtempSync(join(keepFolder(), 'texts-'))
  try {
    const paths = texts.map((text, side) => {
      const path = join(folder, String(side))
      writeFileSync(path, text)
      return path
    })
    const [old = '', changed = ''] = paths
    const output = await compareFiles(run, old, changed)
    const start = output.indexOf('\n@@ ')
    const { text, cut } = toBoundedText(output.subarray(start === -1 ? output.length : start + 1))
    return { ...file, patch: text.replace(/\n$/, ''), binary: false, truncated: cut }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The texts of both sides, empty for no file; undefined when one is binary or too long. */
async function readTexts(
  run: Run,
  ids: readonly string[],
  declared: string | undefined,
): Promise<readonly string[] | undefined> {
  const present = ids.filter((id) => /[^0]/.test(id))
  const found = new Map<string, string>()
  for await (const blob of readBlobs(run, present)) {
    const text = toBlobText(blob, declared)
    if (text === undefined || text.truncated) return undefined
    found.set(blob.id, text.text)
  }
  return ids.map((id) => found.get(id) ?? '')
}
