/**
 * An exact reference: a part of a question that names one thing, looked up by key
 * beside the words. `repo` is `owner/name` or a bare name, as written. A `mention`
 * is a file's name inside a sentence: a hint, not what the question asks for.
 */
import type { DocumentType } from '../../base/vocabulary.ts'

export type ExactReference =
  | { readonly kind: 'number'; readonly number: number; readonly repo?: string }
  | { readonly kind: 'comment'; readonly type: DocumentType; readonly id: number; readonly repo?: string }
  | { readonly kind: 'commit'; readonly sha: string; readonly repo?: string }
  | { readonly kind: 'path'; readonly path: string; readonly repo?: string }
  | { readonly kind: 'wiki'; readonly page: string; readonly repo?: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly repo?: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'mention'; readonly name: string }
  | { readonly kind: 'version'; readonly version: string }
