/** A bare repository is read when its own folder is named and its owner is trusted, and only then. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHead } from '../../../mcp-server/src/cli/start/checkout-queries.ts'
import { openCheckout } from '../../../mcp-server/src/import/read/checkout.ts'
import { useHostileWorld } from '../../support/hostile-world.ts'

const world = useHostileWorld()

test('a bare repository in a sub-folder is read when it is named, and not when git meets it on its way up', async () => {
  const bare = join(world.sandbox.folder, 'docs/naked')
  world.sandbox.gitIn(world.sandbox.root, 'clone', '-q', '--bare', world.sandbox.folder, bare)
  mkdirSync(join(bare, 'below'))
  world.sandbox.gitIn(bare, 'config', 'gpg.program', world.program)
  world.sandbox.gitIn(bare, 'config', 'log.showSignature', 'true')
  const [place, read] = await world.everything(bare)
  expect([place, read]).toEqual([
    ['readPlace', expect.objectContaining({ bare: true })],
    ['readHead', world.head],
  ])
  expect(await openCheckout(join(bare, 'below'))).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('safe.bareRepository') },
  })
  await world.everything(join(bare, 'below'))
  expect(await readHead(join(bare, 'below'))).toBeUndefined()
  expect(existsSync(world.marker)).toBe(false)
  world.plainly({ live: ['log'] }, join(bare, 'below'))
  expect(existsSync(world.marker), 'the plant is dead').toBe(true)
})

test('a folder that looks like a bare repository does not lead git to one above it', async () => {
  const bare = join(world.sandbox.root, 'outer.git')
  world.sandbox.gitIn(world.sandbox.root, 'clone', '-q', '--bare', world.sandbox.folder, bare)
  const inner = join(bare, 'inner')
  for (const name of ['HEAD', 'objects', 'refs']) mkdirSync(join(inner, name), { recursive: true })
  expect(await readHead(bare)).toBe(world.head)
  expect(await readHead(inner)).toBeUndefined()
})

test('a bare repository of another user is refused', async () => {
  const bare = join(world.sandbox.root, 'naked.git')
  world.sandbox.gitIn(world.sandbox.root, 'clone', '-q', '--bare', world.sandbox.folder, bare)
  world.wrapGit('GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER')
  expect(await openCheckout(bare)).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('another user owns it') },
  })
})
