/** For test files on Node: a scripted GitHub in the process of the file, from its first test to its last. */
import { afterAll, beforeAll } from 'vitest'
import { startScriptedServer, type ScriptedServer } from './server/http-server.ts'

/** Call it at the top of a test file, once. The fields can be read within tests and hooks that follow. */
export function useScriptedServer(): Pick<ScriptedServer, 'url' | 'worlds'> {
  let server: ScriptedServer
  beforeAll(async () => {
    server = await startScriptedServer()
  })
  afterAll(() => server.close())
  return {
    get url() {
      return server.url
    },
    get worlds() {
      return server.worlds
    },
  }
}
