/**
 * The pages that the list of a wiki names. It names them by slugs that lose
 * characters, so the text of a link is the better name of the file; and it omits
 * the first page, Home.
 */
import { decodeUrlText } from '../../../base/url-path.ts'
import { WIKI_EXTENSIONS, wikiSlugOf } from '../../../documents/paths/document-files.ts'

const HOME = 'Home'

/** File names without extensions that a page may have, the likeliest first. */
export type PageNames = readonly string[]

/** `repository` is `owner/name`, after the path of a server that is below one. Pages of other repositories, and other links, are ignored. */
export function listPageNames(html: string, repository: string): PageNames[] {
  const pages = new Map<string, PageNames>([[HOME, [HOME]]])
  for (const { target, inside } of listLinks(html)) {
    const slug = slugOfLink(decodeEntities(target), repository)
    if (slug === undefined) continue
    const text = decodeEntities(inside.replace(/<[^<>]*>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim()
    const names = [...new Set([text.replaceAll(' ', '-'), slug, text])].filter(isPageName)
    const [first] = names
    if (first !== undefined && !pages.has(first)) pages.set(first, names)
  }
  return [...pages.values()]
}

/** Characters within a link that are read. */
const LINK_CHARS = 2_000

/** The links of a page, in time that is linear in its length. */
function* listLinks(html: string): Generator<{ readonly target: string; readonly inside: string }> {
  for (const match of html.matchAll(/<a\s([^<>]*)>/gi)) {
    const target = /(?:^|\s)href="([^"]*)"/i.exec(match[1] ?? '')?.[1]
    const start = match.index + match[0].length
    const rest = html.slice(start, start + LINK_CHARS)
    const end = rest.search(/<\/a>/i)
    if (target !== undefined && end !== -1) yield { target, inside: rest.slice(0, end) }
  }
}

function slugOfLink(address: string, repository: string): string | undefined {
  const path = decodeUrlText(address.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, ''))
  const start = `/${repository}/wiki/`
  if (path.slice(0, start.length).toLowerCase() !== start.toLowerCase()) return undefined
  const slug = path.slice(start.length)
  // Links to histories and editors have more parts, or begin with `_`.
  return isPageName(slug) ? slug : undefined
}

/** Names of files in which a page may be, the likeliest first. */
export function toFileNames(names: PageNames): string[] {
  return WIKI_EXTENSIONS.flatMap((extension) => names.map((name) => `${name}.${extension}`))
}

function isPageName(name: string): boolean {
  return name !== '' && !name.includes('/') && wikiSlugOf(`${name}.md`) !== undefined
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
