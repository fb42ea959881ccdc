/** The connections of MCP clients as lines to paste from a terminal. */
import { listConnections } from '../../../../src/contracts/connect.ts'

export function toConnectText(endpoint: string): string {
  return listConnections(endpoint)
    .map(({ client, place, paste }) => {
      const text = typeof paste === 'string' ? paste : JSON.stringify(paste)
      return `${client}. ${place}:\n  ${text}`
    })
    .join('\n\n')
}
