/** A documentation page in the repository. The diffs of its file belong to the same entity. */
import { encodeUrlPath } from '../../base/url-path.ts'
import { linksOf } from '../../text/links.ts'
import { fileEntity, PROSE, type DocumentSpec } from '../document-spec.ts'

export const doc: DocumentSpec<'doc'> = {
  ...PROSE,
  idPrefix: 'd',
  identity: ['doc_path'],
  required: [],
  optional: [],
  anchor: ({ identity }) => ({ kind: 'path', path: identity.path }),
  links: ({ identity, title = '', body }) => linksOf(`${title}\n\n${body}`, { at: 'file', path: identity.path }),
  entity: ({ identity }) => fileEntity(identity.path),
  exactKeys: () => [],
  shownTitle: ({ path }) => path,
  webPath: ({ path, defaultBranch = 'HEAD' }) => `blob/${encodeUrlPath(defaultBranch)}/${encodeUrlPath(path)}`,
}
