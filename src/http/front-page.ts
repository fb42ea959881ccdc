/**
 * `GET /`: what this server is and how to connect a client to it. One HTML page
 * without scripts and without anything loaded; its content security policy
 * allows its own style sheet and nothing else.
 */
import { sha256 } from '../base/hash.ts'
import type { RepositoryStatus } from '../contracts/admin/status-contract.ts'
import { listConnections } from '../contracts/connect.ts'
import { TOOLS } from '../contracts/index.ts'
import { SCHEMA_VERSION, VERSION } from '../contracts/version.ts'
import { readStatus } from './admin/status-route.ts'
import { isBeingRead, toReadingSection } from './github-progress.ts'
import { escapeHtml } from './html.ts'
import type { App, RouteRequest } from './route.ts'

export async function answerFrontPage({ url }: RouteRequest, app: App): Promise<Response> {
  return new Response(toHtml(new URL('/mcp', url).href, await readRepositories(app)), { headers: HEADERS })
}

/** The repositories that are read from GitHub. Only a person on this machine sees them; an index that does not answer shows none. */
async function readRepositories({ settings, ingest, now, log }: App): Promise<readonly RepositoryStatus[]> {
  if (settings.mode !== 'local') return []
  try {
    const status = await readStatus({}, { ingest, now, version: VERSION, schemaVersion: SCHEMA_VERSION })
    return status.ok ? status.value.repositories.filter(({ configured }) => configured) : []
  } catch (error) {
    log.error('front_page', { evidence: String(error) })
    return []
  }
}

/** Seconds between two looks at what is read. */
const RENEW_SECONDS = 5

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5a6474; --line: #d9dee6; --ground: #fbfbf9; --code: #f1f2ee; --mark: #b4472e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaee; --soft: #a0a9b8; --line: #333a46; --ground: #14171c; --code: #1d2128; --mark: #f0957d }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 17px/1.6 system-ui, sans-serif }
main { max-width: 44rem; margin: 0 auto; padding: 4rem 1.5rem 5rem }
h1 { margin: 0; font-size: 2.4rem; letter-spacing: -0.02em }
h1 span { color: var(--mark); font-weight: 400 }
h2 { margin: 2.6rem 0 0.6rem; padding-top: 1.2rem; border-top: 1px solid var(--line); font-size: 1.15rem }
h3 { margin: 1.4rem 0 0.3rem; font-size: 1rem }
p, dd { margin: 0.4rem 0; color: var(--soft) }
.lead { margin-top: 0.8rem; font-size: 1.15rem; color: var(--ink) }
pre { overflow-x: auto; margin: 0.4rem 0; padding: 0.8rem 1rem; border-radius: 8px; background: var(--code) }
code, pre { font: 14px/1.5 ui-monospace, monospace }
dt { margin-top: 0.8rem; font-weight: 600 }
dd { margin-left: 0 }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem }
caption { padding: 0.8rem 0 0.3rem; text-align: left; font-weight: 600 }
th, td { padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400 }
thead th { color: var(--soft) }
td.number { text-align: right; font-variant-numeric: tabular-nums }
footer { margin-top: 3rem; font-size: 0.9rem; color: var(--soft) }
a { color: inherit }
`

/** The digest of the style sheet as a content security policy names it: padded base64, not base64url. */
const STYLE_DIGEST = `${sha256(STYLE).replaceAll('-', '+').replaceAll('_', '/')}=`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_DIGEST}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** `endpoint` is the full URL of /mcp as this request reached it. The page renews itself while something is read. */
function toHtml(endpoint: string, repositories: readonly RepositoryStatus[]): string {
  const refresh = isBeingRead(repositories) ? `<meta http-equiv="refresh" content="${RENEW_SECONDS}">\n` : ''
  const tools = TOOLS.map(
    ({ name, title, description }) =>
      `<dt><code>${escapeHtml(name)}</code> ${escapeHtml(title)}</dt><dd>${escapeHtml(firstSentence(description))}</dd>`,
  )
  const connections = listConnections(endpoint).map(({ client, place, paste }) => {
    const text = typeof paste === 'string' ? paste : JSON.stringify(paste, null, 2)
    return `<h3>${escapeHtml(client)}</h3><p>${escapeHtml(place)}:</p><pre>${escapeHtml(text)}</pre>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}<title>Kotodama</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Kotodama <span lang="ja">言霊</span></h1>
<p class="lead">A project's history, served to AI hosts over the Model Context Protocol.</p>
<p>This page is for people. Clients talk to the endpoint:</p>
<pre>${escapeHtml(endpoint)}</pre>
${toReadingSection(repositories)}<h2>Tools</h2>
<dl>${tools.join('')}</dl>
<h2>Connect</h2>
${connections.join('\n')}
<footer>Version ${escapeHtml(VERSION)} · <a href="/health">health</a></footer>
</main>
</body>
</html>
`
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s)/s.exec(text)?.[0] ?? text
}
