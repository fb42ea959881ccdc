/**
 * A tool that runs: its contract, and a function from unread arguments to an
 * answer or a refusal. A tool throws only for a bug.
 */
import type { Viewer } from '../access/viewer.ts'
import type { Result } from '../base/result.ts'
import type { ToolContract } from '../contracts/tool-contract.ts'

export interface Answered {
  /** The structured answer; its JSON is also the text. */
  readonly answer: Record<string, unknown>
  /** A sound that follows the text. */
  readonly audio?: { readonly bytes: Uint8Array; readonly mimeType: string }
  /** Code of what failed: the answer is then marked as an error, and tells why in its own shape. */
  readonly failedWith?: string
  /** Names of the repositories the answer speaks of, for the audit line. */
  readonly repositories: readonly string[]
}

/** What a run may know of the call it serves. */
export interface Call {
  /** Aborted once nobody waits for the answer. */
  readonly signal: AbortSignal
  /** Tells the client how far the call is, where it asked to be told. */
  readonly reportProgress?: (done: number, total: number, message: string) => Promise<void>
  /** Keeps the evidence of a bug in the log, for a tool that answers in its own shape all the same. */
  readonly reportBug: (error: unknown) => void
}

export interface Tool {
  readonly contract: ToolContract
  run(viewer: Viewer, given: unknown, call: Call): Promise<Result<Answered>>
}
