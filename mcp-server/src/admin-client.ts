/**
 * The admin API of a server, one method per route. Queries and answers are
 * those of src/contracts/admin; an answer that breaks its contract is a refusal.
 * Every command and the import client use this client and no other.
 */
import type { Failure } from '../../src/base/failure.ts'
import { ok, refuse, type Result } from '../../src/base/result.ts'
import type { DocumentType } from '../../src/base/vocabulary.ts'
import type { AdminContract, AnswerOf, QueryOf } from '../../src/contracts/admin/admin-contract.ts'
import { documentsContract } from '../../src/contracts/admin/documents-contract.ts'
import { importContract, type ImportCounts } from '../../src/contracts/admin/import-contract.ts'
import { maintenanceContract, type MaintenanceAnswer } from '../../src/contracts/admin/maintenance-contract.ts'
import { pollContract, type PollAnswer } from '../../src/contracts/admin/poll-contract.ts'
import { rebuildContract, type RebuildAnswer } from '../../src/contracts/admin/rebuild-contract.ts'
import { reconcileContract, type ReconcileAnswer } from '../../src/contracts/admin/reconcile-contract.ts'
import { statusContract, type StatusAnswer } from '../../src/contracts/admin/status-contract.ts'
import { sendAdminRequest, type RequestOptions } from './admin-request.ts'

export interface ClientOptions extends RequestOptions {
  /** Any http or https URL of the server; only its origin is used. */
  readonly endpoint: string
}

/** As a clock calls. */
const BY_CLOCK = { restart: false, force: false, clock: true } as const

/** The state of a cursor once its page is stored. */
interface CursorMove {
  readonly repo: string
  readonly source: string
  readonly position: string
  readonly done: number
  readonly total: number
}

export class AdminClient {
  readonly #options: ClientOptions
  #answered = false

  constructor(options: ClientOptions) {
    this.#options = options
  }

  readStatus(): Promise<Result<StatusAnswer>> {
    return this.#call(statusContract, {})
  }

  /** The paths (of wiki pages the slugs) of all documents of a type in the index, in order. */
  async listPaths(repo: string, type: DocumentType): Promise<Result<string[]>> {
    const paths: string[] = []
    let after: string | undefined
    do {
      const page = await this.#call(documentsContract, { repo, type, ...(after === undefined ? {} : { after }) })
      if (!page.ok) return page
      const { documents, next } = page.value
      paths.push(...documents.map(({ path }) => path))
      // A page that leads to itself would never end, and is not the last one either.
      if (next !== undefined && next === after) return refuse(notAnAdminApi(this.#options.endpoint))
      after = next
    } while (after !== undefined)
    return ok(paths)
  }

  /** Posts lines of the page schema and moves a cursor with them. A failure names a refused line by `line` and `field`. */
  postPage(lines: readonly string[], move?: CursorMove): Promise<Result<ImportCounts>> {
    return this.#call(importContract, { ...move }, lines.map((line) => `${line}\n`).join(''))
  }

  /** Starts, joins or only counts a rebuild. Each call does a bounded part of it. */
  rebuild({ dryRun, resume }: { dryRun: boolean; resume: boolean }): Promise<Result<RebuildAnswer>> {
    return this.#call(rebuildContract, { dry_run: dryRun, resume })
  }

  /** One bounded maintenance run. */
  runMaintenance(): Promise<Result<MaintenanceAnswer>> {
    return this.#call(maintenanceContract, {})
  }

  /** One bounded run that reads what changed on GitHub, for a clock. `requests` bounds it further. */
  poll(requests?: number): Promise<Result<PollAnswer>> {
    return this.#call(pollContract, { ...BY_CLOCK, ...(requests !== undefined && { requests }) })
  }

  /** One run of at most so many requests that compares the index with GitHub, if that is due. For a clock. */
  reconcile(requests: number): Promise<Result<ReconcileAnswer>> {
    return this.#call(reconcileContract, { ...BY_CLOCK, dry_run: false, requests })
  }

  /** The answer as the server gave it, with fields that only a newer contract knows. */
  async #call<Contract extends AdminContract>(
    contract: Contract,
    query: QueryOf<Contract>,
    body?: string,
  ): Promise<Result<AnswerOf<Contract>>> {
    const { endpoint } = this.#options
    if (!/^https?:/i.test(endpoint) || !URL.canParse(contract.path, endpoint)) {
      return refuse({ code: 'VALIDATION_ERROR', message: `${endpoint} is not the address of a server.` })
    }
    const url = new URL(contract.path, endpoint)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const request = { method: contract.method, url, body, isKnown: this.#answered }
    const { result, answered } = await sendAdminRequest(request, this.#options)
    this.#answered ||= answered
    if (!result.ok) return result
    const isAnswer = contract.answer.safeParse(result.value).success
    return isAnswer ? ok(result.value as AnswerOf<Contract>) : refuse(notAnAdminApi(endpoint))
  }
}

function notAnAdminApi(endpoint: string): Failure {
  return {
    code: 'UNAVAILABLE',
    message: `The server at ${new URL(endpoint).origin} does not answer like the admin API of this version.`,
  }
}
