/**
 * `vector_id`, the public handle of a document: `<prefix>:` and the SHA-256 of
 * the repository's id and the identity's fields. They are joined by NUL, so that
 * "a b" + "c" differs from "a" + "b c".
 */
import type { Identity } from '../../documents/document.ts'
import { FIELDS, type FieldValues } from '../../documents/fields.ts'
import { specOf } from '../../documents/index.ts'
import { toNameKey } from '../../base/repository-name.ts'
import { sha256, sha256Int48 } from '../../base/hash.ts'

/** At most 46 characters. */
export function vectorIdOf(identity: Identity, repoId: number): string {
  const { idPrefix, identity: names } = specOf(identity.type)
  const values: FieldValues = identity
  const parts = names.map((name) => values[FIELDS[name].property])
  return `${idPrefix}:${sha256([idPrefix, repoId, ...parts].join('\0'))}`
}

/** The id of a repository whose GitHub id is not known: negative, from its lower-case name. */
export function derivedRepoId(name: string): number {
  return -(sha256Int48(toNameKey(name)) + 1)
}
