/**
 * The rows of a repository as a walk over GitHub compares them: identities, times
 * and versions, without texts. Only live rows are listed.
 */
import type { DocumentType, Surface } from '../../base/vocabulary.ts'
import type { Document, Identity } from '../../documents/document.ts'
import {
  identityOf,
  IDENTITY_COLUMNS,
  readStoredDocuments,
  type FieldRow,
  type VersionedDocument,
} from '../documents/read-stored.ts'
import type { Index } from '../sql/index-database.ts'
import { packJson } from '../sql/json-rows.ts'

/** A row of the index, as far as a walk compares it. */
export interface ComparedRow {
  readonly identity: Identity
  readonly updatedAt: number
  /** The number of its thread. */
  readonly number?: number
  /** Of the source, as the surface gave it: the SHA of a blob, the ETag of a page. */
  readonly sourceVersion?: string
}

/** A release as the index stores it, its place among the commits included. */
export interface StoredRelease {
  readonly document: Document<'release'>
  readonly sourceVersion?: string
}

/** A place in the order of (updatedAt, key); `key` is the numeric part of the identity. */
export interface RowPlace {
  readonly updatedAt: number
  readonly key: number
}

type Row = FieldRow & {
  readonly updated_at: number
  readonly number: number | null
  readonly source_version: string | null
}

/** Commits, and releases with their texts, that are read at once. */
const COMMITS_A_READ = 2_000
const RELEASES_A_READ = 200

const COLUMNS = `${IDENTITY_COLUMNS}, updated_at, source_version`
const IS_LIVE_OF = 'repository = (SELECT repository FROM repositories WHERE repo_id = ?1) AND deleted_at IS NULL'
const KEY = 'coalesce(comment_id, review_id, number, 0)'

/** Of the commit `d`, in their order. */
const PARENTS = `(SELECT json_group_array(parent) FROM (
  SELECT parent FROM parents p WHERE p.document = d.document ORDER BY position))`

