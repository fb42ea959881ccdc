/** A pull request: an issue with another web page. An import may replace an issue by the pull request of its number. */
import { PROSE, threadEntity, type DocumentSpec } from '../document-spec.ts'
import { issue } from './issue.ts'

export const pullRequest: DocumentSpec<'pull_request'> = {
  ...PROSE,
  idPrefix: issue.idPrefix,
  identity: issue.identity,
  required: [],
  optional: issue.optional,
  anchor: ({ identity }) => ({ kind: 'number', number: identity.number }),
  entity: ({ identity }) => threadEntity(identity.number),
  exactKeys: ({ identity }) => [{ kind: 'number', number: identity.number }],
  shownTitle: ({ title, number }) => title ?? `#${number}`,
  webPath: ({ number }) => `pull/${number}`,
}
