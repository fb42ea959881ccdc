import { expect, test } from 'vitest'
import { DEFAULT_PORT, parseStartOptions, USAGE } from '../../../../mcp-server/src/cli/start/start-options.ts'

test('without flags: the usual port, the current folder, indexing', () => {
  expect(parseStartOptions([])).toEqual({
    ok: true,
    value: { help: false, port: DEFAULT_PORT, repositories: [], index: true },
  })
})

test('every flag is taken and documented', () => {
  const args = ['--data', 'd', '--port', '0', '--repo', 'a', '--repo=b', '--no-index', '--help']
  expect(parseStartOptions(args)).toEqual({
    ok: true,
    value: { help: true, data: 'd', port: 0, repositories: ['a', 'b'], index: false },
  })
  for (const flag of ['--data', '--port', '--repo', '--no-index', '--help']) expect(USAGE).toContain(flag)
})

test.each([
  [['--prot', '1'], '--prot'],
  [['--port'], '--port'],
  [['--port', '65536'], '--port'],
  [['--port', '80a'], '--port'],
  [['--port', '-1'], '--port'],
  [['--port', ''], '--port'],
  [['--repo', ''], '--repo'],
  [['--data', ''], '--data'],
  [['here'], 'here'],
])('%j is refused by name', (args, name) => {
  const parsed = parseStartOptions(args)
  expect(parsed).toMatchObject({ ok: false, failure: { code: 'VALIDATION_ERROR' } })
  expect(!parsed.ok && parsed.failure.message).toContain(name)
})
