/** Edits of repositories themselves, their releases and their wikis. */
import { createHash } from 'node:crypto'
import { encodePath, webUrlOf } from '../server/urls.ts'
import { releaseJson } from '../server/rest/rest-json.ts'
import { contextOf, deliver, need, nextId, touch, type EditContext } from './edit-context.ts'
import type { EditOf, EditResult } from './edit.ts'
import { headOf, resolveCommit } from './git-store.ts'
import { createRepository, findRepository, fullNameOf, personOf, type Release, type World } from './world.ts'
import type { Urls } from '../server/urls.ts'

export function addRepository(world: World, urls: Urls, edit: EditOf<'create_repository'>): EditResult {
  const [owner = '', name = ''] = edit.repo.split('/')
  const bearer = findRepository(world, edit.repo)
  if (bearer !== undefined && fullNameOf(bearer).toLowerCase() === edit.repo.toLowerCase()) {
    throw new Error(`${edit.repo} exists`)
  }
  personOf(world, owner)
  const repository = createRepository(edit.id ?? nextId(world) * 1000, owner, name, world.nowMs)
  repository.private = edit.private ?? false
  world.repositories.set(repository.id, repository)
  // A new repository takes its name from a redirect.
  world.names.set(edit.repo.toLowerCase(), repository.id)
  deliver(contextOf(world, urls, edit), 'repository', 'created', {})
  return { id: repository.id }
}

export function editRepository(context: EditContext, edit: EditOf<'edit_repository'>): EditResult {
  const { repository } = context
  touch(context, repository)
  if (edit.private !== undefined && edit.private !== repository.private) {
    repository.private = edit.private
    deliver(context, 'repository', edit.private ? 'privatized' : 'publicized', {})
  }
  if (edit.archived !== undefined && edit.archived !== repository.archived) {
    repository.archived = edit.archived
    deliver(context, 'repository', edit.archived ? 'archived' : 'unarchived', {})
  }
  if (edit.defaultBranch !== undefined && edit.defaultBranch !== repository.defaultBranch) {
    const changes = { default_branch: { from: repository.defaultBranch } }
    need(headOf(repository.git, edit.defaultBranch), `branch ${edit.defaultBranch}`)
    repository.defaultBranch = edit.defaultBranch
    deliver(context, 'repository', 'edited', { changes })
  }
  // Switching a feature sends nothing.
  repository.hasIssues = edit.hasIssues ?? repository.hasIssues
  repository.hasWiki = edit.hasWiki ?? repository.hasWiki
  return { id: repository.id }
}

/** The old name leads here until another repository takes it. */
export function renameRepository(context: EditContext, edit: EditOf<'rename_repository'>): EditResult {
  const { repository, world } = context
  const changes = { repository: { name: { from: repository.name } } }
  repository.name = edit.to
  world.names.set(fullNameOf(repository).toLowerCase(), repository.id)
  touch(context, repository)
  deliver(context, 'repository', 'renamed', { changes })
  return { id: repository.id }
}

export function transferRepository(context: EditContext, edit: EditOf<'transfer_repository'>): EditResult {
  const { repository, world } = context
  const { id, type } = personOf(world, repository.owner)
  const changes = { owner: { from: { user: { login: repository.owner, id, type } } } }
  repository.owner = edit.to
  world.names.set(fullNameOf(repository).toLowerCase(), repository.id)
  touch(context, repository)
  deliver(context, 'repository', 'transferred', { changes })
  return { id: repository.id }
}

export function deleteRepository(context: EditContext): EditResult {
  const { repository, world } = context
  deliver(context, 'repository', 'deleted', {})
  world.repositories.delete(repository.id)
  for (const [name, id] of world.names) if (id === repository.id) world.names.delete(name)
  return {}
}

export function ping(context: EditContext): EditResult {
  const { hookId: id } = context.world
  const hook = { type: 'Repository', id, name: 'web', active: true, events: ['*'] }
  deliver(context, 'ping', undefined, { zen: 'Keep it logically awesome.', hook_id: id, hook })
  return { id }
}

