/** A git checkout with the objects of a repository on the scripted GitHub, under the same names. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { toCommitText } from './truth/git-store.ts'
import type { Repository } from './truth/world.ts'

/** Makes it in a folder that does not exist yet, with its default branch, its tags and an origin on github.com. */
export function makeRealCheckout(folder: string, { owner, name, defaultBranch, git }: Repository): void {
  mkdirSync(folder)
  const run = (args: readonly string[], input?: string | Uint8Array): string =>
    execFileSync('git', ['-C', folder, ...args], { ...(input !== undefined && { input }), encoding: 'utf8' }).trim()
  const write = (type: string, sha: string, content: string | Uint8Array): void => {
    const written = run(['hash-object', '-w', '-t', type, '--literally', '--stdin'], content)
    if (written !== sha) throw new Error(`${type} ${sha} is written as ${written}`)
  }
  run(['init', '-q', '-b', defaultBranch])
  run(['remote', 'add', 'origin', `https://github.com/${owner}/${name}.git`])
  for (const [sha, bytes] of git.blobs) write('blob', sha, bytes)
  for (const entries of git.trees.values()) {
    const lines = entries.map(({ name: entry, mode, sha }) => {
      const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob'
      return `${mode} ${type} ${sha}\t${entry}\0`
    })
    run(['mktree', '-z', '--missing'], lines.join(''))
  }
  for (const commit of git.commits.values()) write('commit', commit.sha, toCommitText(commit))
  for (const [ref, sha] of git.refs) if (!git.tags.has(sha)) run(['update-ref', ref, sha])
  run(['reset', '-q', '--hard'])
}
