/**
 * A random step: numbers that choose what happens next in a world, with all that is
 * in it by then. The same numbers in the same world give the same edit.
 */
import type { Edit } from './edit.ts'
import { headOf, listAncestors } from './git-store.ts'
import { fullNameOf, type Repository, type World } from './world.ts'

export interface RandomStep {
  readonly kind: RandomKind
  /** Which of the things there are, and how. */
  readonly pick: number
  readonly choice: number
  /** Which words. */
  readonly words: number
  /** Seconds since the step before; 0 keeps the second. */
  readonly afterS: number
}

type Make = (given: Given) => Edit | undefined

interface Given {
  readonly world: World
  readonly repository: Repository
  readonly repo: string
  readonly step: RandomStep
  readonly words: string
  readonly author: string | null
}

const WORDS = [
  'The parser crashes on an empty file, see the log of the last run.',
  'Fixed in #2 by reading the header first.',
  'Works since v1.2.0 on every platform we test.',
  '日本語の検索で結果が出ません。再現手順を書きます。',
  '+1',
  'lgtm',
  '了解',
  'Please look at src/parser/read.ts before merging this.',
  'Reverted by 0123abc because of the slow start.',
  '',
  'The cache keeps answers of a user who has signed out: a race between two tabs.',
  '確認しました、ありがとうございます。',
] as const

const AUTHORS = ['ren', 'aoi', 'mika', null, 'dependabot[bot]', 'sora'] as const
const LABELS = ['bug', 'needs, review', 'ドキュメント', 'good first issue'] as const
const PATHS = [
  'README.md',
  'docs/guide.md',
  'docs/使い方.mdx',
  'src/main.ts',
  'src/parser/read.ts',
  'package-lock.json',
  'notes #1.txt',
] as const
const PAGES = ['Home.md', 'Setup-guide.md', 'What-is-new?.md', '設定.md', 'C++-notes.md', '_Sidebar.md'] as const
const TAGS = ['v1.0.0', 'v1.1.0', 'v2.0.0-rc.1', 'release/2026'] as const

function pick<Item>(items: Iterable<Item>, number: number): Item | undefined {
  const list = [...items]
  return list.length === 0 ? undefined : list[number % list.length]
}

/** An edit of one that `pick` chooses; none where there is nothing to choose from. */
function ofOne<Item>(list: (given: Given) => Iterable<Item>, make: (item: Item, given: Given) => Edit): Make {
  return (given) => {
    const item = pick(list(given), given.step.pick)
    return item === undefined ? undefined : make(item, given)
  }
}

const threads = ({ repository }: Given) => repository.threads.values()
const issues = (given: Given) => [...threads(given)].filter(({ kind }) => kind === 'issue')
const pulls = (given: Given) => [...threads(given)].filter(({ kind }) => kind === 'pull_request')
const comments = ({ repository }: Given) => repository.comments.values()
const reviewComments = ({ repository }: Given) => repository.reviewComments.values()
const sentReviews = ({ repository }: Given) =>
  [...repository.reviews.values()].filter(({ submittedMs }) => submittedMs !== null)
const releases = ({ repository }: Given) => repository.releases.values()

function fieldsOf({ step: { choice, words } }: Given): object {
  return {
    ...(choice % 3 === 0 && { labels: LABELS.filter((_, at) => (words + at) % 2 === 0) }),
    ...(choice % 3 === 1 && { milestone: choice % 2 === 0 ? null : `M${words % 2}` }),
    ...(choice % 3 === 2 && { assignees: words % 2 === 0 ? [] : ['ren', 'aoi'].slice(words % 3) }),
  }
}

function commitOf({ repo, step, words, world }: Given): Edit {
  const path = PATHS[step.pick % PATHS.length] ?? 'README.md'
  const text = step.choice % 5 === 0 ? null : `# ${path}\n\n${words}\n${step.choice}\n`
  // Every fourth commit was written long before it is pushed.
  const old = step.choice % 4 === 0 ? { committedMs: world.nowMs - 86_400_000 * (step.words + 1) } : {}
  return { do: 'commit', repo, message: `Change ${path} ${step.choice}\n\n${words}`, files: { [path]: text }, ...old }
}

const STATES = ['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED', 'PENDING'] as const

