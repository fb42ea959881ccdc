/**
 * The texts of blobs: many in one query, or one by one as bytes where there is no
 * GraphQL or where it does not give the text whole.
 */
import { isRecord } from '../../../base/json-value.ts'
import type { Surface } from '../../../base/vocabulary.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { faultOf, repositoryPath, repositoryVariables, unexpectedAnswer } from './step-results.ts'
import type { SurfaceContext } from '../surface.ts'
import { isLargeFilePointer, toBounded, toFileText, type FileText } from './blob-text.ts'

/** `none`: the file is binary, or stands for a file elsewhere. `alone`: GraphQL does not give the text whole. */
export type BlobAnswer = FileText | 'none' | 'alone'

/** By SHA. */
export async function queryTexts(
  context: SurfaceContext,
  surface: Surface,
  shas: readonly string[],
): Promise<GitHubResult<ReadonlyMap<string, BlobAnswer>>> {
  const result = await queryBlobs(context, surface, shas, 'text isTruncated isBinary')
  return result.ok
    ? { ok: true, value: new Map([...result.value].map(([sha, blob]) => [sha, toAnswer(blob)])) }
    : result
}

/** Which blobs are binary, by SHA. */
export async function queryBinary(
  context: SurfaceContext,
  surface: Surface,
  shas: readonly string[],
): Promise<GitHubResult<ReadonlyMap<string, boolean>>> {
  const result = await queryBlobs(context, surface, shas, 'isBinary')
  if (!result.ok) return result
  const kinds = [...result.value].map(([sha, blob]): [string, boolean] => [
    sha,
    isRecord(blob) && blob['isBinary'] === true,
  ])
  return { ok: true, value: new Map(kinds) }
}

/** Null for a blob that the repository does not have. */
async function queryBlobs(
  context: SurfaceContext,
  surface: Surface,
  shas: readonly string[],
  fields: string,
): Promise<GitHubResult<ReadonlyMap<string, unknown>>> {
  const declared = shas.map((_, at) => `$b${at}: GitObjectID!`).join(', ')
  const blobs = shas.map((_, at) => `b${at}: object(oid: $b${at}) { ... on Blob { ${fields} } }`)
  const query = `query($owner: String!, $name: String!, ${declared}) {
  repository(owner: $owner, name: $name) { ${blobs.join(' ')} }
}`
  const variables = {
    ...repositoryVariables(context),
    ...Object.fromEntries(shas.map((sha, at) => [`b${at}`, sha])),
  }
  const result = await context.github.graphql(query, variables, surface)
  if (!result.ok) return result
  const { repository } = result.value
  if (!isRecord(repository)) return faultOf('the answer has no repository')
  const found = new Map<string, unknown>()
  for (const [at, sha] of shas.entries()) {
    if (repository[`b${at}`] === undefined) return faultOf('the answer does not have every file')
    found.set(sha, repository[`b${at}`])
  }
  return { ok: true, value: found }
}

function toAnswer(blob: unknown): BlobAnswer {
  if (!isRecord(blob)) return 'alone'
  const { text, isTruncated, isBinary } = blob
  // A file that GitHub takes for binary may be UTF-16, and U+FFFD stands for bytes that are not UTF-8.
  if (typeof text !== 'string' || isTruncated === true || isBinary === true || text.includes('\ufffd')) return 'alone'
  return text.includes('\0') ? 'alone' : toDocumentText(toBounded(text.replace(/^\ufeff/, '')))
}

/** One blob as bytes; undefined when the repository does not have it. */
export async function readText(
  context: SurfaceContext,
  surface: Surface,
  sha: string,
): Promise<GitHubResult<FileText | 'none' | undefined>> {
  const result = await context.github.get(`${repositoryPath(context)}/git/blobs/${sha}`, { surface, expects: 'object' })
  if (!result.ok) return result
  const answer = result.value
  if (answer.kind === 'absent' || answer.kind === 'empty') return { ok: true, value: undefined }
  if (answer.kind !== 'ok') return unexpectedAnswer(answer, `the file ${sha}`)
  const { content, encoding } = answer.body as Record<string, unknown>
  if (typeof content !== 'string') return faultOf(`the file ${sha} has no content`)
  if (encoding === 'base64') return { ok: true, value: toDocumentText(toFileText(content)) }
  if (encoding === 'utf-8') return { ok: true, value: toDocumentText(toBounded(content)) }
  return faultOf(`the file ${sha} has an unknown encoding`)
}

function toDocumentText(file: FileText | undefined): FileText | 'none' {
  return file === undefined || isLargeFilePointer(file.text) ? 'none' : file
}
