/**
 * Releases, as the list and deliveries give them. Drafts and those of bots have no
 * document. A release keeps its id when its tag changes, so the version of its
 * row begins with the id; the rest changes with its document.
 */
import { z } from 'zod'
import { sha256 } from '../../../base/hash.ts'
import type { RepositoryName } from '../../../documents/document.ts'
import {
  idPart,
  isBot,
  makeDocument,
  textPart,
  timePart,
  urlPart,
  titlePart,
  userPart,
  type ReadItem,
} from './payload-parts.ts'

export const releasePayload = z.object({
  id: idPart,
  tag_name: z.string().min(1),
  name: titlePart,
  body: textPart,
  html_url: urlPart,
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
  author: userPart,
  created_at: timePart.nullish(),
  published_at: timePart.nullish(),
  updated_at: timePart.nullish(),
})

export type ReleasePayload = z.infer<typeof releasePayload>

export function readRelease(payload: ReleasePayload, repository: RepositoryName): ReadItem {
  const { id, tag_name: tagName, author, body } = payload
  const createdAt = payload.published_at ?? payload.created_at ?? 0
  const times = { createdAt, updatedAt: payload.updated_at ?? createdAt }
  const item: ReadItem = { identity: { type: 'release', tagName }, ...times }
  if (payload.draft === true || isBot(author)) return item
  const fields = {
    tag_name: tagName,
    title: payload.name,
    url: payload.html_url,
    prerelease: payload.prerelease ?? false,
    author: author?.login,
  }
  const document = makeDocument('release', fields, times, { repository, body })
  return { ...item, document, sourceVersion: `${id} ${sha256(JSON.stringify(document))}` }
}

/** The id of the release in the version of a row; undefined for a row that was imported. */
export function releaseIdOf(sourceVersion: string | undefined): number | undefined {
  const digits = /^(\d{1,15}) /.exec(sourceVersion ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}
