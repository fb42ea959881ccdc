/**
 * The links of a text: Markdown links, `[[Page Name]]`, addresses on github.com,
 * `#12` and `owner/repo#12`, words that are the slug of a wiki page. Targets are
 * returned as written; whether they exist is not checked. Code links to nothing
 * (see markdown-code.ts). Time is linear in the text.
 */
import { decodeUrlText } from '../base/url-path.ts'
import { readGithubLink } from './question/github-links.ts'
import type { ExactReference } from './question/exact-reference.ts'
import { NUMBER, URL_TEXT } from './question/find-references.ts'
import { withoutCode } from './markdown-code.ts'
import { fold, normalise } from './tokenize/normalise.ts'
import { MAX_SLUG_CHARS } from './limits.ts'

/** `wiki_link` is `[[Page]]` or a Markdown link to a page, `slug` a page's slug among the words. */
export type LinkKind = 'closes' | 'wiki_link' | 'link' | 'mention' | 'slug'

/** `page` is folded by `pageKey`; `path` starts at the root of the repository. */
export type LinkTarget =
  | Exclude<ExactReference, { kind: 'name' | 'mention' | 'version' | 'wiki' }>
  | { kind: 'page'; page: string; repo?: string }

export interface TextLink {
  readonly kind: LinkKind
  readonly target: LinkTarget
}

/** The place of a text: the base of its relative links, and whether `[[Page]]` and slugs name pages. */
export type LinkSource =
  | { readonly at: 'wiki' }
  | { readonly at: 'root' }
  | { readonly at: 'file'; readonly path: string }

/** Strongest kinds first, each kind in the order of the text. May contain duplicates. */
export function linksOf(text: string, place: LinkSource): TextLink[] {
  const prose = withoutCode(text, isReStructuredText(place) ? 2 : 1)
  const links: TextLink[] = []
  // Addresses of threads are replaced by `repo#12`, others become links and are removed.
  let rest = prose.replace(DESTINATION, (whole, markdown?: string, reference?: string, html?: string) => {
    const destination = markdown ?? reference ?? html ?? ''
    if (/^https?:/i.test(destination)) return whole
    links.push(...relativeLinks(destination, place))
    return ' '
  })
  rest = rest.replaceAll('](', '] (').replace(URL_TEXT, (address) => {
    // A closing bracket that was opened before the address does not belong to it.
    const references = readGithubLink(address.replace(/^([^()]*)\).*$/, '$1'))?.references ?? []
    const [first] = references
    if (first?.kind === 'number') return ` ${first.repo ?? ''}#${first.number} `
    for (const reference of references) links.push(...toLink(reference))
    return ' '
  })
  if (place.at === 'wiki') {
    rest = rest.replace(WIKI_LINK, (_, inside: string) => {
      const page = inside.slice(inside.lastIndexOf('|') + 1).replace(/#.*$/, '')
      if (page.trim() !== '') links.push({ kind: 'wiki_link', target: { kind: 'page', page: pageKey(page) } })
      return ' '
    })
  }
  const closing = [...rest.matchAll(CLOSING)].map(([, repo, digits]) => thread('closes', digits, repo))
  const mentions = [...rest.matchAll(NUMBER)].map(([, repo, digits]) => thread('mention', digits, repo))
  const slugs = place.at === 'wiki' ? slugLinks(rest) : []
  return [...closing.flat(), ...links, ...mentions.flat(), ...slugs]
}

/** There one backtick begins a link (`` `text <address>`_ ``) and two begin code. */
function isReStructuredText(place: LinkSource): boolean {
  return place.at === 'file' && /\.rst$/i.test(place.path)
}

/** The key of a wiki page: without folder and file ending, letter case and spaces folded. */
export function pageKey(page: string): string {
  const name = page.trim().replace(/\/+$/, '')
  const last = name.slice(name.lastIndexOf('/') + 1).replace(/\.(?:md|markdown|rst|adoc|org|textile|mediawiki)$/i, '')
  return fold(normalise(last)).replace(/[\s-]+/g, '-')
}

