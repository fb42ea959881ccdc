/** A release or a tag, found by its tag and by the version in it. */
import { encodeUrlPath } from '../../base/url-path.ts'
import { versionTerm } from '../../text/tokenize/identifiers.ts'
import { PROSE, type DocumentSpec } from '../document-spec.ts'

export const release: DocumentSpec<'release'> = {
  ...PROSE,
  idPrefix: 'r',
  identity: ['tag_name'],
  required: [],
  optional: ['prerelease', 'commit_sha', 'previous_tag', 'commit_count', 'generated', 'released'],
  anchor: ({ identity }) => ({ kind: 'tag', tag: identity.tagName }),
  entity: () => undefined,
  exactKeys({ identity }) {
    const version = versionOfTag(identity.tagName)
    const name = { kind: 'name', name: identity.tagName } as const
    return version === undefined ? [name] : [name, { kind: 'version', version }]
  },
  indexedTitle: ({ identity, title = '' }) => `${title} ${identity.tagName}`,
  shownTitle: ({ title, tagName }) => title ?? tagName,
  webPath: ({ tagName }) => `releases/tag/${encodeUrlPath(tagName)}`,
}

/** The version in `v1.2.3`, `core@1.2.3`, `core/v1.2.3`, `core-v1.2.3`. */
function versionOfTag(tag: string): string | undefined {
  return versionTerm(tag.replace(/^.*[@/]/, '').replace(/^[a-z][a-z_-]*-(?=v?\d)/i, ''))
}
