/**
 * How each MCP client is connected to a server, as data. The front page and
 * `npm start` print it in their own form.
 */

interface ClientConnection {
  readonly client: string
  /** Where `paste` goes. */
  readonly place: string
  /** A command line, or a JSON value for a configuration file. */
  readonly paste: string | object
}

/** `endpoint` is the full URL of /mcp. */
export function listConnections(endpoint: string): readonly ClientConnection[] {
  return [
    {
      client: 'Claude Code',
      place: 'In a terminal',
      paste: `claude mcp add --transport http kotodama ${endpoint}`,
    },
    {
      client: 'Claude Desktop',
      // Its custom connectors are called from the internet, so a server on this machine needs mcp-remote.
      place: 'In claude_desktop_config.json (Settings, Developer, Edit Config)',
      paste: { mcpServers: { kotodama: { command: 'npx', args: ['-y', 'mcp-remote', endpoint] } } },
    },
    {
      client: 'Cursor',
      place: 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json',
      paste: { mcpServers: { kotodama: { url: endpoint } } },
    },
    {
      client: 'VS Code',
      place: 'In .vscode/mcp.json of a workspace',
      paste: { servers: { kotodama: { type: 'http', url: endpoint } } },
    },
  ]
}
