/**
 * A tool that runs: its contract, and a function from unread arguments to an
 * answer or a refusal. A tool throws only for a bug.
 */
import type { Viewer } from '../access/viewer.ts'
import type { Result } from '../base/result.ts'
import type { ToolContract } from '../contracts/tool.ts'

export interface Answered {
  /** The structured answer; its JSON is also the text. */
  readonly answer: Record<string, unknown>
  /** Names of the repositories the answer speaks of, for the audit line. */
  readonly repositories: readonly string[]
}

export interface Tool {
  readonly contract: ToolContract
  run(viewer: Viewer, given: unknown): Promise<Result<Answered>>
}
