/**
 * No repository and no setting around it runs a command. Each test plants one of
 * git's ways to run one, does everything that the product does with git, and
 * then shows that plain git would have run the command.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openCheckout } from '../../../mcp-server/src/import/read/checkout.ts'
import { importCheckout } from '../../../mcp-server/src/import/import-checkout.ts'
import { gitIn } from '../../../mcp-server/src/git/run-git.ts'
import { listNewestSubjects, readHead } from '../../../mcp-server/src/cli/start/checkout-queries.ts'
import { GitError, type Run } from '../../../mcp-server/src/git/git-command.ts'
import * as reader from '../../../mcp-server/src/git/git-reader.ts'
import { DOCS } from '../../../mcp-server/src/git/git-tree.ts'
import { AdminModel, TOKEN } from '../../support/admin-model.ts'
import { GitSandbox } from '../../support/git-sandbox.ts'
import { HOSTILE_SETTINGS } from '../../support/hostile-settings.ts'

let sandbox: GitSandbox
let marker: string
/** A program that makes the marker file. */
let program: string
let model: AdminModel
let endpoint: string
const inherited = { ...process.env }

beforeEach(async () => {
  model = new AdminModel()
  endpoint = await model.start()
  sandbox = new GitSandbox()
  marker = join(sandbox.root, 'ran')
  program = script('planted', `touch '${marker}'\nexit 0`)
  process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
  process.env['HOME'] = sandbox.root
  // The product's temporary files for git are removed with the sandbox.
  process.env['TMPDIR'] = sandbox.root
  await history()
})

afterEach(async () => {
  for (const name of Object.keys(process.env)) if (!(name in inherited)) delete process.env[name]
  Object.assign(process.env, inherited)
  await model.stop()
  sandbox.remove()
})

