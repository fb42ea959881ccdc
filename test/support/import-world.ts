/**
 * A checkout, a model of the server and the import between them, new for each
 * test. Call it at the top of a test file.
 */
import { afterEach, beforeEach } from 'vitest'
import { importCheckout } from '../../mcp-server/src/import/import-checkout.ts'
import type { ImportOptions, Summary } from '../../mcp-server/src/import/import-options.ts'
import type { Document } from '../../src/documents/document.ts'
import { AdminModel, TOKEN } from './admin-model.ts'
import { GitSandbox } from './git-sandbox.ts'

export interface ImportWorld {
  readonly model: AdminModel
  readonly sandbox: GitSandbox
  /** Imports the checkout of the sandbox, unless the options name another. */
  run(options?: Partial<ImportOptions>): Promise<Summary>
  /** The documents of a repository in the index, by default of the sandbox's. */
  contents(repo?: string): Document[]
  ofType(type: string): Document[]
  /** One line per document: its path or tag, and the status of a diff. */
  listed(type: string, repo?: string): string[]
}

export function useImportWorld(): ImportWorld {
  let model: AdminModel
  let endpoint: string
  let sandbox: GitSandbox
  process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
  beforeEach(async () => {
    model = new AdminModel()
    endpoint = await model.start()
    sandbox = new GitSandbox()
  })
  afterEach(async () => {
    await model.stop()
    sandbox.remove()
  })
  const contents = (repo = 'local/project'): Document[] => model.contents(repo)
  return {
    get model() {
      return model
    },
    get sandbox() {
      return sandbox
    },
    run: (options = {}) =>
      importCheckout({ path: sandbox.folder, endpoint, adminToken: TOKEN, retryPausesMs: [1, 1], ...options }),
    contents,
    ofType: (type) => contents().filter(({ identity }) => identity.type === type),
    listed: (type, repo) =>
      contents(repo).flatMap(({ identity, fileStatus }) => {
        if (identity.type !== type) return []
        const name = 'path' in identity ? identity.path : 'tagName' in identity ? identity.tagName : ''
        return [fileStatus === undefined ? name : `${name} ${fileStatus}`]
      }),
  }
}