/** The questions about one repository. */
export function comparedRows(index: Index, repoId: number) {
  const { database } = index
  return {
    /** Rows of these types after `from`, up to and with `to`, in order; without `to` to the end. */
    async listBetween(
      types: readonly DocumentType[],
      from: RowPlace,
      to: RowPlace | undefined,
      limit: number,
    ): Promise<ComparedRow[]> {
      const { results } = await database
        .prepare(
          `SELECT ${COLUMNS} FROM documents
           WHERE ${IS_LIVE_OF} AND type IN (SELECT value FROM json_each(?2))
             AND updated_at >= ?3 AND (updated_at, ${KEY}) > (?3, ?4)
             AND (?5 IS NULL OR (updated_at <= ?5 AND (updated_at, ${KEY}) <= (?5, ?6)))
           ORDER BY updated_at, ${KEY} LIMIT ?7`,
        )
        .bind(repoId, JSON.stringify(types), from.updatedAt, from.key, to?.updatedAt ?? null, to?.key ?? null, limit)
        .all<Row>()
      return results.map(toCompared)
    },

    /** Every row of a type that a repository has not very many of, by identity. */
    async listAll(type: 'release' | 'doc' | 'wiki_doc'): Promise<ComparedRow[]> {
      const { results } = await database
        .prepare(`SELECT ${COLUMNS} FROM documents WHERE ${IS_LIVE_OF} AND type = ?2 ORDER BY coalesce(path, tag_name)`)
        .bind(repoId, type)
        .all<Row>()
      return results.map(toCompared)
    },

    /** Rows of one type with the numbers of these threads. Threads have their own number. */
    async listUnder(numbers: readonly number[], type: DocumentType): Promise<ComparedRow[]> {
      const { results } = await database
        .prepare(
          `SELECT ${COLUMNS} FROM documents
           WHERE ${IS_LIVE_OF} AND number IN (SELECT value FROM json_each(?2)) AND type = ?3 ORDER BY number, ${KEY}`,
        )
        .bind(repoId, JSON.stringify(numbers), type)
        .all<Row>()
      return results.map(toCompared)
    },

    /** Releases of these tags as they are stored; all of them without `tags`. */
    async listReleases(tags?: readonly string[]): Promise<StoredRelease[]> {
      const { results } = await database
        .prepare(
          `SELECT document, source_version FROM documents WHERE ${IS_LIVE_OF} AND type = 'release'
             AND (?2 IS NULL OR tag_name IN (SELECT value FROM json_each(?2))) ORDER BY document`,
        )
        .bind(repoId, tags === undefined ? null : JSON.stringify(tags))
        .all<{ document: number; source_version: string | null }>()
      const versions = new Map(results.map((row) => [row.document, row.source_version]))
      const numbers = [...versions.keys()]
      const stored: VersionedDocument[] = []
      for (let at = 0; at < numbers.length; at += RELEASES_A_READ) {
        stored.push(...(await readStoredDocuments(index, numbers.slice(at, at + RELEASES_A_READ))))
      }
      return stored.map(({ number, document }) => {
        const sourceVersion = versions.get(number)
        return { document: document as Document<'release'>, ...(sourceVersion && { sourceVersion }) }
      })
    },

    /** The position of the poll of a surface; undefined before its first step. */
    async pollPosition(surface: Surface): Promise<unknown> {
      const position = await database
        .prepare(
          `SELECT s.position FROM surface_reads s JOIN repositories r USING (repository)
           WHERE r.repo_id = ?1 AND s.surface = ?2 AND s.walk = 'poll'`,
        )
        .bind(repoId, surface)
        .first<string | null>('position')
      return position == null ? undefined : JSON.parse(position)
    },

    /** The commits in the index with the SHAs of their parents, the first parent first; by number of the row. */
    async listCommits(): Promise<{ sha: string; parents: string[] }[]> {
      const commits: { sha: string; parents: string[] }[] = []
      for (let after = 0; ;) {
        const { results } = await database
          .prepare(
            `SELECT document, commit_sha AS sha,
               ${PARENTS} AS parents
             FROM documents d WHERE ${IS_LIVE_OF} AND type = 'commit' AND document > ?2 ORDER BY document LIMIT ?3`,
          )
          .bind(repoId, after, COMMITS_A_READ)
          .all<{ document: number; sha: string; parents: string }>()
        for (const { sha, parents } of results) commits.push({ sha, parents: JSON.parse(parents) as string[] })
        if (results.length < COMMITS_A_READ) return commits
        after = results.at(-1)!.document
      }
    },

    /** Those of these commits that are in the index, with their parents. SHAs are in lower case. */
    async findCommits(shas: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
      const found = new Map<string, readonly string[]>()
      for (const json of packJson(shas)) {
        const { results } = await database
          .prepare(
            `SELECT commit_sha AS sha, ${PARENTS} AS parents FROM documents d
             WHERE ${IS_LIVE_OF} AND commit_sha IN (SELECT value FROM json_each(?2)) AND type = 'commit'`,
          )
          .bind(repoId, json)
          .all<{ sha: string; parents: string }>()
        for (const { sha, parents } of results) found.set(sha, JSON.parse(parents) as string[])
      }
      return found
    },

    /** A commit and its diffs. */
    async listOfCommit(sha: string): Promise<ComparedRow[]> {
      const { results } = await database
        .prepare(
          `SELECT ${COLUMNS} FROM documents WHERE ${IS_LIVE_OF} AND commit_sha = ?2 AND type IN ('commit', 'diff')
           ORDER BY type, path`,
        )
        .bind(repoId, sha)
        .all<Row>()
      return results.map(toCompared)
    },
  }
}

function toCompared(row: Row): ComparedRow {
  return {
    identity: identityOf(row),
    updatedAt: row.updated_at,
    ...(row.number !== null && { number: row.number }),
    ...(row.source_version !== null && { sourceVersion: row.source_version }),
  }
}
