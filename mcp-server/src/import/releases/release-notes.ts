/** The text of releases whose tags have no notes: the subjects of their commits, newest first. */
import { cutWithEllipsis } from '../../../../src/base/text-cut.ts'
import type { Run } from '../../git/git-command.ts'
import { readSubjects } from '../../git/git-reader.ts'
import type { Tag } from '../../git/tags.ts'
import { MAX_NOTED_COMMITS, MAX_SUBJECT_CHARS } from '../limits.ts'
import type { Placement } from './place-releases.ts'

/** By the name of the tag; one git command for all. Releases with notes have no entry. */
export async function readNotes(run: Run, placements: readonly Placement[]): Promise<Map<string, string>> {
  const silent = placements.filter(({ tag }) => !hasNotes(tag))
  const listed = silent.map((placement) => ({ placement, shas: placement.listNewest(MAX_NOTED_COMMITS) }))
  const read = await readSubjects(run, [...new Set(listed.flatMap(({ shas }) => shas))])
  const subjects = new Map(read.map(({ sha, subject }) => [sha, cutWithEllipsis(subject, MAX_SUBJECT_CHARS)]))
  return new Map(
    listed.map(({ placement: { tag, commitCount = 0 }, shas }) => {
      const lines = shas.map((sha) => `- ${subjects.get(sha) ?? sha}`)
      const more = commitCount - shas.length
      if (more > 0) lines.push(`and ${more} more ${more === 1 ? 'commit' : 'commits'}`)
      return [tag.name, lines.join('\n')]
    }),
  )
}

/** A message that only repeats the tag, such as `Release 1.2.0`, is no notes. */
function hasNotes({ name, message }: Tag): boolean {
  const own = toVersionText(name)
  const said = toVersionText(message)
  return said !== '' && said !== own && said !== toVersionText(name.replace(/^.*[@/]/, ''))
}

function toVersionText(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(?:(?:release|version|tag)\b[\s:]*)+/, '')
    .replace(/^v(?=\d)/, '')
}
