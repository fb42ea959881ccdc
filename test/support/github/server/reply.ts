/** An answer before it is sent, and the errors of the REST API. */

export interface RestReply {
  readonly status: number
  /** JSON; undefined for an empty body. */
  readonly body?: unknown
  /** Instead of JSON. */
  readonly text?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export function restError(status: number, message: string, headers: Readonly<Record<string, string>> = {}): RestReply {
  return {
    status,
    headers,
    body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  }
}

export const NOT_FOUND = restError(404, 'Not Found')

/** The request that a route of the REST API answers. */
export interface RestQuery {
  /** Parts of the path below the repository, decoded. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  /** Address of the repository by its id, without a query; Links use it. */
  readonly selfUrl: string
  readonly accept: string
}
