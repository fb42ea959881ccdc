/**
 * A tool: its contract, and a function from unparsed arguments to an answer or a
 * refusal. A tool throws only for a bug.
 */
import type { Viewer } from '../access/viewer.ts'
import type { Result } from '../base/result.ts'
import type { ToolContract } from '../contracts/tool-contract.ts'

export interface Answered {
  /** The structured answer; its JSON is also the text. */
  readonly answer: Record<string, unknown>
  /** A sound that follows the text. */
  readonly audio?: { readonly bytes: Uint8Array; readonly mimeType: string }
  /** The code of a failure that the answer reports in its own shape; the reply is then marked as an error. */
  readonly failedWith?: string
  /** Names of the repositories that the answer contains, for the audit line. */
  readonly repositories: readonly string[]
}

/** The parts of a call that its tool may use. */
export interface Call {
  /** Aborted when no client waits for the answer any more. */
  readonly signal: AbortSignal
  /** Reports progress to the client; absent unless the client asked for it. */
  readonly reportProgress?: (done: number, total: number, message: string) => Promise<void>
  /** Logs the evidence of a bug, for a tool that answers in its own shape nevertheless. */
  readonly reportBug: (error: unknown) => void
}

export interface Tool {
  readonly contract: ToolContract
  run(viewer: Viewer, given: unknown, call: Call): Promise<Result<Answered>>
}
