/**
 * Reads a clone of a public repository for a question set: texts, messages and
 * patches of one commit and its history. Uses no network: the clones are made
 * beforehand.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toBlobText } from '../../../mcp-server/src/git/blobs.ts'
import { NUL, readAll, splitRecords, toText } from '../../../mcp-server/src/git/bytes.ts'
import { findCommits, listTree, readBlobs, readPatches } from '../../../mcp-server/src/git/git-reader.ts'
import type { FilePatch } from '../../../mcp-server/src/git/patches.ts'
import { gitIn } from '../../../mcp-server/src/git/run-git.ts'

export interface CloneSource {
  /** owner/name on GitHub; the clone is the folder of that name. */
  readonly repository: string
  readonly commit: string
}

export interface SourceText {
  readonly path: string
  readonly text: string
}

export interface CommitMessage {
  readonly sha: string
  /** First line of the message. */
  readonly subject: string
  /** The message after its first line, without trailers such as Signed-off-by. */
  readonly body: string
}

export interface Clone {
  readonly repository: string
  /** The text files of the commit whose path is accepted, in order of path; of each at most the first MiB. */
  readTexts(accept: (path: string) => boolean): Promise<SourceText[]>
  /** One whole file. */
  readText(path: string): Promise<string>
  /** The newest commits that are no merges, newest first. */
  listMessages(count: number): Promise<CommitMessage[]>
  patchesOf(commits: readonly string[]): AsyncGenerator<FilePatch>
}

/** The clone of a source, or its commit, is not there; the message says what to do. */
export class MissingClone extends Error {}

/** Throws a `MissingClone`. */
export type OpenClone = (source: CloneSource) => Promise<Clone>

/** Opens clones that are folders below `folder`, bare or not, each by its repository's name. */
export function clonesIn(folder: string): OpenClone {
  return async ({ repository, commit }) => {
    const path = join(folder, repository.slice(repository.indexOf('/') + 1))
    if (!existsSync(path)) throw new MissingClone(`needs: git clone https://github.com/${repository} ${path}`)
    const run = gitIn(path)
    if (!(await findCommits(run, [commit])).has(commit))
      throw new MissingClone(`needs commit ${commit} in ${path}: fetch it`)
    return {
      repository,
      async readTexts(accept) {
        const files = await listTree(run, commit, {
          keyOf: (file) => (accept(file) ? file : undefined),
        })
        const paths = files.map(({ path: file }) => file)
        const ids = files.map(({ blob }) => blob)
        const texts: SourceText[] = []
        let at = 0
        for await (const blob of readBlobs(run, ids)) {
          const [file, text] = [paths[at]!, toBlobText(blob)?.text]
          if (text !== undefined) texts.push({ path: file, text })
          at += 1
        }
        return texts
      },
      readText: (file) => readAll(run(['cat-file', 'blob', '--end-of-options', `${commit}:${file}`])),
      async listMessages(count) {
        const log = ['log', '-z', '--no-merges', `--max-count=${count}`, '--format=%H%n%B', '--end-of-options', commit]
        const messages: CommitMessage[] = []
        for await (const record of splitRecords(run(log), NUL)) messages.push(toMessage(toText(record)))
        return messages
      },
      async *patchesOf(commits) {
        for await (const part of readPatches(run, commits)) if (!('files' in part)) yield part
      },
    }
  }
}

/** `Signed-off-by: A Person` and the like: names that would connect texts by one author. */
const TRAILER = /^[A-Z][A-Za-z]*(?:-[A-Za-z]+)*-(?:by|to|cc|id): .*$\n?|^(?:Cc|Link|See|Date): .*$\n?/gim

function toMessage(record: string): CommitMessage {
  const [sha = '', subject = '', ...lines] = record.split('\n')
  return { sha, subject, body: lines.join('\n').replace(TRAILER, '').trim() }
}