const MAKERS = {
  open_issue: ({ repo, words, author, step }: Given): Edit => ({
    do: 'open_issue',
    repo,
    title: `Issue ${step.choice}`,
    body: words === '' ? null : words,
    author,
    labels: LABELS.slice(0, step.choice % 3),
  }),
  open_pull_request: ({ repo, words, author, step }: Given): Edit => {
    const head = step.pick % 2 === 0 ? { head: 'topic' } : {}
    return {
      do: 'open_pull_request',
      repo,
      title: `Change ${step.choice}`,
      body: words,
      author,
      draft: step.choice % 2 === 0,
      ...head,
    }
  },
  edit_words: ofOne(threads, ({ number }, { repo, words, step }) => ({
    do: 'edit_thread',
    repo,
    number,
    body: words,
    ...(step.choice % 2 === 0 && { title: `Title ${step.choice}` }),
  })),
  edit_state: ofOne(threads, ({ number, state }, { repo }) => ({
    do: 'edit_thread',
    repo,
    number,
    state: state === 'open' ? 'closed' : 'open',
  })),
  edit_fields: ofOne(threads, ({ number }, given) => ({
    do: 'edit_thread',
    repo: given.repo,
    number,
    ...fieldsOf(given),
  })),
  merge: ofOne(
    (given) =>
      pulls(given).filter(({ state, headSha }) => state === 'open' && given.repository.git.commits.has(headSha)),
    ({ number }, { repo, step }) => ({
      do: 'merge_pull_request',
      repo,
      number,
      method: step.choice % 2 === 0 ? 'merge' : 'squash',
    }),
  ),
  delete_issue: ofOne(issues, ({ number }, { repo }) => ({ do: 'delete_issue', repo, number })),
  comment: ofOne(threads, ({ number }, { repo, words, author }) => ({
    do: 'comment',
    repo,
    number,
    body: words || '+1',
    author,
  })),
  edit_comment: ofOne(comments, ({ id }, { repo, words }) => ({ do: 'edit_comment', repo, id, body: words || '+1' })),
  delete_comment: ofOne(comments, ({ id }, { repo }) => ({ do: 'delete_comment', repo, id })),
  review: ofOne(pulls, ({ number }, { repo, words, author, step }) => {
    const state = STATES[step.choice % STATES.length] ?? 'COMMENTED'
    return { do: 'review', repo, number, body: words, author, state }
  }),
  submit_review: ofOne(
    ({ repository }) => [...repository.reviews.values()].filter(({ submittedMs }) => submittedMs === null),
    ({ id }, { repo }) => ({ do: 'submit_review', repo, id, state: 'APPROVED' }),
  ),
  edit_review: ofOne(sentReviews, ({ id }, { repo, words }) => ({ do: 'edit_review', repo, id, body: words })),
  dismiss_review: ofOne(sentReviews, ({ id }, { repo }) => ({ do: 'dismiss_review', repo, id })),
  review_comment: ofOne(pulls, ({ number }, { repo, words, author, step }) => {
    const path = PATHS[step.choice % PATHS.length] ?? 'README.md'
    return { do: 'review_comment', repo, number, body: words || '+1', author, path, line: (step.choice % 40) + 1 }
  }),
  edit_review_comment: ofOne(reviewComments, ({ id }, { repo, words }) => ({
    do: 'edit_review_comment',
    repo,
    id,
    body: words || '+1',
  })),
  delete_review_comment: ofOne(reviewComments, ({ id }, { repo }) => ({ do: 'delete_review_comment', repo, id })),
  rename_label: ofOne(
    ({ repository }) => repository.labels.values(),
    ({ name }, { repo, step }) => ({ do: 'rename_label', repo, name, to: `label ${step.choice}` }),
  ),
  delete_label: ofOne(
    ({ repository }) => repository.labels.values(),
    ({ name }, { repo }) => ({ do: 'delete_label', repo, name }),
  ),
  rename_milestone: ofOne(
    ({ repository }) => repository.milestones.values(),
    ({ title }, { repo, step }) => ({ do: 'rename_milestone', repo, title, to: `milestone ${step.choice}` }),
  ),
  release: ({ repo, words, step, repository }: Given): Edit | undefined => {
    const free = TAGS.filter((tag) => [...repository.releases.values()].every((release) => release.tag !== tag))
    const tag = pick(free, step.pick)
    if (tag === undefined || repository.git.refs.size === 0) return undefined
    return {
      do: 'release',
      repo,
      tag,
      name: `Release ${tag}`,
      body: words,
      draft: step.choice % 3 === 0,
      prerelease: step.choice % 2 === 0,
    }
  },
  edit_release: ofOne(releases, ({ tag, draft }, { repo, words, step }) => ({
    do: 'edit_release',
    repo,
    tag,
    body: words,
    ...(draft && { draft: false }),
    ...(!draft && step.choice % 4 === 0 && { newTag: `${tag}-${step.choice}` }),
  })),
  delete_release: ofOne(releases, ({ tag }, { repo }) => ({ do: 'delete_release', repo, tag })),
  commit: commitOf,
  commit_topic: (given: Given): Edit | undefined => {
    const { git, defaultBranch } = given.repository
    const base = headOf(git, 'topic') === undefined ? headOf(git, defaultBranch) : undefined
    if (base === undefined && headOf(git, 'topic') === undefined) return undefined
    return { ...commitOf(given), branch: 'topic', ...(base !== undefined && { parents: [base] }) } as Edit
  },
  merge_topic: ({ repo, repository: { git } }: Given): Edit | undefined =>
    headOf(git, 'topic') === undefined ? undefined : { do: 'merge_branch', repo, from: 'topic' },
  /** Back to an earlier commit, to the topic branch, or to a history without a common commit. */
  force_push: (given: Given): Edit | undefined => {
    const { repo, repository, step } = given
    const { git, defaultBranch } = repository
    const head = headOf(git, defaultBranch)
    if (head === undefined) return undefined
    if (step.choice % 7 === 0) return { ...commitOf(given), parents: [] } as Edit
    const topic = step.choice % 3 === 0 ? headOf(git, 'topic') : undefined
    const to = topic ?? pick(listAncestors(git, head).slice(0, 4), step.pick)?.sha ?? head
    return { do: 'push_branch', repo, branch: defaultBranch, to }
  },
  tag: (given: Given): Edit | undefined => {
    const { repository, repo, step } = given
    const head = headOf(repository.git, repository.defaultBranch)
    const message = step.choice % 2 === 0 ? { message: given.words } : {}
    return head === undefined ? undefined : { do: 'tag', repo, tag: `t${step.pick % 3}`, to: head, ...message }
  },
  write_wiki: ({ repo, words, step }: Given): Edit => ({
    do: 'write_wiki',
    repo,
    file: PAGES[step.pick % PAGES.length] ?? 'Home.md',
    text: `${words}\n`,
  }),
  delete_wiki: ofOne(
    ({ repository }) => repository.wiki.pages.keys(),
    (file, { repo }) => ({ do: 'write_wiki', repo, file, text: null }),
  ),
  rename_wiki: ofOne(
    ({ repository }) => repository.wiki.pages.keys(),
    (file, { repo, step }) => ({ do: 'rename_wiki', repo, file, to: `Page-${step.choice}.md` }),
  ),
  rename_repository: ({ repo, step }: Given): Edit => ({ do: 'rename_repository', repo, to: `app-${step.choice % 5}` }),
  visibility: ({ repo, repository }: Given): Edit => ({ do: 'edit_repository', repo, private: !repository.private }),
  archive: ({ repo, repository }: Given): Edit => ({ do: 'edit_repository', repo, archived: !repository.archived }),
  default_branch: ({ repo, repository: { git, defaultBranch } }: Given): Edit | undefined => {
    const other = defaultBranch === 'main' ? 'topic' : 'main'
    return headOf(git, other) === undefined ? undefined : { do: 'edit_repository', repo, defaultBranch: other }
  },
} satisfies Record<string, Make>

export type RandomKind = keyof typeof MAKERS

export const RANDOM_KINDS = Object.keys(MAKERS) as readonly RandomKind[]

/** In the world's first repository. Where a step has nothing to work on, an issue is opened. */
export function toRandomEdit(world: World, step: RandomStep): Edit {
  const [repository] = world.repositories.values()
  if (repository === undefined) throw new Error('a random step needs a repository')
  const given = {
    world,
    repository,
    repo: fullNameOf(repository),
    step,
    words: WORDS[step.words % WORDS.length] ?? '',
    author: AUTHORS[(step.words + step.choice) % AUTHORS.length] ?? null,
  }
  const make: Make = MAKERS[step.kind]
  return { ...(make(given) ?? MAKERS.open_issue(given)), afterS: step.afterS }
}
