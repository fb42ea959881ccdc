/** A wiki page. Links name it by its slug and ignore letter case and folder. */
import { encodeUrlPath } from '../../base/url-path.ts'
import { linksOf, pageKey } from '../../text/links.ts'
import { PROSE, type DocumentSpec } from '../document-spec.ts'

export const wikiDoc: DocumentSpec<'wiki_doc'> = {
  ...PROSE,
  idPrefix: 'w',
  identity: ['wiki_path'],
  required: [],
  optional: [],
  anchor: ({ identity }) => ({ kind: 'page', page: pageKey(identity.path) }),
  links: ({ title = '', body }) => linksOf(`${title}\n\n${body}`, { at: 'wiki' }),
  entity: () => undefined,
  exactKeys: () => [],
  shownTitle: ({ path }) => path,
  webPath: ({ path }) => `wiki/${encodeUrlPath(path)}`,
}
