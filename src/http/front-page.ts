/**
 * `GET /`: what this server is and how to connect a client to it. One HTML page
 * without scripts and without anything loaded; its content security policy
 * allows its own style sheet and nothing else.
 */
import { sha256 } from '../base/hash.ts'
import { listConnections } from '../contracts/connect.ts'
import { TOOLS } from '../contracts/index.ts'
import { VERSION } from '../contracts/version.ts'
import type { RouteRequest } from './route.ts'

export function answerFrontPage({ url }: RouteRequest): Response {
  return new Response(toHtml(new URL('/mcp', url).href), { headers: HEADERS })
}

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

/** `endpoint` is the full URL of /mcp as this request reached it. */
function toHtml(endpoint: string): string {
  const tools = TOOLS.map(
    ({ name, title, description }) =>
      `<dt><code>${escape(name)}</code> ${escape(title)}</dt><dd>${escape(firstSentence(description))}</dd>`,
  )
  const connections = listConnections(endpoint).map(({ client, place, paste }) => {
    const text = typeof paste === 'string' ? paste : JSON.stringify(paste, null, 2)
    return `<h3>${escape(client)}</h3><p>${escape(place)}:</p><pre>${escape(text)}</pre>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kotodama</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Kotodama <span lang="ja">言霊</span></h1>
<p class="lead">A project's history, served to AI hosts over the Model Context Protocol.</p>
<p>This page is for people. Clients talk to the endpoint:</p>
<pre>${escape(endpoint)}</pre>
<h2>Tools</h2>
<dl>${tools.join('')}</dl>
<h2>Connect</h2>
${connections.join('\n')}
<footer>Version ${escape(VERSION)} · <a href="/health">health</a></footer>
</main>
</body>
</html>
`
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s)/s.exec(text)?.[0] ?? text
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
