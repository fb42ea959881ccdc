/** Trusted folders and short forms of addresses in the user's configuration have an effect, and no preference has. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHead } from '../../../mcp-server/src/cli/start/checkout-queries.ts'
import { readOriginAddress } from '../../../mcp-server/src/git/git-reader.ts'
import { gitIn } from '../../../mcp-server/src/git/run-git.ts'
import { openCheckout } from '../../../mcp-server/src/import/read/checkout.ts'
import { HOSTILE_SETTINGS } from '../../support/hostile-settings.ts'
import { useHostileWorld } from '../../support/hostile-world.ts'

const world = useHostileWorld()

test.each(['of the repository', 'of the user'])(
  'preferences in the configuration %s change no answer',
  async (where) => {
    const below = join(world.sandbox.folder, 'docs')
    world.sandbox.write({ '.mailmap': 'Somebody <some@example.com> <aoi@example.com>\n' })
    const plain = await world.everything(below)
    writeFileSync(join(world.sandbox.root, 'order'), 'src/*\nREADME.md\n')
    const set =
      where === 'of the user' ? (world.userConfig(''), ['--file', join(world.sandbox.root, '.gitconfig')]) : ['--local']
    for (const [name, value] of Object.entries({ ...HOSTILE_SETTINGS, 'log.showSignature': 'true' }))
      world.sandbox.git('config', ...set, name, value)
    world.attributes(where === 'of the user' ? '' : '* -merge')
    expect(await world.everything(below)).toEqual(plain)
  },
)

test('a folder of another user is read once the user runs the line of the refusal', async () => {
  world.wrapGit('GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER')
  world.userConfig(`[gpg]\n\tprogram = ${world.program}\n[log]\n\tshowSignature = true\n`)
  const refused = await openCheckout(world.sandbox.folder)
  const line = refused.ok ? '' : (refused.failure.hint?.split('\n').at(-1)?.trim() ?? '')
  expect(line).toMatch(/^git config --global --add safe\.directory /)
  expect(await readHead(world.sandbox.folder)).toBeUndefined()
  const { GIT_CONFIG_GLOBAL: _, ...env } = world.sandbox.env()
  expect(spawnSync('sh', ['-c', line], { env }).status).toBe(0)
  expect(await openCheckout(world.sandbox.folder)).toMatchObject({ ok: true, value: { head: world.head } })
  expect(await readHead(world.sandbox.folder)).toBe(world.head)
  expect(existsSync(world.marker)).toBe(false)
  world.plainly({ live: ['log'] })
  expect(existsSync(world.marker), 'the plant is dead').toBe(true)
})

test('a short form of addresses with quotes, backslashes and spaces is applied', async () => {
  world.userConfig('[url "https://github.com/o \\"q\\" \\\\b/"]\n\tinsteadOf = "gh \\"q\\" \\\\b:"\n')
  world.sandbox.git('remote', 'set-url', 'origin', 'gh "q" \\b:name')
  expect(await readOriginAddress(gitIn(world.sandbox.folder))).toBe('https://github.com/o "q" \\b/name')
})