/** A draft has no tag in git yet; publishing makes the tag where there is none. */
export function putRelease(context: EditContext, edit: EditOf<'release'>): EditResult {
  const { repository, nowMs, world } = context
  const item: Release = {
    id: nextId(world),
    author: edit.author === undefined ? context.by : edit.author,
    association: 'OWNER',
    tag: edit.tag,
    name: edit.name ?? null,
    body: edit.body ?? null,
    draft: edit.draft ?? false,
    prerelease: edit.prerelease ?? false,
    target: edit.target ?? repository.defaultBranch,
    createdMs: nowMs,
    updatedMs: nowMs,
    publishedMs: null,
  }
  if (!item.draft && [...repository.releases.values()].some(({ tag, draft }) => tag === item.tag && !draft)) {
    throw new Error(`release ${item.tag} exists`)
  }
  repository.releases.set(item.id, item)
  deliverRelease(context, item, 'created')
  if (!item.draft) publish(context, item)
  return { id: item.id }
}

function deliverRelease(context: EditContext, item: Release, action: string, more: object = {}): void {
  // GitHub sends no event about a draft that someone writes.
  if (item.draft && action !== 'deleted') return
  deliver(context, 'release', action, { ...more, release: releaseJson(context, item) })
}

function publish(context: EditContext, item: Release): void {
  const { repository, nowMs } = context
  item.draft = false
  item.publishedMs ??= nowMs
  tagRelease(context, item)
  deliverRelease(context, item, 'published')
  deliverRelease(context, item, item.prerelease ? 'prereleased' : 'released')
  touch(context, repository)
}

function tagRelease({ repository: { git } }: EditContext, { tag, target }: Release): void {
  const head = resolveCommit(git, target)
  if (head !== undefined && !git.refs.has(`refs/tags/${tag}`)) git.refs.set(`refs/tags/${tag}`, head)
}

function releaseOf({ repository }: EditContext, tag: string): Release {
  return need(
    [...repository.releases.values()].find((one) => one.tag === tag),
    `release ${tag}`,
  )
}

export function editRelease(context: EditContext, edit: EditOf<'edit_release'>): EditResult {
  const item = releaseOf(context, edit.tag)
  const changes = {
    ...(edit.body !== undefined && { body: { from: item.body } }),
    ...(edit.name !== undefined && { name: { from: item.name } }),
    ...(edit.newTag !== undefined && { tag_name: { from: item.tag } }),
  }
  item.name = edit.name === undefined ? item.name : edit.name
  item.body = edit.body === undefined ? item.body : edit.body
  item.prerelease = edit.prerelease ?? item.prerelease
  item.tag = edit.newTag ?? item.tag
  touch(context, item)
  if (edit.draft === true && !item.draft) {
    deliverRelease(context, item, 'unpublished')
    item.draft = true
  } else if (edit.draft === false && item.draft) publish(context, item)
  else {
    if (!item.draft) tagRelease(context, item)
    deliverRelease(context, item, 'edited', { changes })
  }
  return { id: item.id }
}

/** The tag stays. */
export function deleteRelease(context: EditContext, edit: EditOf<'delete_release'>): EditResult {
  const item = releaseOf(context, edit.tag)
  context.repository.releases.delete(item.id)
  deliverRelease(context, item, 'deleted')
  return { id: item.id }
}

export function writeWiki(context: EditContext, edit: EditOf<'write_wiki'>): EditResult {
  const { pages } = context.repository.wiki
  const action = pages.has(edit.file) ? 'edited' : 'created'
  if (edit.text === null) {
    if (!pages.delete(edit.file)) throw new Error(`there is no page ${edit.file}`)
  } else pages.set(edit.file, edit.text)
  const sha = moveWiki(context)
  // GitHub sends nothing about a page that is deleted.
  if (edit.text !== null) deliverPage(context, edit.file, action, sha)
  return { sha }
}

export function renameWiki(context: EditContext, edit: EditOf<'rename_wiki'>): EditResult {
  const { pages } = context.repository.wiki
  const text = need(pages.get(edit.file), `page ${edit.file}`)
  pages.delete(edit.file)
  pages.set(edit.to, text)
  const sha = moveWiki(context)
  deliverPage(context, edit.to, 'edited', sha)
  return { sha }
}

function moveWiki({ repository: { wiki }, nowMs }: EditContext): string {
  const content = JSON.stringify([wiki.head, nowMs, [...wiki.pages]])
  wiki.head = createHash('sha1').update(content).digest('hex')
  return wiki.head
}

function deliverPage(context: EditContext, file: string, action: string, sha: string): void {
  const page = file.replace(/\.[^.]+$/, '')
  const html_url = `${webUrlOf(context.urls, context.repository)}/wiki/${encodePath(page)}`
  const title = page.replaceAll('-', ' ')
  deliver(context, 'gollum', undefined, { pages: [{ page_name: page, title, summary: null, action, sha, html_url }] })
}
