/**
 * The built Worker with an index of its own, empty at first, for all tests of a
 * file: checkouts are imported into it and searched over MCP. Call it at the top
 * of a test file.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll } from 'vitest'
import type { ClientOptions } from '../../mcp-server/src/admin-client.ts'
import { ensureBundle } from '../../mcp-server/src/local/bundle.ts'
import { startEmbeddedWorker, type EmbeddedWorker } from '../../mcp-server/src/local/embedded-worker.ts'
import type { HybridAnswer } from '../../src/contracts/tools/search-answers.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const ADMIN_TOKEN = 'feature-token-0123456789abcdef'

export interface StartedWorker {
  /** For imports into its index. */
  readonly target: Pick<ClientOptions, 'endpoint' | 'adminToken'>
  /** The rows that a search finds. */
  search(args: Readonly<Record<string, unknown>>): Promise<HybridAnswer['results']>
}

export function useStartedWorker(): StartedWorker {
  let state: string
  let worker: EmbeddedWorker
  let client: Client
  process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
  beforeAll(async () => {
    state = mkdtempSync(join(tmpdir(), 'started-worker-'))
    const bundle = await ensureBundle(ROOT)
    if (!bundle.ok) throw new Error(bundle.failure.message)
    const started = await startEmbeddedWorker({
      script: bundle.value,
      migrations: join(ROOT, 'migrations'),
      state,
      port: 0,
      bindings: { AUTH_MODE: 'local', ADMIN_TOKEN },
    })
    if (!started.ok) throw new Error(started.failure.message)
    worker = started.value
    client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${worker.origin}/mcp`)))
  }, 180_000)
  afterAll(async () => {
    await client.close()
    await worker.dispose()
    rmSync(state, { recursive: true, force: true })
  })
  return {
    get target() {
      return { endpoint: worker.origin, adminToken: ADMIN_TOKEN }
    },
    async search(args) {
      const { structuredContent } = await client.callTool({ name: 'search', arguments: args })
      return (structuredContent as unknown as HybridAnswer).results
    },
  }
}