function script(name: string, text: string): string {
  const path = join(sandbox.root, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

let old: string
let head: string

/** Documents, a rename, a merge, tags and a signature; imported once, so that the next import also compares and removes. */
async function history(): Promise<void> {
  sandbox.commit('first', { 'README.md': 'one\n', 'docs/guide.md': 'a\nb\nc\nd\ne\nf\n', 'src/a.ts': 'x\n' })
  old = sandbox.commit('rewritten later', { 'README.md': 'two\n' })
  sandbox.git('tag', '-a', 'v1', '-m', 'First')
  sandbox.git('tag', 'v1-light')
  sandbox.git('remote', 'add', 'origin', 'https://github.com/owner/name.git')
  await importCheckout(imports(sandbox.folder))
  sandbox.git('tag', '-d', 'v1-light')
  sandbox.git('commit', '-q', '--amend', '-m', 'rewritten')
  sandbox.git('checkout', '-q', '-b', 'side')
  sandbox.commit('on the side', { 'docs/side.md': 's\n' })
  sandbox.git('checkout', '-q', 'main')
  sandbox.git('mv', 'docs/guide.md', 'docs/manual.md')
  sandbox.commit('move', { 'src/a.ts': 'y\n' })
  sandbox.git('merge', '-q', '--no-ff', '-m', 'merge', 'side')
  head = signed('PGP SIGNATURE')
}

/** A commit with a signature of this kind, made by hand. */
function signed(kind: string): string {
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

function imports(path: string) {
  return { path, repo: 'x/y', endpoint, adminToken: TOKEN, retryPausesMs: [1] }
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

/** Every query of mcp-server/src/git/git-reader.ts. */
const QUERIES: { readonly [Name in keyof typeof reader]: (run: Run) => Promise<unknown> } = {
  readPlace: (run) => reader.readPlace(run),
  readHead: (run) => reader.readHead(run),
  readTopFolder: (run) => reader.readTopFolder(run),
  readBranch: (run) => reader.readBranch(run),
  readOriginAddress: (run) => reader.readOriginAddress(run),
  listSubjects: (run) => reader.listSubjects(run),
  listTags: (run) => reader.listTags(run),
  findCommits: (run) => reader.findCommits(run, [old, head]),
  findIndependent: (run) => reader.findIndependent(run, [old, head]),
  listCommits: (run) => collect(reader.listCommits(run, head, [])),
  listLost: (run) => reader.listLost(run, [old]),
  readPatches: (run) => collect(reader.readPatches(run, [old, `${head}~1`, `${head}~2`])),
  readWithoutPatches: (run) => collect(reader.readWithoutPatches(run, [old, `${head}~1`])),
  readSubjects: (run) => reader.readSubjects(run, [old, head]),
  listAncestry: (run) => collect(reader.listAncestry(run, [old, head])),
  readChangedFiles: (run) => collect(reader.readChangedFiles(run, [old, `${head}~1`])),
  compareFiles: async (run) => {
    const [one, two] = ['one.md', 'two.md'].map((name) => join(sandbox.root, name))
    writeFileSync(one ?? '', 'one\n')
    writeFileSync(two ?? '', 'two\n')
    return (await reader.compareFiles(run, one ?? '', two ?? '')).toString()
  },
  listTree: (run) => reader.listTree(run, head, DOCS),
  listTouched: (run) => reader.listTouched(run, old, head, DOCS),
  readTimes: async (run) => reader.readTimes(run, head, await reader.listTree(run, head, DOCS), DOCS),
  readBlobs: async (run) => {
    const files = await reader.listTree(run, head, DOCS)
    const ids = files.map(({ blob }) => blob)
    return collect(reader.readBlobs(run, ids))
  },
}

/** The answers to everything that the product asks git about a folder. A refusal of git is an answer. */
async function everything(path = sandbox.folder): Promise<unknown[]> {
  const answers: unknown[] = []
  const run = gitIn(path)
  for (const [name, query] of Object.entries(QUERIES)) {
    const answer = query(run).catch((error: unknown) => {
      if (error instanceof GitError) return error.message
      throw error
    })
    answers.push([name, await answer])
  }
  const opened = await openCheckout(path)
  answers.push(opened.ok ? { ...opened.value, run: undefined } : opened)
  answers.push(await readHead(path), await listNewestSubjects(path, 5))
  await importCheckout(imports(path))
  answers.push(model.contents('x/y'))
  return answers
}

interface Plant {
  /** Puts the plant in place. */
  readonly plant: () => void
  /** Arguments of a plain git command that runs the planted program. */
  readonly live: readonly string[]
  readonly input?: string
  readonly env?: () => Record<string, string>
  /** The plain command shows its output on a terminal. */
  readonly terminal?: boolean
  /** The plant removes contents, so answers differ. */
  readonly lacking?: boolean
}

function plainly({ live, input = '', env, terminal }: Plant, cwd = sandbox.folder): void {
  const { GIT_CONFIG_GLOBAL: _, ...rest } = sandbox.env()
  const [file, ...args] =
    terminal === true ? ['script', '-qec', `git ${live.join(' ')}`, '/dev/null'] : ['git', ...live]
  spawnSync(file, args, { cwd, input, env: { TERM: 'xterm', ...rest, ...env?.() }, timeout: 20_000 })
}

function config(name: string, value: string): void {
  sandbox.git('config', '--local', '--add', name, value)
}

function attributes(line: string): void {
  writeFileSync(join(sandbox.folder, '.git/info/attributes'), `${line}\n`)
}

/** For plants that work only in the user's own configuration. */
function userConfig(text: string): void {
  writeFileSync(join(sandbox.root, '.gitconfig'), text)
  delete process.env['GIT_CONFIG_GLOBAL']
}

function loseReadme(): void {
  const blob = sandbox.git('rev-parse', 'HEAD:README.md')
  rmSync(join(sandbox.folder, '.git/objects', blob.slice(0, 2), blob.slice(2)))
}

/** A partial clone that lacks a blob, and would get it from here. */
function promisor(url: string): void {
  sandbox.git('config', 'core.repositoryFormatVersion', '1')
  sandbox.git('config', 'extensions.partialClone', 'far')
  sandbox.git('config', 'remote.far.promisor', 'true')
  sandbox.git('config', 'remote.far.url', url)
  config('protocol.ext.allow', 'always')
  config('protocol.file.allow', 'always')
  config('protocol.allow', 'always')
  loseReadme()
}

function hook(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\ntouch '${marker}'\n`)
  chmodSync(join(folder, name), 0o755)
}

const BUILTINS = ['cat-file', 'diff-tree', 'for-each-ref', 'log', 'ls-remote', 'ls-tree', 'merge-base', 'rev-list']
/** Starts the pager without a terminal. */
const PAGE = ['grep', '--open-files-in-pager', 'o']
const SHOW_TWO = ['diff', 'HEAD~1', 'HEAD~2']
const ASK_PASSWORD = 'protocol=https\nhost=example.com\n\n'

const PLANTS: Readonly<Record<string, Plant>> = {
  'core.fsmonitor': { plant: () => config('core.fsmonitor', program), live: ['status'] },
  'core.pager': { plant: () => config('core.pager', program), live: PAGE },
  'pager.<command>': {
    plant: () => ['log', ...BUILTINS].forEach((name) => config(`pager.${name}`, program)),
    live: ['log'],
    terminal: true,
  },
  textconv: {
    plant: () => (attributes('* diff=words'), config('diff.words.textconv', program)),
    live: SHOW_TWO,
  },
  'textconv that a commit asks for': {
    plant: () => {
      head = sandbox.commit('attributes', { '.gitattributes': '* diff=words filter=words\n' })
      config('diff.words.textconv', program)
    },
    live: ['diff', 'HEAD', 'HEAD~1'],
  },
  'diff.<driver>.command': {
    plant: () => (attributes('* diff=words'), config('diff.words.command', program)),
    live: SHOW_TWO,
  },
  'diff.external': { plant: () => config('diff.external', program), live: SHOW_TWO },
  'clean filter': {
    plant: () => (attributes('* filter=words'), config('filter.words.clean', program)),
    live: ['hash-object', '--path=README.md', 'README.md'],
  },
  'smudge filter': {
    plant: () => (attributes('* filter=words'), config('filter.words.smudge', program)),
    live: ['cat-file', '--filters', 'HEAD:README.md'],
  },
  'process filter': {
    plant: () => (attributes('* filter=words'), config('filter.words.process', program)),
    live: ['cat-file', '--filters', 'HEAD:README.md'],
  },
  'merge driver': {
    plant: () => {
      head = sandbox.commit('against the old one', { 'README.md': 'three\n' })
      attributes('* merge=words')
      config('merge.words.driver', program)
    },
    live: ['cherry-pick', '--no-commit', 'v1'],
  },
  'gpg.program': {
    plant: () => (config('gpg.program', program), config('log.showSignature', 'true')),
    live: ['log'],
  },
  'gpg.openpgp.program': {
    plant: () => (config('gpg.openpgp.program', program), config('log.showSignature', 'true')),
    live: ['log'],
  },
  'gpg.x509.program': {
    plant: () => {
      head = signed('SIGNED MESSAGE')
      config('gpg.x509.program', program)
      config('log.showSignature', 'true')
    },
    live: ['log'],
  },
  'gpg.ssh.program': {
    plant: () => {
      head = signed('SSH SIGNATURE')
      config('gpg.ssh.program', program)
      config('gpg.ssh.allowedSignersFile', '/dev/null')
      config('log.showSignature', 'true')
    },
    live: ['log'],
  },
  ...Object.fromEntries(
    ['post-checkout', 'post-index-change', 'reference-transaction'].map((name): [string, Plant] => [
      `hook ${name}`,
      { plant: () => hook(join(sandbox.folder, '.git/hooks'), name), live: ['checkout', '-b', 'other', 'HEAD~1'] },
    ]),
  ),
  'core.hooksPath': {
    plant: () => {
      for (const name of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-auto-gc']) {
        hook(join(sandbox.root, 'hooks'), name)
      }
      config('core.hooksPath', join(sandbox.root, 'hooks'))
    },
    live: ['update-ref', 'refs/heads/other', 'HEAD'],
  },
  'hook fsmonitor-watchman': {
    plant: () => {
      hook(join(sandbox.folder, '.git/hooks'), 'fsmonitor-watchman')
      config('core.fsmonitor', '.git/hooks/fsmonitor-watchman')
    },
    live: ['status'],
  },
  'core.sshCommand': {
    plant: () => (config('core.sshCommand', program), sandbox.git('remote', 'add', 'far', 'ssh://example.com/x')),
    live: ['ls-remote', 'far'],
  },
  'core.gitProxy': {
    plant: () => (config('core.gitProxy', program), sandbox.git('remote', 'add', 'far', 'git://example.com/x')),
    live: ['ls-remote', 'far'],
  },
  'remote.<name>.vcs': {
    plant: () => {
      config('protocol.ext.allow', 'always')
      sandbox.git('remote', 'add', 'far', `sh -c ${program}`)
      config('remote.far.vcs', 'ext')
    },
    live: ['ls-remote', 'far'],
  },
  alias: {
    plant: () =>
      ['story', 'rev-parse', 'symbolic-ref', ...BUILTINS].forEach((name) => config(`alias.${name}`, `!${program}`)),
    live: ['story'],
  },
  'include.path': {
    plant: () => {
      writeFileSync(join(sandbox.folder, 'more'), `[core]\n\tfsmonitor = ${program}\n[diff]\n\texternal = ${program}\n`)
      config('include.path', '../more')
    },
    live: ['status'],
  },
  'includeIf.<condition>.path': {
    plant: () => {
      const text = `[gpg]\n\tprogram = ${program}\n[log]\n\tshowSignature = true\n`
      writeFileSync(join(sandbox.folder, 'more'), text)
      config('includeIf.onbranch:**.path', '../more')
      config('includeIf.gitdir:/**.path', '../more')
    },
    live: ['log'],
  },
  'configuration of a worktree': {
    plant: () => {
      config('extensions.worktreeConfig', 'true')
      writeFileSync(join(sandbox.folder, '.git/config.worktree'), `[core]\n\tfsmonitor = ${program}\n`)
    },
    live: ['status'],
  },
  'a promisor remote ext::': {
    plant: () => promisor(`ext::sh -c ${program}`),
    live: ['cat-file', '-p', 'HEAD:README.md'],
    lacking: true,
  },
  'a promisor remote ext::, for a git that does not know GIT_NO_LAZY_FETCH': {
    plant: () => (promisor(`ext::sh -c ${program}`), wrapGit('unset GIT_NO_LAZY_FETCH')),
    live: ['cat-file', '-p', 'HEAD:README.md'],
    lacking: true,
  },
  'remote.<name>.uploadpack of a promisor': {
    plant: () => {
      promisor(sandbox.folder)
      config('remote.far.uploadpack', program)
      wrapGit('unset GIT_NO_LAZY_FETCH')
    },
    live: ['cat-file', '-p', 'HEAD:README.md'],
    lacking: true,
  },
  'core.sshCommand of a promisor': {
    plant: () => {
      promisor('ssh://example.com/x')
      config('core.sshCommand', program)
      wrapGit('unset GIT_NO_LAZY_FETCH')
    },
    live: ['cat-file', '-p', 'HEAD:README.md'],
    lacking: true,
  },
  'credential.helper': {
    plant: () => config('credential.helper', `!${program}`),
    live: ['credential', 'fill'],
    input: ASK_PASSWORD,
  },
  'credential.<address>.helper': {
    plant: () => config('credential.https://example.com.helper', `!${program}`),
    live: ['credential', 'fill'],
    input: ASK_PASSWORD,
  },
  'core.askPass': {
    plant: () => config('core.askPass', program),
    live: ['credential', 'fill'],
    input: ASK_PASSWORD,
  },
  'core.editor': { plant: () => config('core.editor', program), live: ['config', '--local', '--edit'] },
  'sequence.editor': {
    plant: () => config('sequence.editor', program),
    live: ['-c', 'user.name=a', '-c', 'user.email=b', 'rebase', '-i', 'HEAD~1'],
  },
  'core.alternateRefsCommand': {
    plant: () => {
      const other = join(sandbox.root, 'other')
      sandbox.gitIn(sandbox.root, 'clone', '-q', sandbox.folder, other)
      writeFileSync(join(sandbox.folder, '.git/objects/info/alternates'), `${other}/.git/objects\n`)
      config('core.alternateRefsCommand', program)
    },
    live: ['receive-pack', '.'],
  },
  'interactive.diffFilter': {
    plant: () => (config('interactive.diffFilter', program), sandbox.write({ 'README.md': 'changed\n' })),
    live: ['add', '--patch'],
    terminal: true,
    input: 'q\n',
  },
  // These two work in the user's configuration only.
  'uploadpack.packObjectsHook': {
    plant: () => userConfig(`[uploadpack]\n\tpackObjectsHook = ${program}\n`),
    live: ['clone', '--no-local', '.', '../clone'],
  },
  'trace2.eventTarget': {
    plant: () =>
      userConfig(`[trace2]\n\teventTarget = ${marker}\n\tnormalTarget = ${marker}\n\tperfTarget = ${marker}\n`),
    live: ['log'],
  },
}

/** Puts a shell line before every git the product starts. */
function wrapGit(line: string): void {
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  const bin = join(sandbox.root, 'bin')
  mkdirSync(bin)
  script('bin/git', `${line}\nexec '${git}' "$@"`)
  process.env['PATH'] = `${bin}${delimiter}${process.env['PATH'] ?? ''}`
}

describe('programs planted in a repository or its user’s configuration', () => {
  // Only Linux has a tool that gives a plain command a terminal.
  const terminals = process.platform === 'linux'
  const plants = Object.entries(PLANTS).filter(([, { terminal }]) => terminals || terminal !== true)

  test.each(plants)('%s in the configuration or the tree runs no program', async (_name, planted) => {
    planted.plant()
    rmSync(marker, { force: true })
    const [before, ...answers] = [head, ...(await everything())]
    expect(existsSync(marker)).toBe(false)
    // Git has answered: the marker is not missing because git failed.
    expect(answers.slice(0, 2)).toEqual([
      ['readPlace', expect.objectContaining({ bare: false })],
      ['readHead', before],
    ])
    const failures = answers.filter((answer) => Array.isArray(answer) && String(answer[1]).startsWith('git '))
    expect(failures.length > 0).toBe(planted.lacking === true)
    plainly(planted)
    expect(existsSync(marker), 'the plant is dead').toBe(true)
  })

  test('a bare repository in a sub-folder is read when it is named, and not when git meets it on its way up', async () => {
    const bare = join(sandbox.folder, 'docs/naked')
    sandbox.gitIn(sandbox.root, 'clone', '-q', '--bare', sandbox.folder, bare)
    mkdirSync(join(bare, 'below'))
    const plant = { plant: () => undefined, live: ['log'] }
    sandbox.gitIn(bare, 'config', 'gpg.program', program)
    sandbox.gitIn(bare, 'config', 'log.showSignature', 'true')
    const [place, read] = await everything(bare)
    expect([place, read]).toEqual([
      ['readPlace', expect.objectContaining({ bare: true })],
      ['readHead', head],
    ])
    expect(await openCheckout(join(bare, 'below'))).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('safe.bareRepository') },
    })
    await everything(join(bare, 'below'))
    expect(await readHead(join(bare, 'below'))).toBeUndefined()
    expect(existsSync(marker)).toBe(false)
    plainly(plant, join(bare, 'below'))
    expect(existsSync(marker), 'the plant is dead').toBe(true)
  })

  test('a folder that looks like a bare repository does not lead git to one above it', async () => {
    const bare = join(sandbox.root, 'outer.git')
    sandbox.gitIn(sandbox.root, 'clone', '-q', '--bare', sandbox.folder, bare)
    const inner = join(bare, 'inner')
    for (const name of ['HEAD', 'objects', 'refs']) mkdirSync(join(inner, name), { recursive: true })
    expect(await readHead(bare)).toBe(head)
    expect(await readHead(inner)).toBeUndefined()
  })
})

describe('programs planted in the environment', () => {
  const SIGNATURE: readonly string[] = ['log']
  const environments: Readonly<
    Record<string, { env: () => Record<string, string>; live: readonly string[]; input?: string }>
  > = {
    // Relative, so it leads into the folder in which a program is started.
    PATH: {
      env: () => {
        sandbox.write({ git: `#!/bin/sh\nexec '${program}'\n` })
        chmodSync(join(sandbox.folder, 'git'), 0o755)
        return { PATH: `.${delimiter}${process.env['PATH'] ?? ''}` }
      },
      live: ['log'],
    },
    GIT_EXTERNAL_DIFF: { env: () => ({ GIT_EXTERNAL_DIFF: program }), live: SHOW_TWO },
    GIT_PAGER: { env: () => ({ GIT_PAGER: program }), live: PAGE },
    PAGER: { env: () => ({ PAGER: program }), live: PAGE },
    GIT_SSH: { env: () => ({ GIT_SSH: program }), live: ['ls-remote', 'ssh://example.com/x'] },
    GIT_SSH_COMMAND: { env: () => ({ GIT_SSH_COMMAND: program }), live: ['ls-remote', 'ssh://example.com/x'] },
    GIT_PROXY_COMMAND: { env: () => ({ GIT_PROXY_COMMAND: program }), live: ['ls-remote', 'git://example.com/x'] },
    GIT_ASKPASS: { env: () => ({ GIT_ASKPASS: program }), live: ['credential', 'fill'], input: ASK_PASSWORD },
    SSH_ASKPASS: { env: () => ({ SSH_ASKPASS: program }), live: ['credential', 'fill'], input: ASK_PASSWORD },
    GIT_EDITOR: { env: () => ({ GIT_EDITOR: program }), live: ['config', '--local', '--edit'] },
    EDITOR: { env: () => ({ EDITOR: program, TERM: 'xterm' }), live: ['config', '--local', '--edit'] },
    VISUAL: { env: () => ({ VISUAL: program, TERM: 'xterm' }), live: ['config', '--local', '--edit'] },
    GIT_TRACE: { env: () => ({ GIT_TRACE: marker }), live: ['log'] },
    GIT_TRACE2_EVENT: { env: () => ({ GIT_TRACE2_EVENT: marker }), live: ['log'] },
    GIT_CONFIG_COUNT: {
      env: () => ({
        GIT_CONFIG_COUNT: '2',
        GIT_CONFIG_KEY_0: 'gpg.program',
        GIT_CONFIG_VALUE_0: program,
        GIT_CONFIG_KEY_1: 'log.showSignature',
        GIT_CONFIG_VALUE_1: 'true',
      }),
      live: SIGNATURE,
    },
    GIT_CONFIG_PARAMETERS: {
      env: () => ({ GIT_CONFIG_PARAMETERS: `'gpg.program=${program}' 'log.showsignature=true'` }),
      live: SIGNATURE,
    },
    GIT_CONFIG_SYSTEM: {
      env: () => {
        const file = join(sandbox.root, 'system')
        writeFileSync(file, `[gpg]\n\tprogram = ${program}\n[log]\n\tshowSignature = true\n`)
        return { GIT_CONFIG_SYSTEM: file, GIT_CONFIG_NOSYSTEM: '0' }
      },
      live: SIGNATURE,
    },
  }

  test.each(Object.entries(environments))('the variable %s runs no program', async (_name, { env, live, input }) => {
    const planted = env()
    Object.assign(process.env, planted)
    const [, read] = await everything()
    expect(read).toEqual(['readHead', head])
    expect(existsSync(marker)).toBe(false)
    plainly({ plant: () => undefined, live, env, ...(input === undefined ? {} : { input }) })
    expect(existsSync(marker), 'the plant is dead').toBe(true)
  })
})

