/**
 * No variable of the environment runs a command. Each test sets one of git's
 * variables that do, does everything that the product does with git, and then
 * shows that plain git would have run the command.
 */
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { ASK_PASSWORD, PAGE, SHOW_TWO, useHostileWorld } from '../../support/hostile-world.ts'

const world = useHostileWorld()

const SIGNATURE: readonly string[] = ['log']
const environments: Readonly<
  Record<string, { env: () => Record<string, string>; live: readonly string[]; input?: string }>
> = {
  // Relative, so it leads into the folder in which a program is started.
  PATH: {
    env: () => {
      world.sandbox.write({ git: `#!/bin/sh\nexec '${world.program}'\n` })
      chmodSync(join(world.sandbox.folder, 'git'), 0o755)
      return { PATH: `.${delimiter}${process.env['PATH'] ?? ''}` }
    },
    live: ['log'],
  },
  GIT_EXTERNAL_DIFF: { env: () => ({ GIT_EXTERNAL_DIFF: world.program }), live: SHOW_TWO },
  GIT_PAGER: { env: () => ({ GIT_PAGER: world.program }), live: PAGE },
  PAGER: { env: () => ({ PAGER: world.program }), live: PAGE },
  GIT_SSH: { env: () => ({ GIT_SSH: world.program }), live: ['ls-remote', 'ssh://example.com/x'] },
  GIT_SSH_COMMAND: { env: () => ({ GIT_SSH_COMMAND: world.program }), live: ['ls-remote', 'ssh://example.com/x'] },
  GIT_PROXY_COMMAND: { env: () => ({ GIT_PROXY_COMMAND: world.program }), live: ['ls-remote', 'git://example.com/x'] },
  GIT_ASKPASS: { env: () => ({ GIT_ASKPASS: world.program }), live: ['credential', 'fill'], input: ASK_PASSWORD },
  SSH_ASKPASS: { env: () => ({ SSH_ASKPASS: world.program }), live: ['credential', 'fill'], input: ASK_PASSWORD },
  GIT_EDITOR: { env: () => ({ GIT_EDITOR: world.program }), live: ['config', '--local', '--edit'] },
  EDITOR: { env: () => ({ EDITOR: world.program, TERM: 'xterm' }), live: ['config', '--local', '--edit'] },
  VISUAL: { env: () => ({ VISUAL: world.program, TERM: 'xterm' }), live: ['config', '--local', '--edit'] },
  GIT_TRACE: { env: () => ({ GIT_TRACE: world.marker }), live: ['log'] },
  GIT_TRACE2_EVENT: { env: () => ({ GIT_TRACE2_EVENT: world.marker }), live: ['log'] },
  GIT_CONFIG_COUNT: {
    env: () => ({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'gpg.program',
      GIT_CONFIG_VALUE_0: world.program,
      GIT_CONFIG_KEY_1: 'log.showSignature',
      GIT_CONFIG_VALUE_1: 'true',
    }),
    live: SIGNATURE,
  },
  GIT_CONFIG_PARAMETERS: {
    env: () => ({ GIT_CONFIG_PARAMETERS: `'gpg.program=${world.program}' 'log.showsignature=true'` }),
    live: SIGNATURE,
  },
  GIT_CONFIG_SYSTEM: {
    env: () => {
      const file = join(world.sandbox.root, 'system')
      writeFileSync(file, `[gpg]\n\tprogram = ${world.program}\n[log]\n\tshowSignature = true\n`)
      return { GIT_CONFIG_SYSTEM: file, GIT_CONFIG_NOSYSTEM: '0' }
    },
    live: SIGNATURE,
  },
}

test.each(Object.entries(environments))('the variable %s runs no program', async (_name, { env, live, input }) => {
  const planted = env()
  Object.assign(process.env, planted)
  const [, read] = await world.everything()
  expect(read).toEqual(['readHead', world.head])
  expect(existsSync(world.marker)).toBe(false)
  world.plainly({ live, env, ...(input === undefined ? {} : { input }) })
  expect(existsSync(world.marker), 'the plant is dead').toBe(true)
})
