/** What to paste where, so that an MCP host finds the server at `endpoint`. */

export function connectLines(endpoint: string): string {
  return `Claude Code:
  claude mcp add --transport http kotodama ${endpoint}

Claude Desktop (Settings > Developer > Edit Config; its custom connectors are
called from the internet, so an address of this machine goes through mcp-remote):
  ${JSON.stringify({ mcpServers: { kotodama: { command: 'npx', args: ['-y', 'mcp-remote', endpoint] } } })}

Cursor (~/.cursor/mcp.json):
  ${JSON.stringify({ mcpServers: { kotodama: { url: endpoint } } })}

VS Code (.vscode/mcp.json):
  ${JSON.stringify({ servers: { kotodama: { type: 'http', url: endpoint } } })}`
}