/** The destination after `](`, the `]:` of a reference, or `href=`. Bounded, so that unclosed brackets stay cheap. */
const DESTINATION =
  /\]\(\s{0,9}<?([^\s<>)]{1,2000})|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,9}<?([^\s<>]{1,2000})|\bhref\s{0,9}=\s{0,9}["']([^"'\n]{1,2000})/gm
const WIKI_LINK = /\[\[([^[\]\n]{1,300})\]\]/g
const CLOSING =
  /(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s{1,9}(?:([\w-]{1,39}\/[\w.-]{1,100}))?#(\d{1,9})(?!\w)/gi

function thread(kind: 'closes' | 'mention', digits = '', repo?: string): TextLink[] {
  const number = Number(digits)
  return number > 0 ? [{ kind, target: { kind: 'number', number, ...(repo !== undefined && { repo }) } }] : []
}

function toLink(reference: ExactReference): TextLink[] {
  switch (reference.kind) {
    case 'name':
    case 'mention':
    case 'version':
      return []
    case 'wiki': {
      const { page, repo } = reference
      return [{ kind: 'link', target: { kind: 'page', page: pageKey(page), ...(repo !== undefined && { repo }) } }]
    }
    default:
      return [{ kind: 'link', target: reference }]
  }
}

function relativeLinks(destination: string, place: LinkSource): TextLink[] {
  const path = decodeUrlText(destination.replace(/[?#].*$/, ''))
  // Other schemes (`mailto:`), and places within the page.
  if (path === '' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return []
  const numbered = /(?:^|\/)(?:issues|pull|pulls)\/(\d{1,9})\/?$/.exec(path)
  if (numbered) return thread('mention', numbered[1])
  if (place.at === 'wiki') return [{ kind: 'wiki_link', target: { kind: 'page', page: pageKey(path) } }]
  const wiki = /(?:^|\/)wiki\/([^/]+)\/?$/.exec(path)
  const from = place.at === 'file' && !path.startsWith('/') ? place.path.split('/').slice(0, -1) : []
  const file: TextLink = { kind: 'link', target: { kind: 'path', path: resolved(from, path) } }
  return wiki?.[1] === undefined ? [file] : [file, { kind: 'link', target: { kind: 'page', page: pageKey(wiki[1]) } }]
}

function resolved(from: readonly string[], path: string): string {
  const parts = [...from]
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

const WORD = /[\p{L}\p{M}\p{N}_]+(?:-[\p{L}\p{M}\p{N}_]+)*/gu
/** UTF-16 units: in scripts without spaces a longer run is a sentence. */
const UNSPACED_SLUG_CHARS = 24

/** Words that look like slugs: compound words, or words beyond the Latin script. */
function slugLinks(text: string): TextLink[] {
  const links: TextLink[] = []
  for (const [word] of text.matchAll(WORD)) {
    if (word.length > MAX_SLUG_CHARS || !looksLikeSlug(word)) continue
    links.push({ kind: 'slug', target: { kind: 'page', page: pageKey(word) } })
  }
  return links
}

function looksLikeSlug(word: string): boolean {
  if (/^[\d_-]+$/.test(word) || ORDINARY.has(word.toLowerCase())) return false
  const compound = /[-_]|\p{Ll}\p{Lu}|\p{L}\d/u.test(word)
  return compound || (word.length > 1 && word.length <= UNSPACED_SLUG_CHARS && /[^\0-\u024F]/.test(word))
}

/** Hyphenated words of everyday English: a page may have this name, but the word does not link to it. */
const ORDINARY: ReadonlySet<string> = new Set(
  `add-on add-ons all-in-one back-end built-in built-ins by-product check-in check-out clean-up co-author co-op
  cut-off day-to-day de-facto double-check drop-down drop-in e-mail end-to-end end-user error-prone face-to-face
  fall-back follow-up follow-ups front-end full-text full-time get-together go-to hand-off hard-coded high-level
  how-to in-depth in-house in-line in-memory in-place know-how large-scale left-hand life-cycle log-in log-out
  long-running long-term look-up low-level must-have name-space non-empty non-zero old-style one-off one-time
  on-call on-demand on-line on-site open-source opt-in opt-out out-of-date over-the-air part-time per-user plug-in
  plug-ins pop-up post-mortem pre-built pre-release q-and-a read-me read-only read-write real-time real-world
  re-run re-use right-hand roll-back roll-out round-trip run-time self-contained set-up short-term side-by-side
  side-effect sign-in sign-off sign-up single-page so-called stand-alone start-up state-of-the-art step-by-step
  sub-directory third-party time-out time-outs to-do to-dos trade-off trade-offs trouble-shooting turn-key
  two-way up-front up-time up-to-date use-case use-cases user-friendly vice-versa warm-up web-site well-defined
  well-known wide-spread work-around work-arounds work-flow write-only x-axis y-axis`.split(/\s+/),
)
