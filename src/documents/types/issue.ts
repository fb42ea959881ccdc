/** An issue. Issues and pull requests are numbered together; comments are separate documents. */
import { PROSE, threadEntity, type DocumentSpec } from '../document-spec.ts'

export const issue: DocumentSpec<'issue'> = {
  ...PROSE,
  idPrefix: 'i',
  identity: ['number'],
  required: [],
  optional: ['state', 'labels', 'milestone', 'assignees', 'merged', 'draft'],
  anchor: ({ identity }) => ({ kind: 'number', number: identity.number }),
  entity: ({ identity }) => threadEntity(identity.number),
  exactKeys: ({ identity }) => [{ kind: 'number', number: identity.number }],
  shownTitle: ({ title, number }) => title ?? `#${number}`,
  webPath: ({ number }) => `issues/${number}`,
}
