/**
 * No repository and no configuration of its user runs a command. Each test plants
 * one of git's ways to run one, does everything that the product does with git,
 * and then shows that plain git would have run the command.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ASK_PASSWORD, PAGE, SHOW_TWO, useHostileWorld, type PlainCommand } from '../../support/hostile-world.ts'

const world = useHostileWorld()

interface Plant extends PlainCommand {
  /** Puts the plant in place. */
  readonly plant: () => void
  /** The plant removes contents, so answers differ. */
  readonly lacking?: boolean
}

function loseReadme(): void {
  const blob = world.sandbox.git('rev-parse', 'HEAD:README.md')
  rmSync(join(world.sandbox.folder, '.git/objects', blob.slice(0, 2), blob.slice(2)))
}

/** A partial clone that lacks a blob, and would get it from here. */
function promisor(url: string): void {
  world.sandbox.git('config', 'core.repositoryFormatVersion', '1')
  world.sandbox.git('config', 'extensions.partialClone', 'far')
  world.sandbox.git('config', 'remote.far.promisor', 'true')
  world.sandbox.git('config', 'remote.far.url', url)
  world.config('protocol.ext.allow', 'always')
  world.config('protocol.file.allow', 'always')
  world.config('protocol.allow', 'always')
  loseReadme()
}

