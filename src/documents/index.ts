/** The registry of document types. A type without a line here does not compile. */
import { DOCUMENT_TYPES, type DocumentType } from '../base/vocabulary.ts'
import type { DocumentSpec } from './document-spec.ts'
import { COMMON_FIELDS, type FieldName } from './fields.ts'
import { commit } from './types/commit.ts'
import { diff } from './types/diff.ts'
import { doc } from './types/doc.ts'
import { issue } from './types/issue.ts'
import { issueComment } from './types/issue-comment.ts'
import { prReview } from './types/pr-review.ts'
import { prReviewComment } from './types/pr-review-comment.ts'
import { pullRequest } from './types/pull-request.ts'
import { release } from './types/release.ts'
import { wikiDoc } from './types/wiki-doc.ts'

const SPECS: { readonly [Type in DocumentType]: DocumentSpec<Type> } = {
  issue,
  pull_request: pullRequest,
  release,
  doc,
  wiki_doc: wikiDoc,
  commit,
  diff,
  issue_comment: issueComment,
  pr_review: prReview,
  pr_review_comment: prReviewComment,
}

/** The spec of a type. Pass its functions only documents and rows of that type. */
export function specOf(type: DocumentType): DocumentSpec {
  return SPECS[type]
}

const FIELDS_OF = new Map(
  DOCUMENT_TYPES.map((type): [DocumentType, readonly FieldName[]] => {
    const { identity, required, optional } = specOf(type)
    return [type, [...identity, ...required, ...optional, ...COMMON_FIELDS]]
  }),
)

/** Every field that a document of the type may have, the identity first. */
export function fieldsOf(type: DocumentType): readonly FieldName[] {
  return FIELDS_OF.get(type)!
}
