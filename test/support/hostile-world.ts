/**
 * A repository in which programs are planted, everything that the product asks
 * git about it, and plain git, which runs those programs. New for each test. Call
 * it at the top of a test file.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { listNewestSubjects, readHead } from '../../mcp-server/src/cli/start/checkout-queries.ts'
import { GitError, type Run } from '../../mcp-server/src/git/git-command.ts'
import * as gitReader from '../../mcp-server/src/git/git-reader.ts'
import { DOCS } from '../../mcp-server/src/git/git-tree.ts'
import * as patchReader from '../../mcp-server/src/git/patch-reader.ts'
import { gitIn } from '../../mcp-server/src/git/run-git.ts'
import { importCheckout } from '../../mcp-server/src/import/import-checkout.ts'
import { openCheckout } from '../../mcp-server/src/import/read/checkout.ts'
import { AdminModel, TOKEN } from './admin-model.ts'
import { GitSandbox } from './git-sandbox.ts'

/** A plain git command that runs the planted program. */
export interface PlainCommand {
  readonly live: readonly string[]
  readonly input?: string
  readonly env?: () => Record<string, string>
  /** The command shows its output on a terminal. */
  readonly terminal?: boolean
}

/** Starts the pager without a terminal. */
export const PAGE = ['grep', '--open-files-in-pager', 'o']
export const SHOW_TWO = ['diff', 'HEAD~1', 'HEAD~2']
export const ASK_PASSWORD = 'protocol=https\nhost=example.com\n\n'

class HostileWorld {
  sandbox!: GitSandbox
  /** The file that a planted program makes. */
  marker = ''
  /** A program that makes the marker file. */
  program = ''
  /** A commit that no branch has any more. */
  old = ''
  head = ''
  #model!: AdminModel
  #endpoint = ''

  async begin(): Promise<void> {
    this.#model = new AdminModel()
    this.#endpoint = await this.#model.start()
    this.sandbox = new GitSandbox()
    const { root } = this.sandbox
    this.marker = join(root, 'ran')
    this.program = this.script('planted', `touch '${this.marker}'\nexit 0`)
    process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
    process.env['HOME'] = root
    // The product's temporary files for git are removed with the sandbox.
    process.env['TMPDIR'] = root
    await this.#makeHistory()
  }

  /** Documents, a rename, a merge, tags and a signature; imported once, so that the next import also compares and removes. */
  async #makeHistory(): Promise<void> {
    const { sandbox } = this
    sandbox.commit('first', { 'README.md': 'one\n', 'docs/guide.md': 'a\nb\nc\nd\ne\nf\n', 'src/a.ts': 'x\n' })
    this.old = sandbox.commit('rewritten later', { 'README.md': 'two\n' })
    sandbox.git('tag', '-a', 'v1', '-m', 'First')
    sandbox.git('tag', 'v1-light')
    sandbox.git('remote', 'add', 'origin', 'https://github.com/owner/name.git')
    await this.#import(sandbox.folder)
    sandbox.git('tag', '-d', 'v1-light')
    sandbox.git('commit', '-q', '--amend', '-m', 'rewritten')
    sandbox.git('checkout', '-q', '-b', 'side')
    sandbox.commit('on the side', { 'docs/side.md': 's\n' })
    sandbox.git('checkout', '-q', 'main')
    sandbox.git('mv', 'docs/guide.md', 'docs/manual.md')
    sandbox.commit('move', { 'src/a.ts': 'y\n' })
    sandbox.git('merge', '-q', '--no-ff', '-m', 'merge', 'side')
    this.head = this.signed('PGP SIGNATURE')
  }

  async end(): Promise<void> {
    await this.#model.stop()
    this.sandbox.remove()
  }

  /** Writes an executable file and returns its path. */
  script(name: string, text: string): string {
    const path = join(this.sandbox.root, name)
    writeFileSync(path, `#!/bin/sh\n${text}\n`)
    chmodSync(path, 0o755)
    return path
  }

  /** A commit with a signature of this kind, made by hand. */
  signed(kind: string): string {
    const { sandbox } = this
    const tree = sandbox.git('rev-parse', 'HEAD^{tree}')
    const who = 'Aoi <aoi@example.com> 1700000000 +0900'
    const signature = `gpgsig -----BEGIN ${kind}-----\n \n AAAA\n -----END ${kind}-----`
    const parent = sandbox.git('rev-parse', 'HEAD')
    writeFileSync(
      join(sandbox.root, 'commit'),
      `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nsigned\n`,
    )
    const sha = sandbox.git('hash-object', '-t', 'commit', '-w', join(sandbox.root, 'commit'))
    sandbox.git('reset', '-q', '--hard', sha)
    return sha
  }

  config(name: string, value: string): void {
    this.sandbox.git('config', '--local', '--add', name, value)
  }

  attributes(line: string): void {
    writeFileSync(join(this.sandbox.folder, '.git/info/attributes'), `${line}\n`)
  }

  /** For plants that work only in the user's own configuration. */
  userConfig(text: string): void {
    writeFileSync(join(this.sandbox.root, '.gitconfig'), text)
    delete process.env['GIT_CONFIG_GLOBAL']
  }

  /** Puts a shell line before every git the product starts. */
  wrapGit(line: string): void {
    const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
    const bin = join(this.sandbox.root, 'bin')
    mkdirSync(bin)
    this.script('bin/git', `${line}\nexec '${git}' "$@"`)
    process.env['PATH'] = `${bin}${delimiter}${process.env['PATH'] ?? ''}`
  }

  plainly({ live, input = '', env, terminal }: PlainCommand, cwd = this.sandbox.folder): void {
    const { GIT_CONFIG_GLOBAL: _, ...rest } = this.sandbox.env()
    const [file, ...args] =
      terminal === true ? ['script', '-qec', `git ${live.join(' ')}`, '/dev/null'] : ['git', ...live]
    spawnSync(file, args, { cwd, input, env: { TERM: 'xterm', ...rest, ...env?.() }, timeout: 20_000 })
  }

  /** The answers to everything that the product asks git about a folder. A refusal of git is an answer. */
  async everything(path = this.sandbox.folder): Promise<unknown[]> {
    const answers: unknown[] = []
    const run = gitIn(path)
    for (const [name, query] of Object.entries(QUERIES)) {
      const answer = query(run, this).catch((error: unknown) => {
        if (error instanceof GitError) return error.message
        throw error
      })
      answers.push([name, await answer])
    }
    const opened = await openCheckout(path)
    answers.push(opened.ok ? { ...opened.value, run: undefined } : opened)
    answers.push(await readHead(path), await listNewestSubjects(path, 5))
    await this.#import(path)
    answers.push(this.#model.contents('x/y'))
    return answers
  }

  async #import(path: string): Promise<void> {
    const endpoint = this.#endpoint
    await importCheckout({ path, repo: 'x/y', endpoint, adminToken: TOKEN, retryPausesMs: [1] })
  }
}

