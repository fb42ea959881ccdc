/** For test files on Node: a scripted GitHub for the file, and a folder and an end of every started product for each test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { ensureBundle } from '../../../mcp-server/src/local/bundle.ts'
import { endAll, type StartedServer } from '../started-server.ts'
import { ScriptedGitHub } from './scripted-github.ts'
import type { ScriptedServer } from './server/http-server.ts'
import { StartedProduct, startWithGitHub } from './started-product.ts'
import type { WorldSettings } from './truth/world.ts'
import { useScriptedServer } from './use-scripted-server.ts'

export interface StartWorld {
  /** A folder of this test. */
  readonly folder: string
  readonly server: Pick<ScriptedServer, 'url' | 'worlds'>
  /** A GitHub of its own. */
  createGitHub(settings?: Partial<WorldSettings>): Promise<ScriptedGitHub>
  /** One that has `acme/app` of ordinary size. */
  createSample(scale?: number): Promise<ScriptedGitHub>
  /** A product that reads nothing by itself, on a folder of the test. */
  serve(
    github: ScriptedGitHub,
    options?: { readonly data?: string; readonly environment?: Readonly<Record<string, string>> },
  ): Promise<{ readonly server: StartedServer; readonly product: StartedProduct }>
}

/** Call it at the top of a test file. Its tests start the product several times, on machines that may be busy. */
export function useStartWorld(): StartWorld {
  vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })
  let folder: string
  const server = useScriptedServer()
  beforeAll(async () => {
    const bundle = await ensureBundle(process.cwd())
    if (!bundle.ok) throw new Error(bundle.failure.message)
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kotodama-github-'))
  })
  afterEach(async () => {
    await endAll()
    rmSync(folder, { recursive: true, force: true })
  })
  afterAll(endAll)
  const createGitHub = (settings: Partial<WorldSettings> = {}) => ScriptedGitHub.create(server.url, settings)
  return {
    get folder() {
      return folder
    },
    server,
    createGitHub,
    async createSample(scale = 1) {
      const github = await createGitHub()
      await github.fillSample(scale)
      return github
    },
    async serve(github, { data = 'data', environment = {} } = {}) {
      const settings = { GITHUB_REPOSITORIES: 'acme/app', ...environment }
      const started = startWithGitHub(join(folder, data), github, ['--no-index'], settings)
      return { server: started, product: new StartedProduct(await started.serves()) }
    },
  }
}