describe('settings of the user', () => {
  test.each(['of the repository', 'of the user'])(
    'preferences in the configuration %s change no answer',
    async (where) => {
      const below = join(sandbox.folder, 'docs')
      sandbox.write({ '.mailmap': 'Somebody <some@example.com> <aoi@example.com>\n' })
      const plain = await everything(below)
      writeFileSync(join(sandbox.root, 'order'), 'src/*\nREADME.md\n')
      const set = where === 'of the user' ? (userConfig(''), ['--file', join(sandbox.root, '.gitconfig')]) : ['--local']
      for (const [name, value] of Object.entries({ ...HOSTILE_SETTINGS, 'log.showSignature': 'true' }))
        sandbox.git('config', ...set, name, value)
      attributes(where === 'of the user' ? '' : '* -merge')
      expect(await everything(below)).toEqual(plain)
    },
  )

  test('a folder of another user is read once the user runs the line of the refusal', async () => {
    wrapGit('GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER')
    userConfig(`[gpg]\n\tprogram = ${program}\n[log]\n\tshowSignature = true\n`)
    const refused = await openCheckout(sandbox.folder)
    const line = refused.ok ? '' : (refused.failure.hint?.split('\n').at(-1)?.trim() ?? '')
    expect(line).toMatch(/^git config --global --add safe\.directory /)
    expect(await readHead(sandbox.folder)).toBeUndefined()
    const { GIT_CONFIG_GLOBAL: _, ...env } = sandbox.env()
    expect(spawnSync('sh', ['-c', line], { env }).status).toBe(0)
    expect(await openCheckout(sandbox.folder)).toMatchObject({ ok: true, value: { head } })
    expect(await readHead(sandbox.folder)).toBe(head)
    expect(existsSync(marker)).toBe(false)
    plainly({ plant: () => undefined, live: ['log'] })
    expect(existsSync(marker), 'the plant is dead').toBe(true)
  })

  test('a bare repository of another user is refused', async () => {
    const bare = join(sandbox.root, 'naked.git')
    sandbox.gitIn(sandbox.root, 'clone', '-q', '--bare', sandbox.folder, bare)
    wrapGit('GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER')
    expect(await openCheckout(bare)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('another user owns it') },
    })
  })

  test('a short form of addresses with quotes, backslashes and spaces is applied', async () => {
    userConfig('[url "https://github.com/o \\"q\\" \\\\b/"]\n\tinsteadOf = "gh \\"q\\" \\\\b:"\n')
    sandbox.git('remote', 'set-url', 'origin', 'gh "q" \\b:name')
    expect(await reader.readOriginAddress(gitIn(sandbox.folder))).toBe('https://github.com/o "q" \\b/name')
  })
})
