/**
 * A project on the scripted GitHub, as edits: 2,000 documents times `scale` in a
 * fixed mix, 150 of them commits. The same scale gives the same project.
 */
import type { ScriptedGitHub } from '../../../test/support/github/scripted-github.ts'
import type { Edit } from '../../../test/support/github/truth/edit.ts'
import { makeCorpus, wordOf } from '../corpus.ts'

export const REPO = 'acme/app'

/** Things of each kind at scale 1. Commits have one or two diffs each, and make the docs. */
const MIX = {
  commits: 150,
  issues: 714,
  pulls: 150,
  comments: 450,
  reviews: 150,
  reviewComments: 100,
  releases: 10,
  pages: 6,
}
const AUTHORS = ['ren', 'aoi', 'mika', 'sora', 'yui'] as const
const LABELS = ['bug', 'question', 'area: storage', 'area: clocks', 'good first issue'] as const
/** Edits of one request to the scripted GitHub. */
const BATCH = 500

const corpus = makeCorpus(7)

/** About eighty words, and a title of seven. */
function textOf(at: number): { readonly title: string; readonly body: string } {
  // Every tenth document of the corpus from the fifth on is an issue, which has a title.
  const [line] = corpus.lines(at * 10 + 4, at * 10 + 5)
  return { title: String(line?.['title']), body: String(line?.['body']) }
}

const by = (at: number): { readonly author: string } => ({ author: AUTHORS[at % AUTHORS.length] ?? 'ren' })

export async function fillProject(github: ScriptedGitHub, scale: number): Promise<void> {
  const put = async (edits: readonly Edit[]): Promise<void> => {
    for (let at = 0; at < edits.length; at += BATCH) await github.edits(edits.slice(at, at + BATCH))
  }
  const many = (count: number, make: (at: number) => Edit): Promise<void> =>
    put(Array.from({ length: count * scale }, (_, at) => make(at)))
  const pulls = MIX.pulls * scale
  const pullOf = (at: number): number => (at % pulls) + 1
  await put([{ do: 'create_repository', repo: REPO }])
  await many(MIX.commits, toCommit)
  await many(MIX.releases, toRelease)
  await many(MIX.pulls, (at) => ({ do: 'open_pull_request', repo: REPO, ...textOf(at), ...by(at), afterS: 60 }))
  await many(MIX.reviews, (at) => ({
    do: 'review',
    repo: REPO,
    number: pullOf(at),
    state: at % 2 === 0 ? 'APPROVED' : 'COMMENTED',
    body: textOf(at + 1).title,
    ...by(at + 1),
  }))
  await many(MIX.reviewComments, (at) => ({
    do: 'review_comment',
    repo: REPO,
    number: pullOf(at * 3),
    path: pathOf(at),
    line: 1,
    body: textOf(at + 2).title,
    ...by(at + 2),
  }))
  await put(Array.from({ length: MIX.issues * scale }, (_, at) => toIssue(at, pulls)).flat())
  await many(MIX.pages, (at) => ({
    do: 'write_wiki',
    repo: REPO,
    file: `Page-${at}.md`,
    text: `# ${textOf(at + 4).title}\n\n${textOf(at + 4).body}\n`,
  }))
}

/** An issue, and the comments that are written next: on one of the last forty. */
function toIssue(at: number, pulls: number): readonly Edit[] {
  const issue: Edit = {
    do: 'open_issue',
    repo: REPO,
    ...textOf(pulls + at),
    ...by(at),
    labels: [LABELS[at % LABELS.length] ?? 'bug'],
    state: at % 3 === 0 ? 'open' : 'closed',
    afterS: 60,
  }
  const comments = Math.floor(((at + 1) * MIX.comments) / MIX.issues) - Math.floor((at * MIX.comments) / MIX.issues)
  if (comments === 0) return [issue]
  const number = pulls + Math.max(1, at + 1 - ((at * 7) % 40))
  return [issue, { do: 'comment', repo: REPO, number, body: textOf(at + 3).body.slice(0, 300), ...by(at + 3) }]
}

function pathOf(at: number): string {
  return `src/${wordOf(at % 40)}/${wordOf(at % 200)}.ts`
}

/** One file of source code each, and a second one for most. */
function toCommit(at: number): Edit {
  const { title, body } = textOf(at + 5)
  const code = Array.from({ length: (at % 9) + 6 }, (_, line) => `export const ${wordOf(at + line)} = ${at * line}`)
  const files: Record<string, string> = { [pathOf(at)]: `${code.join('\n')}\n// ${title}\n` }
  if (at % 5 === 1) files[`docs/${wordOf(at % 20)}/${at}.md`] = `# ${title}\n\n${body}\n`
  else if (at % 2 === 0) files[pathOf(at + 31)] = `${code.slice(2).join('\n')}\n`
  return {
    do: 'commit',
    repo: REPO,
    message: `${title} (#${at + 1})\n\n${body.slice(0, 200)}`,
    files,
    ...by(at),
    afterS: 7_200,
  }
}

function toRelease(at: number): Edit {
  const { title, body } = textOf(at + 6)
  return { do: 'release', repo: REPO, tag: `v1.${at}.0`, name: title, body }
}
