/** Edits of issues, pull requests, labels and milestones. */
import { issueJson, labelJson, milestoneJson, pullJson } from '../server/rest/rest-json.ts'
import { deliver, need, nextId, threadOf, touch, type EditContext } from './edit-context.ts'
import type { EditOf, EditResult } from './edit.ts'
import { mergeCommit } from './git-edits.ts'
import { headOf, NO_COMMIT, resolveCommit } from './git-store.ts'
import { findRepository, type Label, type Milestone, type Thread } from './world.ts'

export function openThread(context: EditContext, edit: EditOf<'open_issue'> | EditOf<'open_pull_request'>): EditResult {
  const { repository, nowMs } = context
  const number = ++repository.lastNumber
  const isPull = edit.do === 'open_pull_request'
  const baseRef = (isPull ? edit.base : undefined) ?? repository.defaultBranch
  const headRef = (isPull ? edit.head : undefined) ?? `change-${number}`
  const base = headOf(repository.git, baseRef) ?? NO_COMMIT
  const thread: Thread = {
    kind: isPull ? 'pull_request' : 'issue',
    number,
    id: nextId(context.world),
    title: edit.title,
    body: edit.body,
    author: edit.author === undefined ? context.by : edit.author,
    association: edit.association ?? 'NONE',
    state: edit.state ?? 'open',
    createdMs: nowMs,
    updatedMs: nowMs,
    closedMs: edit.state === 'closed' ? nowMs : null,
    labels: (edit.labels ?? []).map((name) => labelOf(context, name).id),
    milestone: edit.milestone == null ? null : milestoneOf(context, edit.milestone).number,
    assignees: [...(edit.assignees ?? [])],
    draft: edit.draft ?? false,
    mergedMs: null,
    mergeSha: null,
    headRef,
    headSha: isPull ? (resolveCommit(repository.git, headRef) ?? base) : NO_COMMIT,
    baseRef,
  }
  repository.threads.set(number, thread)
  deliverThread(context, thread, 'opened')
  return { number, id: thread.id }
}

/** Labels and milestones exist from their first use. */
function labelOf(context: EditContext, name: string): Label {
  const { labels } = context.repository
  const known = [...labels.values()].find((label) => label.name.toLowerCase() === name.toLowerCase())
  if (known !== undefined) return known
  const label = { id: nextId(context.world), name }
  labels.set(label.id, label)
  deliver(context, 'label', 'created', { label: labelJson(context, label) })
  return label
}

function milestoneOf(context: EditContext, title: string): Milestone {
  const { milestones } = context.repository
  const known = [...milestones.values()].find((milestone) => milestone.title === title)
  if (known !== undefined) return known
  const number = Math.max(0, ...milestones.keys()) + 1
  const milestone = { number, id: nextId(context.world), title }
  milestones.set(number, milestone)
  deliver(context, 'milestone', 'created', { milestone: milestoneJson(context, milestone) })
  return milestone
}

function deliverThread(context: EditContext, thread: Thread, action: string, more: object = {}): void {
  const isPull = thread.kind === 'pull_request'
  const content = isPull
    ? { number: thread.number, pull_request: pullJson(context, thread) }
    : { issue: issueJson(context, thread) }
  deliver(context, isPull ? 'pull_request' : 'issues', action, { ...content, ...more })
}

/** One delivery for each thing that changes, as GitHub sends them. */
export function editThread(context: EditContext, edit: EditOf<'edit_thread'>): EditResult {
  const thread = threadOf(context, edit.number)
  const { repository } = context
  touch(context, thread)
  const changes: Record<string, { from: string | null }> = {}
  if (edit.title !== undefined && edit.title !== thread.title) changes['title'] = { from: thread.title }
  if (edit.body !== undefined && edit.body !== thread.body) changes['body'] = { from: thread.body }
  thread.title = edit.title ?? thread.title
  thread.body = edit.body === undefined ? thread.body : edit.body
  if (Object.keys(changes).length > 0) deliverThread(context, thread, 'edited', { changes })
  if (edit.labels !== undefined) {
    const labels = edit.labels.map((name) => labelOf(context, name).id)
    const before = thread.labels
    thread.labels = [...before]
    for (const id of before.filter((one) => !labels.includes(one))) {
      thread.labels = thread.labels.filter((one) => one !== id)
      deliverThread(context, thread, 'unlabeled', labelChange(context, id))
    }
    for (const id of labels.filter((one) => !before.includes(one))) {
      thread.labels.push(id)
      deliverThread(context, thread, 'labeled', labelChange(context, id))
    }
  }
  if (edit.milestone !== undefined) {
    const before = repository.milestones.get(thread.milestone ?? 0)
    thread.milestone = edit.milestone === null ? null : milestoneOf(context, edit.milestone).number
    const now = repository.milestones.get(thread.milestone ?? 0)
    if (before !== undefined && before !== now) {
      deliverThread(context, thread, 'demilestoned', { milestone: milestoneJson(context, before) })
    }
    if (now !== undefined && before !== now) {
      deliverThread(context, thread, 'milestoned', { milestone: milestoneJson(context, now) })
    }
  }
  if (edit.assignees !== undefined) {
    thread.assignees = [...edit.assignees]
    deliverThread(context, thread, edit.assignees.length > 0 ? 'assigned' : 'unassigned')
  }
  if (edit.draft !== undefined && edit.draft !== thread.draft) {
    thread.draft = edit.draft
    deliverThread(context, thread, edit.draft ? 'converted_to_draft' : 'ready_for_review')
  }
  if (edit.state !== undefined && edit.state !== thread.state && thread.mergedMs === null) {
    thread.state = edit.state
    thread.closedMs = edit.state === 'closed' ? context.nowMs : null
    deliverThread(context, thread, edit.state === 'closed' ? 'closed' : 'reopened')
  }
  return { number: thread.number }
}

