/**
 * A scripted GitHub for tests, on loopback: any number of worlds behind one
 * address. Run once for all tests by vitest's globalSetup; tests make their own
 * worlds with `ScriptedGitHub.create(inject('githubUrl'))`.
 */
import type { TestProject } from 'vitest/node'
import { startScriptedServer } from './github/server/http-server.ts'

/** vitest's globalSetup: the tests find the address by `inject('githubUrl')`. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startScriptedServer()
  provide('githubUrl', server.url)
  return () => server.close()
}

declare module 'vitest' {
  interface ProvidedContext {
    githubUrl: string
  }
}
