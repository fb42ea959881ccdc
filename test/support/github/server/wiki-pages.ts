/**
 * Wikis over plain HTTP, without a token: the list of pages as HTML, raw files,
 * and what git's wire protocol advertises. Only of public repositories.
 */
import { fullNameOf, type Repository } from '../truth/world.ts'
import type { RestReply } from './reply.ts'
import { webUrlOf, type Urls } from './urls.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const ABSENT: RestReply = { status: 404, text: 'Not Found', headers: TEXT }

const SPECIAL = /^_(?:Sidebar|Footer|Header)\./

function pageNameOf(file: string): string {
  return file.replace(/\.[^.]+$/, '')
}

/** GitHub's own slug in addresses: some characters of the file's name are lost. */
function toLossySlug(file: string): string {
  return pageNameOf(file)
    .replaceAll(' ', '-')
    .replace(/[^\p{L}\p{N}_.~'()!,-]/gu, '')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Without Home, special pages, and pages that a folder hides; in order of their names. */
export function wikiPageList(urls: Urls, repository: Repository): RestReply {
  const web = new URL(webUrlOf(urls, repository)).pathname
  if (repository.private) return ABSENT
  // The wiki's pages lead back to the project where there is no wiki.
  if (!repository.hasWiki) return { status: 302, headers: { location: webUrlOf(urls, repository) }, text: '' }
  if (repository.wiki.pages.size === 0) {
    return { status: 302, headers: { location: `${webUrlOf(urls, repository)}/wiki` }, text: '' }
  }
  const files = [...repository.wiki.pages.keys()].filter((file) => !SPECIAL.test(file) && pageNameOf(file) !== 'Home')
  const items = files.sort().map((file) => {
    const title = escapeHtml(pageNameOf(file).replaceAll('-', ' '))
    const href = `${web}/wiki/${encodeURI(toLossySlug(file))}`
    return [
      '<li class="wiki-page-link">',
      `<strong><a class="Link--primary" href="${escapeHtml(href)}">${title}</a></strong>`,
      '</li>',
    ].join('\n')
  })
  const html = [
    '<!DOCTYPE html>',
    `<html lang="en"><head><title>Pages · ${escapeHtml(fullNameOf(repository))} Wiki · GitHub</title></head><body>`,
    `<nav><a href="${web}/issues">Issues</a> <a href="${web}/wiki">Wiki</a></nav>`,
    '<h1 class="gh-header-title">Pages</h1>',
    `<div id="wiki-content"><ul class="list-style-none">\n${items.join('\n')}\n</ul></div>`,
    `<a href="${web}/wiki/_new">New page</a>`,
    '</body></html>',
  ]
  return { status: 200, headers: HTML, text: html.join('\n') }
}

/** `file` with its extension. A page's ETag is strong, as a file server's. */
export function rawWikiFile(repository: Repository, file: string): RestReply {
  const text = repository.private || !repository.hasWiki ? undefined : repository.wiki.pages.get(file)
  return text === undefined ? { ...ABSENT, text: '404: Not Found' } : { status: 200, headers: TEXT, text }
}

/** Any page answers, also for names without a file: the address proves nothing. */
export function renderedWikiPage(repository: Repository): RestReply {
  if (repository.private) return ABSENT
  return { status: 200, headers: HTML, text: '<!DOCTYPE html><html><body><h1>Wiki</h1></body></html>' }
}

/** Git asks for a password where a repository is private or does not exist. */
export function advertiseWiki(repository: Repository | undefined, service: string | null): RestReply {
  if (repository === undefined || repository.private) {
    const headers = { ...TEXT, 'www-authenticate': 'Basic realm="GitHub"' }
    return { status: 401, headers, text: 'Repository not found.' }
  }
  if (!repository.hasWiki || repository.wiki.head === null) {
    return { status: 404, headers: TEXT, text: 'Repository not found.' }
  }
  if (service !== 'git-upload-pack') return { status: 403, headers: TEXT, text: 'Please upgrade your git client.' }
  const { head } = repository.wiki
  const abilities = 'multi_ack thin-pack side-band-64k ofs-delta symref=HEAD:refs/heads/master object-format=sha1'
  const lines = [`${head} HEAD\0${abilities} agent=git/github-scripted\n`, `${head} refs/heads/master\n`]
  const text = `${toPacket('# service=git-upload-pack\n')}0000${lines.map(toPacket).join('')}0000`
  return {
    status: 200,
    headers: { 'content-type': 'application/x-git-upload-pack-advertisement', 'cache-control': 'no-cache' },
    text,
  }
}

function toPacket(line: string): string {
  return (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line
}
