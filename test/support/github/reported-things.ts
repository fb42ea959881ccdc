/** Reads from a delivery which thing is gone, or how new the state is that it describes. */
import type { SignedDelivery } from './scripted-github.ts'

export interface ReportedThing {
  /** As `keyOf` makes it of a line. */
  readonly key: string
  readonly isGone: boolean
  readonly updatedMs: number
}

/** The issue, pull request or comment of a delivery; empty for other events. */
export function listReported({ event, action, body }: SignedDelivery): readonly ReportedThing[] {
  const payload = JSON.parse(body) as Record<string, any>
  const id = payload['repository']?.id as number
  const isGone = action === 'deleted' || (event === 'issues' && action === 'transferred')
  const report = (key: string, thing: any): readonly ReportedThing[] => [
    { key, isGone, updatedMs: Date.parse(thing.updated_at) },
  ]
  switch (event) {
    case 'issues':
      return report(`issue ${id} ${payload['issue'].number}`, payload['issue'])
    case 'pull_request':
      return report(`pull_request ${id} ${payload['pull_request'].number}`, payload['pull_request'])
    case 'issue_comment':
      return report(`issue_comment ${id} ${payload['comment'].id}`, payload['comment'])
    case 'pull_request_review_comment':
      return report(`pr_review_comment ${id} ${payload['comment'].id}`, payload['comment'])
    default:
      return []
  }
}
