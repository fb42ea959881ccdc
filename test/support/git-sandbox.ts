/**
 * Real git in a temporary folder, without the machine's configuration and with
 * its own clock: every commit is a minute later than the one before.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const START_S = 1_700_000_000

export class GitSandbox {
  readonly root: string
  readonly folder: string
  #minutes = 0

  /** `name` of the folder, hash `format` of git, and `model`, a sandbox to copy. */
  constructor(name = 'project', format: 'sha1' | 'sha256' = 'sha1', model?: GitSandbox) {
    this.root = mkdtempSync(join(tmpdir(), 'git-sandbox-'))
    this.folder = join(this.root, name)
    if (model === undefined) {
      mkdirSync(this.folder)
      this.git('init', '-q', '-b', 'main', `--object-format=${format}`)
    } else {
      cpSync(model.folder, this.folder, { recursive: true })
      this.#minutes = model.#minutes
    }
  }

  /** Runs git in the checkout and returns its output. */
  git(...args: string[]): string {
    return this.gitIn(this.folder, ...args)
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync('git', args, {
      cwd,
      env: this.env(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }

  env(): Record<string, string> {
    const date = `${START_S + this.#minutes * 60} +0900`
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.root,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Aoi',
      GIT_AUTHOR_EMAIL: 'aoi@example.com',
      GIT_AUTHOR_DATE: '1600000000 +0000',
      GIT_COMMITTER_NAME: 'Ren',
      GIT_COMMITTER_EMAIL: 'ren@example.com',
      GIT_COMMITTER_DATE: date,
    }
  }

  /** Milliseconds UTC of the last commit made by `commit`. */
  get nowMs(): number {
    return (START_S + this.#minutes * 60) * 1000
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }

  /** Moves the clock by minutes, backwards when they are negative. */
  wait(minutes: number): void {
    this.#minutes += minutes
  }

  /** Writes the files, commits everything, and returns the commit. */
  commit(message: string, files: Readonly<Record<string, string | Uint8Array>> = {}): string {
    this.write(files)
    this.wait(1)
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', message)
    return this.git('rev-parse', 'HEAD')
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