function labelChange(context: EditContext, id: number): object {
  const label = context.repository.labels.get(id)
  return label === undefined ? {} : { label: labelJson(context, label) }
}

export function mergePullRequest(context: EditContext, edit: EditOf<'merge_pull_request'>): EditResult {
  const thread = threadOf(context, edit.number)
  if (thread.kind !== 'pull_request' || thread.state === 'closed') throw new Error(`${edit.number} cannot be merged`)
  const sha = mergeCommit(context, thread, edit.method ?? 'merge')
  thread.state = 'closed'
  thread.mergedMs = context.nowMs
  thread.closedMs = context.nowMs
  thread.mergeSha = sha ?? null
  touch(context, thread)
  deliverThread(context, thread, 'closed')
  return { number: thread.number, ...(sha !== undefined && { sha }) }
}

/** Only issues can be deleted; everything under one goes with it, without deliveries of its own. */
export function deleteIssue(context: EditContext, edit: EditOf<'delete_issue'>): EditResult {
  const thread = threadOf(context, edit.number)
  if (thread.kind !== 'issue') throw new Error(`${edit.number} is a pull request, which cannot be deleted`)
  deliverThread(context, thread, 'deleted')
  dropThread(context, thread)
  context.repository.deletedNumbers.add(edit.number)
  return {}
}

function dropThread({ repository }: EditContext, { number }: Thread): void {
  repository.threads.delete(number)
  for (const [id, comment] of repository.comments) if (comment.number === number) repository.comments.delete(id)
}

/** The issue is made again in the other repository, with new ids. */
export function transferIssue(context: EditContext, edit: EditOf<'transfer_issue'>): EditResult {
  const { world, repository } = context
  const thread = threadOf(context, edit.number)
  const target = need(findRepository(world, edit.to), `repository ${edit.to}`)
  if (thread.kind !== 'issue' || target === repository) throw new Error(`${edit.number} cannot be transferred`)
  const there = { ...context, repository: target }
  const number = ++target.lastNumber
  const names = thread.labels.flatMap((id) => repository.labels.get(id)?.name ?? [])
  const labels = names.flatMap((name) => [...target.labels.values()].find((label) => label.name === name)?.id ?? [])
  const moved = { ...thread, id: nextId(world), number, labels, milestone: null, updatedMs: context.nowMs }
  target.threads.set(number, moved)
  for (const comment of repository.comments.values()) {
    if (comment.number !== edit.number) continue
    const id = nextId(world)
    target.comments.set(id, { ...comment, id, number })
  }
  deliver(there, 'issues', 'opened', { issue: issueJson(there, moved) })
  const changes = { new_issue: issueJson(there, moved) }
  deliverThread(context, thread, 'transferred', { changes })
  dropThread(context, thread)
  repository.transferred.set(edit.number, { repository: target.id, number })
  return { number, id: moved.id }
}

/** A label's or milestone's new name moves no thread's time. */
export function renameLabel(context: EditContext, edit: EditOf<'rename_label'>): EditResult {
  const label = labelOf(context, edit.name)
  const changes = { name: { from: label.name } }
  label.name = edit.to
  deliver(context, 'label', 'edited', { label: labelJson(context, label), changes })
  return { id: label.id }
}

export function deleteLabel(context: EditContext, edit: EditOf<'delete_label'>): EditResult {
  const label = labelOf(context, edit.name)
  context.repository.labels.delete(label.id)
  for (const thread of context.repository.threads.values()) {
    thread.labels = thread.labels.filter((id) => id !== label.id)
  }
  deliver(context, 'label', 'deleted', { label: labelJson(context, label) })
  return { id: label.id }
}

export function renameMilestone(context: EditContext, edit: EditOf<'rename_milestone'>): EditResult {
  const milestone = milestoneOf(context, edit.title)
  const changes = { title: { from: milestone.title } }
  milestone.title = edit.to
  deliver(context, 'milestone', 'edited', { milestone: milestoneJson(context, milestone), changes })
  return { number: milestone.number }
}

export function deleteMilestone(context: EditContext, edit: EditOf<'delete_milestone'>): EditResult {
  const milestone = milestoneOf(context, edit.title)
  context.repository.milestones.delete(milestone.number)
  for (const thread of context.repository.threads.values()) {
    if (thread.milestone === milestone.number) thread.milestone = null
  }
  deliver(context, 'milestone', 'deleted', { milestone: milestoneJson(context, milestone) })
  return { number: milestone.number }
}
