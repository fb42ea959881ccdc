/**
 * Changes on GitHub, as plain JSON: each edit changes the truth as
 * GitHub would, moves the times that GitHub moves, and logs the deliveries that
 * GitHub would send. `repo` is `owner/name`.
 */
import type { ReviewState } from './world.ts'

interface OfRepository {
  readonly repo: string
  /** Who does it; the owner if absent. */
  readonly by?: string
  /** Seconds that pass before it; 1 if absent, 0 for the same second as the last edit. */
  readonly afterS?: number
}

interface OfThread extends OfRepository {
  readonly number: number
}

interface OfId extends OfRepository {
  readonly id: number
}

interface Words {
  readonly body: string | null
  /** A login; null for a deleted account; `by` if absent. */
  readonly author?: string | null
  readonly association?: string
}

interface ThreadFields {
  readonly title?: string
  readonly body?: string | null
  readonly state?: 'open' | 'closed'
  /** Names of labels; those that do not exist are made. */
  readonly labels?: readonly string[]
  /** Title of a milestone, made when there is none; null takes it away. */
  readonly milestone?: string | null
  readonly assignees?: readonly string[]
  readonly draft?: boolean
}

export interface FileContent {
  readonly text?: string
  /** Bytes that are no text. */
  readonly base64?: string
  /** A submodule's commit. */
  readonly submodule?: string
  readonly mode?: '100644' | '100755' | '120000'
}

interface CommitFields extends OfRepository {
  readonly message: string
  /** By path; null removes the file. */
  readonly files: Readonly<Record<string, FileContent | string | null>>
  /** The default branch if absent; made when there is none. */
  readonly branch?: string
  /** Commits or branches: the branch's head if absent; empty for a root commit. */
  readonly parents?: readonly string[]
  readonly author?: string
  /** A commit's own dates may be far from the time of its push. */
  readonly authoredMs?: number
  readonly committedMs?: number
}

interface ReleaseFields {
  readonly name?: string | null
  readonly body?: string | null
  readonly draft?: boolean
  readonly prerelease?: boolean
}

export type Edit =
  | ({ readonly do: 'create_repository'; readonly private?: boolean; readonly id?: number } & OfRepository)
  | ({
      readonly do: 'edit_repository'
      readonly private?: boolean
      readonly archived?: boolean
      readonly hasIssues?: boolean
      readonly hasWiki?: boolean
      readonly defaultBranch?: string
    } & OfRepository)
  | ({ readonly do: 'rename_repository'; readonly to: string } & OfRepository)
  | ({ readonly do: 'transfer_repository'; readonly to: string } & OfRepository)
  | ({ readonly do: 'delete_repository' } & OfRepository)
  /** The delivery that a new webhook sends. */
  | ({ readonly do: 'ping' } & OfRepository)
  | ({ readonly do: 'open_issue'; readonly title: string } & OfRepository & ThreadFields & Words)
  | ({
      readonly do: 'open_pull_request'
      readonly title: string
      /** A branch; one that leads to the head of the base if absent. */
      readonly head?: string
      readonly base?: string
    } & OfRepository &
      ThreadFields &
      Words)
  | ({ readonly do: 'edit_thread' } & OfThread & ThreadFields)
  | ({ readonly do: 'merge_pull_request'; readonly method?: 'merge' | 'squash' } & OfThread)
  | ({ readonly do: 'delete_issue' } & OfThread)
  | ({ readonly do: 'transfer_issue'; readonly to: string } & OfThread)
  | ({ readonly do: 'comment' } & OfThread & Words)
  | ({ readonly do: 'edit_comment'; readonly body: string } & OfId)
  | ({ readonly do: 'delete_comment' } & OfId)
  | ({ readonly do: 'review'; readonly state: ReviewState } & OfThread & Words)
  | ({ readonly do: 'submit_review'; readonly state: ReviewState } & OfId)
  | ({ readonly do: 'edit_review'; readonly body: string } & OfId)
  | ({ readonly do: 'dismiss_review' } & OfId)
  | ({
      readonly do: 'review_comment'
      readonly path?: string
      readonly line?: number
      readonly diffHunk?: string
      /** The review it belongs to; without one it makes a review of its own, as GitHub does. */
      readonly review?: number
    } & OfThread &
      Words)
  | ({ readonly do: 'edit_review_comment'; readonly body: string } & OfId)
  | ({ readonly do: 'delete_review_comment' } & OfId)
  | ({ readonly do: 'rename_label'; readonly name: string; readonly to: string } & OfRepository)
  | ({ readonly do: 'delete_label'; readonly name: string } & OfRepository)
  | ({ readonly do: 'rename_milestone'; readonly title: string; readonly to: string } & OfRepository)
  | ({ readonly do: 'delete_milestone'; readonly title: string } & OfRepository)
  | ({
      readonly do: 'release'
      readonly tag: string
      readonly target?: string
      readonly author?: string | null
    } & OfRepository &
      ReleaseFields)
  | ({ readonly do: 'edit_release'; readonly tag: string; readonly newTag?: string } & OfRepository & ReleaseFields)
  | ({ readonly do: 'delete_release'; readonly tag: string } & OfRepository)
  | ({ readonly do: 'commit' } & CommitFields)
  | ({
      readonly do: 'merge_branch'
      readonly from: string
      readonly branch?: string
      readonly message?: string
    } & OfRepository)
  /** Makes or moves a branch, forced where it does not go ahead. */
  | ({ readonly do: 'push_branch'; readonly branch: string; readonly to: string } & OfRepository)
  | ({ readonly do: 'delete_branch'; readonly branch: string } & OfRepository)
  /** `message` makes an annotated tag. */
  | ({ readonly do: 'tag'; readonly tag: string; readonly to: string; readonly message?: string } & OfRepository)
  | ({ readonly do: 'delete_tag'; readonly tag: string } & OfRepository)
  /** `file` with its extension; null removes the page. */
  | ({ readonly do: 'write_wiki'; readonly file: string; readonly text: string | null } & OfRepository)
  | ({ readonly do: 'rename_wiki'; readonly file: string; readonly to: string } & OfRepository)

/** The result of an edit: the number of a thread, the id of a comment or review, the SHA of a commit. */
export interface EditResult {
  readonly number?: number
  readonly id?: number
  readonly sha?: string
}

export type EditOf<Name extends Edit['do']> = Extract<Edit, { readonly do: Name }>
