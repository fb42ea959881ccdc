/** The time limits and the signal of a git process, and the folder that it reads. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAll } from '../../../mcp-server/src/git/bytes.ts'
import { GitError } from '../../../mcp-server/src/git/git-command.ts'
import { gitIn } from '../../../mcp-server/src/git/run-git.ts'
import { GitSandbox } from '../../support/git-sandbox.ts'

/** Starts a process that keeps the pipes open, as a helper would. */
const HANG = 'case "$*" in *get-regexp*) exit 1;; esac\nprintf begun\nsleep 30 & wait'

let sandbox: GitSandbox
const inherited = { ...process.env }

beforeEach(() => {
  sandbox = new GitSandbox()
  sandbox.commit('the only commit', { 'README.md': 'text' })
  // The product's temporary files for git are removed with the sandbox.
  Object.assign(process.env, { HOME: sandbox.root, TMPDIR: sandbox.root })
})

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in inherited)) delete process.env[name]
  Object.assign(process.env, inherited)
  sandbox.remove()
})

/** Puts a program that hangs in the place of git. */
function hang(): void {
  const bin = join(sandbox.root, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${HANG}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  process.env['PATH'] = `${bin}${delimiter}${process.env['PATH'] ?? ''}`
}

test.each([
  ['the wait for output', { idleMs: 300 }, 'gave no output for 0.3 s'],
  ['the whole run', { totalMs: 300 }, 'took more than 0.3 s'],
])('a git that hangs is ended after the time for %s', async (_name, limits, message) => {
  hang()
  const started = performance.now()
  await expect(readAll(gitIn(sandbox.folder, undefined, limits)(['log']))).rejects.toThrow(
    new GitError('log', message, undefined),
  )
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('a git that hangs is ended by the signal, with its reason', async () => {
  hang()
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('enough')), 300)
  await expect(readAll(gitIn(sandbox.folder, stop.signal)(['log']))).rejects.toThrow('enough')
})

test('the time that the reader takes does not count as waiting', async () => {
  const chunks: Uint8Array[] = []
  for await (const chunk of gitIn(sandbox.folder, undefined, { idleMs: 2_000 })(['log'])) {
    chunks.push(chunk)
    await new Promise((done) => setTimeout(done, 2_500))
  }
  expect(Buffer.concat(chunks).toString()).toContain('the only commit')
})

test('a relative folder is resolved against the folder of the process that calls git', async () => {
  const folder = relative(process.cwd(), sandbox.folder)
  const log = await readAll(gitIn(folder)(['log', '--format=%s']))
  expect(Buffer.from(log).toString().trim()).toBe('the only commit')
})
