/**
 * The contract of an admin route: method, path, query parameters and the JSON
 * of a successful answer. The Worker's handlers and the commands of the user's
 * machine share it. A refusal has the shape of every other one (http/errors.ts).
 */
import type * as z from 'zod'
import { invalid } from '../../base/failure.ts'
import { refuse, type Result } from '../../base/result.ts'
import { parseFields } from '../arguments.ts'

export interface AdminContract<Query extends z.ZodObject = z.ZodObject, Answer extends z.ZodObject = z.ZodObject> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** A pathname of URLPattern: `:name` is a field of the query that is given in the path. */
  readonly path: string
  /** The purpose of the route, for docs/admin-api.md. */
  readonly about: string
  /** Every value arrives as text; the schema turns it into what the handler takes. */
  readonly query: Query
  readonly answer: Answer
}

/** Gives a contract its exact type and changes nothing. */
export function defineAdminRoute<Query extends z.ZodObject, Answer extends z.ZodObject>(
  contract: AdminContract<Query, Answer>,
): AdminContract<Query, Answer> {
  return contract
}

/** The parsed query: what a handler takes, and what a client gives. */
export type QueryOf<Contract extends AdminContract> = z.output<Contract['query']>

export type AnswerOf<Contract extends AdminContract> = z.output<Contract['answer']>

/**
 * Refuses an unknown, missing or wrong parameter by its name. Of a repeated parameter
 * the first value counts. `inPath` has the decoded parameters of the path, which
 * are unknown in the query.
 */
export function parseAdminQuery<Contract extends AdminContract>(
  contract: Contract,
  parameters: URLSearchParams,
  inPath: Readonly<Record<string, string>> = {},
): Result<QueryOf<Contract>> {
  const given: Record<string, string> = { ...inPath }
  for (const [name, value] of parameters) {
    if (Object.hasOwn(inPath, name)) return refuse(invalid(name, 'is given in the path, not as a parameter'))
    if (!Object.hasOwn(given, name)) given[name] = value
  }
  return parseFields<Contract['query']>(contract.query, given)
}