function hook(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\ntouch '${world.marker}'\n`)
  chmodSync(join(folder, name), 0o755)
}

const BUILTINS = ['cat-file', 'diff-tree', 'for-each-ref', 'log', 'ls-remote', 'ls-tree', 'merge-base', 'rev-list']

const PLANTS: Readonly<Record<string, Plant>> = {
  'core.fsmonitor': { plant: () => world.config('core.fsmonitor', world.program), live: ['status'] },
  'core.pager': { plant: () => world.config('core.pager', world.program), live: PAGE },
  'pager.<command>': {
    plant: () => ['log', ...BUILTINS].forEach((name) => world.config(`pager.${name}`, world.program)),
    live: ['log'],
    terminal: true,
  },
  textconv: {
    plant: () => (world.attributes('* diff=words'), world.config('diff.words.textconv', world.program)),
    live: SHOW_TWO,
  },
  'textconv that a commit asks for': {
    plant: () => {
      world.head = world.sandbox.commit('attributes', { '.gitattributes': '* diff=words filter=words\n' })
      world.config('diff.words.textconv', world.program)
    },
    live: ['diff', 'HEAD', 'HEAD~1'],
  },
  'diff.<driver>.command': {
    plant: () => (world.attributes('* diff=words'), world.config('diff.words.command', world.program)),
    live: SHOW_TWO,
  },
  'diff.external': { plant: () => world.config('diff.external', world.program), live: SHOW_TWO },
  'clean filter': {
    plant: () => (world.attributes('* filter=words'), world.config('filter.words.clean', world.program)),
    live: ['hash-object', '--path=README.md', 'README.md'],
  },
  'smudge filter': {
    plant: () => (world.attributes('* filter=words'), world.config('filter.words.smudge', world.program)),
    live: ['cat-file', '--filters', 'HEAD:README.md'],
  },
  'process filter': {
    plant: () => (world.attributes('* filter=words'), world.config('filter.words.process', world.program)),
    live: ['cat-file', '--filters', 'HEAD:README.md'],
  },
  'merge driver': {
    plant: () => {
      world.head = world.sandbox.commit('against the old one', { 'README.md': 'three\n' })
      world.attributes('* merge=words')
      world.config('merge.words.driver', world.program)
    },
    live: ['cherry-pick', '--no-commit', 'v1'],
  },
  'gpg.program': {
    plant: () => (world.config('gpg.program', world.program), world.config('log.showSignature', 'true')),
    live: ['log'],
  },
  'gpg.openpgp.program': {
    plant: () => (world.config('gpg.openpgp.program', world.program), world.config('log.showSignature', 'true')),
    live: ['log'],
  },
  'gpg.x509.program': {
    plant: () => {
      world.head = world.signed('SIGNED MESSAGE')
      world.config('gpg.x509.program', world.program)
      world.config('log.showSignature', 'true')
    },
    live: ['log'],
  },
  'gpg.ssh.program': {
    plant: () => {
      world.head = world.signed('SSH SIGNATURE')
      world.config('gpg.ssh.program', world.program)
      world.config('gpg.ssh.allowedSignersFile', '/dev/null')
      world.config('log.showSignature', 'true')
    },
    live: ['log'],
  },
  ...Object.fromEntries(
    ['post-checkout', 'post-index-change', 'reference-transaction'].map((name): [string, Plant] => [
      `hook ${name}`,
      {
        plant: () => hook(join(world.sandbox.folder, '.git/hooks'), name),
        live: ['checkout', '-b', 'other', 'HEAD~1'],
      },
    ]),
  ),
  'core.hooksPath': {
    plant: () => {
      for (const name of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-auto-gc']) {
        hook(join(world.sandbox.root, 'hooks'), name)
      }
      world.config('core.hooksPath', join(world.sandbox.root, 'hooks'))
    },
    live: ['update-ref', 'refs/heads/other', 'HEAD'],
  },
  'hook fsmonitor-watchman': {
    plant: () => {
      hook(join(world.sandbox.folder, '.git/hooks'), 'fsmonitor-watchman')
      world.config('core.fsmonitor', '.git/hooks/fsmonitor-watchman')
    },
    live: ['status'],
  },
  'core.sshCommand': {
    plant: () => (
      world.config('core.sshCommand', world.program),
      world.sandbox.git('remote', 'add', 'far', 'ssh://example.com/x')
    ),
    live: ['ls-remote', 'far'],
  },
  'core.gitProxy': {
    plant: () => (
      world.config('core.gitProxy', world.program),
      world.sandbox.git('remote', 'add', 'far', 'git://example.com/x')
    ),
    live: ['ls-remote', 'far'],
  },
  'remote.<name>.vcs': {
    plant: () => {
      world.config('protocol.ext.allow', 'always')
      world.sandbox.git('remote', 'add', 'far', `sh -c ${world.program}`)
      world.config('remote.far.vcs', 'ext')
    },
    live: ['ls-remote', 'far'],
  },
  alias: {
    plant: () =>
      ['story', 'rev-parse', 'symbolic-ref', ...BUILTINS].forEach((name) =>
        world.config(`alias.${name}`, `!${world.program}`),
      ),
    live: ['story'],
  },
  'include.path': {
    plant: () => {
      writeFileSync(
        join(world.sandbox.folder, 'more'),
        `[core]\n\tfsmonitor = ${world.program}\n[diff]\n\texternal = ${world.program}\n`,
      )
      world.config('include.path', '../more')
    },
    live: ['status'],
  },
  'includeIf.<condition>.path': {
    plant: () => {
      const text = `[gpg]\n\tprogram = ${world.program}\n[log]\n\tshowSignature = true\n`
      writeFileSync(join(world.sandbox.folder, 'more'), text)
      world.config('includeIf.onbranch:**.path', '../more')
      world.config('includeIf.gitdir:/**.path', '../more')
    },
    live: ['log'],
  },
  'configuration of a worktree': {
    plant: () => {
      world.config('extensions.worktreeConfig', 'true')
      writeFileSync(join(world.sandbox.folder, '.git/config.worktree'), `[core]\n\tfsmonitor = ${world.program}\n`)
    },
    live: ['status'],
  },
  'a promisor remote ext::': {
    plant: () => promisor(`ext::sh -c ${world.program}`),
    live: ['cat-file', '-p', 'HEAD:README.md'],
    lacking: true,
  },
  'a promisor remote ext::, for a git that does not know GIT_NO_LAZY_FETCH': {
    plant: () => (promisor(`ext::sh -c ${world.program}`), world.wrapGit('unset GIT_NO_LAZY_FETCH')),
    live: ['cat-file', '-p', 'HEAD:README.md'],
    lacking: true,
  },
  'remote.<name>.uploadpack of a promisor': {
    plant: () => {
      promisor(world.sandbox.folder)
      world.config('remote.far.uploadpack', world.program)
      world.wrapGit('unset GIT_NO_LAZY_FETCH')
    },
    live: ['cat-file', '-p', 'HEAD:README.md'],
    lacking: true,
  },
  'core.sshCommand of a promisor': {
    plant: () => {
      promisor('ssh://example.com/x')
      world.config('core.sshCommand', world.program)
      world.wrapGit('unset GIT_NO_LAZY_FETCH')
    },
    live: ['cat-file', '-p', 'HEAD:README.md'],
    lacking: true,
  },
  'credential.helper': {
    plant: () => world.config('credential.helper', `!${world.program}`),
    live: ['credential', 'fill'],
    input: ASK_PASSWORD,
  },
  'credential.<address>.helper': {
    plant: () => world.config('credential.https://example.com.helper', `!${world.program}`),
    live: ['credential', 'fill'],
    input: ASK_PASSWORD,
  },
  'core.askPass': {
    plant: () => world.config('core.askPass', world.program),
    live: ['credential', 'fill'],
    input: ASK_PASSWORD,
  },
  'core.editor': { plant: () => world.config('core.editor', world.program), live: ['config', '--local', '--edit'] },
  'sequence.editor': {
    plant: () => world.config('sequence.editor', world.program),
    live: ['-c', 'user.name=a', '-c', 'user.email=b', 'rebase', '-i', 'HEAD~1'],
  },
  'core.alternateRefsCommand': {
    plant: () => {
      const other = join(world.sandbox.root, 'other')
      world.sandbox.gitIn(world.sandbox.root, 'clone', '-q', world.sandbox.folder, other)
      writeFileSync(join(world.sandbox.folder, '.git/objects/info/alternates'), `${other}/.git/objects\n`)
      world.config('core.alternateRefsCommand', world.program)
    },
    live: ['receive-pack', '.'],
  },
  'interactive.diffFilter': {
    plant: () => (
      world.config('interactive.diffFilter', world.program),
      world.sandbox.write({ 'README.md': 'changed\n' })
    ),
    live: ['add', '--patch'],
    terminal: true,
    input: 'q\n',
  },
  // These two work in the user's configuration only.
  'uploadpack.packObjectsHook': {
    plant: () => world.userConfig(`[uploadpack]\n\tpackObjectsHook = ${world.program}\n`),
    live: ['clone', '--no-local', '.', '../clone'],
  },
  'trace2.eventTarget': {
    plant: () =>
      world.userConfig(
        `[trace2]\n\teventTarget = ${world.marker}\n\tnormalTarget = ${world.marker}\n\tperfTarget = ${world.marker}\n`,
      ),
    live: ['log'],
  },
}

// Only Linux has a tool that gives a plain command a terminal.
const terminals = process.platform === 'linux'
const plants = Object.entries(PLANTS).filter(([, { terminal }]) => terminals || terminal !== true)

test.each(plants)('%s in the configuration or the tree runs no program', async (_name, planted) => {
  planted.plant()
  rmSync(world.marker, { force: true })
  const [before, ...answers] = [world.head, ...(await world.everything())]
  expect(existsSync(world.marker)).toBe(false)
  // Git has answered: the marker is not missing because git failed.
  expect(answers.slice(0, 2)).toEqual([
    ['readPlace', expect.objectContaining({ bare: false })],
    ['readHead', before],
  ])
  const failures = answers.filter((answer) => Array.isArray(answer) && String(answer[1]).startsWith('git '))
  expect(failures.length > 0).toBe(planted.lacking === true)
  world.plainly(planted)
  expect(existsSync(world.marker), 'the plant is dead').toBe(true)
})
