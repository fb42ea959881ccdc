/**
 * A scripted GitHub to look at and to try commands with:
 * `node test/support/github/serve.ts [--port N] [--sample] [--scale N]`. It prints
 * the settings of a product that reads it, and runs until it is stopped. Edits
 * (truth/edit.ts) can be posted while it runs, as a JSON list:
 * `curl -d '[{"do":"comment","repo":"acme/app","number":1,"body":"Hello"}]' ADDRESS/_control/sample/edit`.
 */
import { parseArgs } from 'node:util'
import { ScriptedGitHub } from './scripted-github.ts'
import { startScriptedServer } from './server/http-server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    sample: { type: 'boolean' },
    scale: { type: 'string', default: '1' },
  },
})

const server = await startScriptedServer(Number(values.port))
const github = await ScriptedGitHub.create(server.url, { id: 'sample', latencyMs: 20 })
const repo = 'acme/app'
if (values.sample === true) await github.fillSample(Number(values.scale))
else await github.edit({ do: 'create_repository', repo })
const settings = {
  GITHUB_REPOSITORIES: repo,
  GITHUB_TOKEN: github.token,
  GITHUB_API_URL: github.urls.api,
  GITHUB_GRAPHQL_URL: github.urls.graphql,
  GITHUB_SERVER_URL: github.urls.server,
  GITHUB_RAW_URL: github.urls.raw,
  GITHUB_WEBHOOK_SECRET: github.secret,
}
for (const [name, value] of Object.entries(settings)) console.log(`export ${name}=${value}`)
