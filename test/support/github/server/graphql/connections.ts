/** Pages of connections, and GitHub's refusals of a query. */
import { GraphQLError } from 'graphql'
import type { Json } from '../rest/rest-json.ts'

const MAX_FIRST = 100
const MAX_NODES = 500_000

export function refuse(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } })
}

export interface Paging {
  readonly first?: number
  readonly last?: number
  readonly after?: string
}

/** A page of a connection. GitHub refuses one without bounds and one of more than 100. */
export function connect<Item>(
  name: string,
  items: readonly Item[],
  paging: Paging,
  toNode: (item: Item) => unknown,
): Json {
  const count = paging.first ?? paging.last
  if (count === undefined) {
    throw refuse(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    )
  }
  if (count > MAX_FIRST) {
    throw refuse(
      'EXCESSIVE_PAGINATION',
      `Requesting ${count} records on the \`${name}\` connection exceeds the \`first\` limit of ${MAX_FIRST} records.`,
    )
  }
  if (count < 0 || count > MAX_NODES) throw refuse('ARGUMENT_ERROR', `${name}: ${count} is out of range`)
  const after = paging.after == null ? 0 : Number(Buffer.from(paging.after, 'base64').toString().split(':')[2])
  if (!Number.isInteger(after))
    throw refuse('INVALID_CURSOR_ARGUMENTS', `\`${paging.after}\` does not appear to be a valid cursor.`)
  const from = paging.first === undefined ? Math.max(0, items.length - count) : after
  const shown = items.slice(from, from + count)
  const cursor = (at: number): string => Buffer.from(`cursor:v2:${at}`).toString('base64')
  return {
    nodes: shown.map(toNode),
    totalCount: items.length,
    pageInfo: {
      hasNextPage: from + shown.length < items.length,
      hasPreviousPage: from > 0,
      startCursor: shown.length === 0 ? null : cursor(from + 1),
      endCursor: shown.length === 0 ? null : cursor(from + shown.length),
    },
  }
}
