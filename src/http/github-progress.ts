/** How far GitHub is read, as HTML for the front page: a table for each repository, with a row for each surface. */
import type { RepositoryStatus, SurfaceStatus } from '../contracts/admin/status-contract.ts'
import { SURFACE_NAMES } from '../contracts/admin/surface-names.ts'
import { escapeHtml } from './html.ts'

/** True while a surface is not read to its end. */
export function isBeingRead(repositories: readonly RepositoryStatus[]): boolean {
  return repositories.some(({ surfaces }) => surfaces.some(({ state }) => state === 'reading' || state === 'waiting'))
}

/** A section of the page; empty without repositories. */
export function toReadingSection(repositories: readonly RepositoryStatus[]): string {
  if (repositories.length === 0) return ''
  return `<h2>Reading GitHub</h2>\n${repositories.map(toTable).join('\n')}\n`
}

function toTable({ repo, surfaces }: RepositoryStatus): string {
  const head = ['', 'state', 'in the index', 'read', ''].map((title) => `<th scope="col">${title}</th>`).join('')
  return `<table><caption>${escapeHtml(repo)}</caption><thead><tr>${head}</tr></thead><tbody>${surfaces.map(toRow).join('')}</tbody></table>`
}

function toRow({ surface, state, rows, done, total, last_error: error }: SurfaceStatus): string {
  const read = done === undefined || total === undefined ? '' : `${toCount(done)} of ${toCount(total)}`
  const numbers = [toCount(rows), read].map((text) => `<td class="number">${text}</td>`).join('')
  return `<tr><th scope="row">${SURFACE_NAMES[surface]}</th><td>${state}</td>${numbers}<td>${escapeHtml(error ?? '')}</td></tr>`
}

function toCount(count: number): string {
  return count.toLocaleString('en')
}
