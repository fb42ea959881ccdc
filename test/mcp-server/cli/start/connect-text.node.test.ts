import { expect, test } from 'vitest'
import { toConnectText } from '../../../../mcp-server/src/cli/start/connect-text.ts'

test('the text of npm start has a command and JSON to paste for each client, with the endpoint', () => {
  const endpoint = 'http://127.0.0.1:8787/mcp'
  const lines = toConnectText(endpoint).split('\n')
  expect(lines).toContain(`  claude mcp add --transport http kotodama ${endpoint}`)
  const settings = lines.filter((line) => line.startsWith('  {')).map((line): unknown => JSON.parse(line))
  expect(settings).toEqual([
    { mcpServers: { kotodama: { command: 'npx', args: ['-y', 'mcp-remote', endpoint] } } },
    { mcpServers: { kotodama: { url: endpoint } } },
    { servers: { kotodama: { type: 'http', url: endpoint } } },
  ])
})
