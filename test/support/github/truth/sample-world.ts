/** A project as one finds it: `acme/app` with its issues, reviews, history, pages and releases. */
import type { Urls } from '../server/urls.ts'
import { applyEdit } from './apply-edit.ts'
import type { Edit, EditResult } from './edit.ts'
import type { World } from './world.ts'

const REPO = 'acme/app'
const AUTHORS = ['ren', 'aoi', 'mika', 'sora'] as const
const PARTS = ['parser', 'cache', 'server', 'search', 'window', 'import'] as const
const SYMPTOMS = [
  'crashes on an empty file',
  'answers twice after a reload',
  'loses the last line of a page',
  'takes ten seconds to start',
  'shows 文字化け for Japanese names',
  'ignores the proxy of the environment',
] as const
const CAUSES = [
  'The buffer is read before its length is known.',
  'The key of the cache has no version in it.',
  'A timer of the previous window still runs.',
  '文字コードの判定が先頭の一行しか見ていません。',
] as const

function of<Item>(list: readonly [Item, ...Item[]], at: number): Item {
  return list[at % list.length] ?? list[0]
}

/**
 * `scale` 1 is 40 issues, 12 pull requests and 30 commits. Larger ones multiply
 * these, with more comments on each issue and more pages: 36 is 20,000 documents.
 * No deliveries are logged.
 */
export function fillSampleWorld(world: World, urls: Urls, scale = 1): { readonly repo: string } {
  const put = (edit: Edit): EditResult => applyEdit(world, urls, edit)
  const by = (at: number): { readonly author: string } => ({ author: of(AUTHORS, at) })
  const { deliveries } = world.settings
  world.settings.deliveries = false
  put({ do: 'create_repository', repo: REPO })
  putHistory(put, 30 * scale)
  for (let at = 0; at < 40 * scale; at++) {
    const part = of(PARTS, at)
    const { number = 0 } = put({
      do: 'open_issue',
      repo: REPO,
      title: `The ${part} ${of(SYMPTOMS, Math.floor(at / 2))}`,
      body: `Seen with version 1.${at % 5}.0 on three machines.\n\n1. Open a project.\n2. Use the ${part}.\n\n${of(CAUSES, at)}`,
      labels: at % 3 === 0 ? ['bug', part] : ['question'],
      ...(at % 4 === 0 && { milestone: `1.${at % 5}` }),
      assignees: at % 5 === 0 ? ['ren'] : [],
      afterS: 3600,
      ...by(at),
    })
    const replies = scale === 1 ? at % 4 : (at * 7) % 19
    for (let reply = 0; reply < replies; reply++) {
      const body = reply === 2 ? '+1' : `${of(CAUSES, at + reply)} It began with release v1.${at % 3}.0.`
      put({ do: 'comment', repo: REPO, number, body, ...by(at + reply + 1), afterS: 600 })
    }
    if (at % 2 === 0) put({ do: 'edit_thread', repo: REPO, number, state: 'closed' })
  }
  for (let at = 0; at < 12 * scale; at++) putPullRequest(put, at)
  put({
    do: 'release',
    repo: REPO,
    tag: 'v1.1.0',
    name: 'Version 1.1',
    body: '## Fixed\n\n- The parser reads empty files.',
  })
  put({
    do: 'release',
    repo: REPO,
    tag: 'v2.0.0-rc.1',
    name: null,
    body: 'A first look at version 2.',
    prerelease: true,
  })
  put({ do: 'release', repo: REPO, tag: 'v2.0.0', name: 'Draft', body: 'Not yet.', draft: true })
  put({ do: 'write_wiki', repo: REPO, file: 'Home.md', text: '# Welcome\n\nStart with the [[Setup guide]].\n' })
  put({ do: 'write_wiki', repo: REPO, file: 'Setup-guide.md', text: 'Install it, then run `app start`.\n' })
  put({ do: 'write_wiki', repo: REPO, file: 'What-is-new?.md', text: 'The search answers in Japanese too.\n' })
  world.settings.deliveries = deliveries
  return { repo: REPO }
}

function putHistory(put: (edit: Edit) => EditResult, commits: number): void {
  const commit = (message: string, files: Readonly<Record<string, string>>, author: string): void => {
    put({ do: 'commit', repo: REPO, message, files, author, afterS: 7200 })
  }
  commit(
    'First version',
    { 'README.md': '# App\n\nReads projects and answers questions.\n', 'src/main.ts': 'start()\n' },
    'ren',
  )
  commit(
    'Add the guide',
    { 'docs/guide.md': '# Guide\n\nHow to begin.\n', 'docs/faq.rst': 'Questions\n=========\n' },
    'aoi',
  )
  put({ do: 'release', repo: REPO, tag: 'v1.0.0', name: 'Version 1.0', body: 'The first one.' })
  for (let at = 0; at < commits - 2; at++) {
    const part = of(PARTS, at)
    const lines = Array.from({ length: (at % 9) + 3 }, (_, line) => `export const ${part}${line} = ${line * at}`)
    const files: Record<string, string> = { [`src/${part}.ts`]: `${lines.join('\n')}\n` }
    if (at % 5 === 0) files['docs/guide.md'] = `# Guide\n\nHow to begin.\n\n## The ${part}\n\n${of(CAUSES, at)}\n`
    if (at % 5 === 1 && at > 30) files[`docs/topics/topic-${at}.md`] = `# ${part} ${at}\n\n${of(CAUSES, at)}\n`
    if (at % 6 === 0) files['package-lock.json'] = `{ "lockfileVersion": ${at} }\n`
    commit(`${part}: ${of(SYMPTOMS, at)} no more (#${(at % 40) + 1})\n\n${of(CAUSES, at)}`, files, of(AUTHORS, at))
  }
}

function putPullRequest(put: (edit: Edit) => EditResult, at: number): void {
  const part = of(PARTS, at)
  const branch = `fix-${part}-${at}`
  const files = { [`src/${part}/fix-${at}.ts`]: `export const fixed = ${at}\n` }
  put({ do: 'push_branch', repo: REPO, branch, to: 'main', afterS: 60 })
  put({ do: 'commit', repo: REPO, branch, message: `${part}: fix it`, files, author: of(AUTHORS, at) })
  const title = `Mend the ${part}`
  const body = `Fixes #${at + 1}. ${of(CAUSES, at)}`
  const opened = put({ do: 'open_pull_request', repo: REPO, title, body, head: branch, author: of(AUTHORS, at) })
  const number = opened.number ?? 0
  put({
    do: 'review',
    repo: REPO,
    number,
    state: 'CHANGES_REQUESTED',
    body: 'Please add a test for this.',
    author: of(AUTHORS, at + 1),
  })
  const path = `src/${part}/fix-${at}.ts`
  put({
    do: 'review_comment',
    repo: REPO,
    number,
    path,
    line: 1,
    body: 'Why a constant and not a function?',
    author: of(AUTHORS, at + 2),
  })
  put({ do: 'review', repo: REPO, number, state: 'APPROVED', body: '', author: of(AUTHORS, at + 1), afterS: 900 })
  put({ do: 'comment', repo: REPO, number, body: 'Coverage went up by 0.1 %.', author: 'coverage[bot]' })
  if (at % 3 !== 0) put({ do: 'merge_pull_request', repo: REPO, number, method: at % 2 === 0 ? 'merge' : 'squash' })
}
