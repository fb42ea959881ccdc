import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  parseCommandLine,
  toUsage,
  type CliCommand,
  type FlagTable,
} from '../../../../mcp-server/src/cli/terminal/command.ts'
import { IMPORT } from '../../../../mcp-server/src/cli/import.ts'
import { REBUILD } from '../../../../mcp-server/src/cli/rebuild.ts'
import { RENDER } from '../../../../mcp-server/src/cli/render.ts'
import { START } from '../../../../mcp-server/src/cli/start.ts'
import { STATUS } from '../../../../mcp-server/src/cli/status.ts'
import { dataFolder } from '../../../../mcp-server/src/local/data-folder.ts'

const COMMANDS = [START, IMPORT, REBUILD, STATUS, RENDER] as unknown as readonly CliCommand<FlagTable, unknown>[]

describe.each(COMMANDS)('npm run $name', (command) => {
  const argument = command.argument === undefined ? [] : [command.argument]

  test('the usage text names every flag and the exit codes, in lines of at most 80 characters', () => {
    const usage = toUsage(command)
    for (const name of [...Object.keys(command.flags), 'help']) expect(usage).toContain(`--${name}`)
    expect(usage).toContain('Exit code: 0 done')
    const narrow = usage.split('\n').filter((line) => !line.includes(dataFolder()))
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test('--help and -h ask for the usage text', () => {
    expect(parseCommandLine(command, ['--help'])).toBe('help')
    expect(parseCommandLine(command, ['-h'])).toBe('help')
  })

  test('an unknown flag, an empty value and an argument too many are refused by name', () => {
    expect(parseCommandLine(command, [...argument, '--prot', '1'])).toMatchObject(refusal('--prot'))
    const withValue = Object.entries(command.flags).filter(([, { type }]) => type === 'string')
    for (const [name] of withValue) {
      expect(parseCommandLine(command, [...argument, `--${name}=`])).toMatchObject(refusal(`--${name}`))
      expect(parseCommandLine(command, [...argument, `--${name}`])).toMatchObject(refusal(`--${name}`))
    }
    expect(parseCommandLine(command, [...argument, 'more'])).toMatchObject(refusal(command.argument ?? 'more'))
  })

  test('the command is the npm script of its name', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    const script =
      command.name === 'start' ? 'node scripts/bootstrap.mjs start' : `mcp-server/src/cli/${command.name}.ts`
    expect(scripts[command.name]).toContain(script)
  })
})

function refusal(name: string): object {
  return { ok: false, failure: { code: 'VALIDATION_ERROR', message: expect.stringContaining(name) as string } }
}

test('the commands that talk to a server take --url and --data alike', () => {
  for (const command of [IMPORT, REBUILD, STATUS] as unknown as readonly CliCommand<FlagTable, { server: unknown }>[]) {
    const parsed = parseCommandLine(command, ['--url', 'http://127.0.0.1:1', '--data', '/d'])
    expect(parsed).toMatchObject({ ok: true, value: { server: { url: 'http://127.0.0.1:1', folder: resolve('/d') } } })
    expect(parseCommandLine(command, ['--url', 'example.com'])).toMatchObject(refusal('--url'))
    const withPassword = parseCommandLine(command, ['--url', 'http://user:hunter2@127.0.0.1:1'])
    expect(withPassword).toMatchObject(refusal('--url'))
    expect(JSON.stringify(withPassword)).not.toContain('hunter2')
  }
})

test('start without flags takes the usual port and the current folder', () => {
  expect(parseCommandLine(START, [])).toEqual({
    ok: true,
    value: { folder: dataFolder(), port: 8787, checkouts: [process.cwd()], repositories: [], readsNothing: false },
  })
})

test('start takes several checkouts, or none with --no-index', () => {
  const args = ['--data', 'd', '--port', '0', '--repo', 'a', '--repo=b']
  const checkouts = ['a', 'b'].map((name) => join(process.cwd(), name))
  expect(parseCommandLine(START, args)).toMatchObject({ ok: true, value: { folder: resolve('d'), port: 0, checkouts } })
  expect(parseCommandLine(START, [...args, '--no-index'])).toMatchObject({ ok: true, value: { checkouts: [] } })
})

test('start with repositories on GitHub reads no checkout, unless one is named', () => {
  const args = ['--github', 'acme/app, acme/lib', '--github=acme/wiki.js']
  const repositories = ['acme/app', 'acme/lib', 'acme/wiki.js']
  expect(parseCommandLine(START, args)).toMatchObject({ ok: true, value: { checkouts: [], repositories } })
  const both = parseCommandLine(START, [...args, '--repo', 'a'])
  expect(both).toMatchObject({ ok: true, value: { checkouts: [join(process.cwd(), 'a')], repositories } })
  const none = parseCommandLine(START, [...args, '--no-index'])
  expect(none).toMatchObject({ ok: true, value: { repositories, readsNothing: true } })
})

test.each(['acme', 'acme/', 'https://github.com/acme/app', 'acme/app,', '../app', ''])(
  'start refuses the repository %j',
  (name) => {
    expect(parseCommandLine(START, [`--github=${name}`])).toMatchObject(refusal('--github'))
  },
)

test.each(['65536', '80a', '-1', '1.5'])('start refuses the port %s', (port) => {
  expect(parseCommandLine(START, [`--port=${port}`])).toMatchObject(refusal('--port'))
})