type Query = (run: Run, world: HostileWorld) => Promise<unknown>

/** Every query that the product makes of git, by the name of its function. */
const QUERIES: { readonly [Name in keyof typeof gitReader | keyof typeof patchReader]: Query } = {
  readPlace: (run) => gitReader.readPlace(run),
  readHead: (run) => gitReader.readHead(run),
  readTopFolder: (run) => gitReader.readTopFolder(run),
  readBranch: (run) => gitReader.readBranch(run),
  readOriginAddress: (run) => gitReader.readOriginAddress(run),
  listSubjects: (run) => gitReader.listSubjects(run),
  listTags: (run) => gitReader.listTags(run),
  findCommits: (run, { old, head }) => gitReader.findCommits(run, [old, head]),
  findIndependent: (run, { old, head }) => gitReader.findIndependent(run, [old, head]),
  listCommits: (run, { head }) => collect(gitReader.listCommits(run, head, [])),
  listLost: (run, { old }) => gitReader.listLost(run, [old]),
  readPatches: (run, { old, head }) => collect(patchReader.readPatches(run, [old, `${head}~1`, `${head}~2`])),
  readWithoutPatches: (run, { old, head }) => collect(patchReader.readWithoutPatches(run, [old, `${head}~1`])),
  readSubjects: (run, { old, head }) => gitReader.readSubjects(run, [old, head]),
  listAncestry: (run, { old, head }) => collect(gitReader.listAncestry(run, [old, head])),
  readChangedFiles: (run, { old, head }) => collect(patchReader.readChangedFiles(run, [old, `${head}~1`])),
  compareFiles: async (run, { sandbox }) => {
    const [one, two] = ['one.md', 'two.md'].map((name) => join(sandbox.root, name))
    writeFileSync(one ?? '', 'one\n')
    writeFileSync(two ?? '', 'two\n')
    return (await patchReader.compareFiles(run, one ?? '', two ?? '')).toString()
  },
  listTree: (run, { head }) => gitReader.listTree(run, head, DOCS),
  listTouched: (run, { old, head }) => gitReader.listTouched(run, old, head, DOCS),
  readTimes: async (run, { head }) => gitReader.readTimes(run, head, await gitReader.listTree(run, head, DOCS), DOCS),
  readBlobs: async (run, { head }) => {
    const files = await gitReader.listTree(run, head, DOCS)
    const ids = files.map(({ blob }) => blob)
    return collect(gitReader.readBlobs(run, ids))
  },
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

export function useHostileWorld(): HostileWorld {
  const world = new HostileWorld()
  const inherited = { ...process.env }
  beforeEach(() => world.begin())
  afterEach(async () => {
    for (const name of Object.keys(process.env)) if (!(name in inherited)) delete process.env[name]
    Object.assign(process.env, inherited)
    await world.end()
  })
  return world
}
