/**
 * A git repository in memory: real object names (SHA-1 of real objects), commits
 * by their parents, and refs.
 */
import { createHash } from 'node:crypto'

/** Stands for a commit that does not exist. */
export const NO_COMMIT = '0'.repeat(40)

export interface GitFile {
  readonly sha: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
}

export interface GitPerson {
  readonly name: string
  readonly email: string
  readonly dateMs: number
  /** The account that GitHub finds by the address. */
  readonly login: string | null
}

export interface GitCommit {
  readonly sha: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: GitPerson
  readonly committer: GitPerson
}

interface TreeEntry {
  readonly name: string
  readonly mode: GitFile['mode'] | '040000'
  readonly sha: string
}

interface GitTag {
  readonly sha: string
  readonly target: string
  readonly message: string
}

export interface GitStore {
  readonly blobs: Map<string, Uint8Array>
  readonly trees: Map<string, readonly TreeEntry[]>
  readonly commits: Map<string, GitCommit>
  /** Annotated tags. */
  readonly tags: Map<string, GitTag>
  /** `refs/heads/main` and the like -> object. */
  readonly refs: Map<string, string>
}

export function createGitStore(): GitStore {
  return { blobs: new Map(), trees: new Map(), commits: new Map(), tags: new Map(), refs: new Map() }
}

function hash(type: string, content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}

export function putBlob(git: GitStore, content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const sha = hash('blob', bytes)
  git.blobs.set(sha, bytes)
  return sha
}

/** Writes the tree of these files and its sub-trees. */
export function putTree(git: GitStore, files: ReadonlyMap<string, GitFile>): string {
  const entries: TreeEntry[] = []
  const folders = new Map<string, Map<string, GitFile>>()
  for (const [path, file] of files) {
    const slash = path.indexOf('/')
    if (slash === -1) entries.push({ name: path, ...file })
    else {
      const folder = folders.get(path.slice(0, slash)) ?? new Map<string, GitFile>()
      folder.set(path.slice(slash + 1), file)
      folders.set(path.slice(0, slash), folder)
    }
  }
  for (const [name, inner] of folders) entries.push({ name, mode: '040000', sha: putTree(git, inner) })
  const key = ({ name, mode }: TreeEntry): string => (mode === '040000' ? `${name}/` : name)
  entries.sort((a, b) => Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))))
  const sha = hash(
    'tree',
    Buffer.concat(
      entries.flatMap(({ name, mode, sha }) => [
        Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`),
        Buffer.from(sha, 'hex'),
      ]),
    ),
  )
  git.trees.set(sha, entries)
  return sha
}

/** The commit's object as git stores it. */
export function toCommitText(commit: Omit<GitCommit, 'sha'>): string {
  const person = ({ name, email, dateMs }: GitPerson): string => `${name} <${email}> ${dateMs / 1000} +0000`
  return [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${person(commit.author)}`,
    `committer ${person(commit.committer)}`,
    '',
    commit.message,
  ].join('\n')
}

export function putCommit(git: GitStore, commit: Omit<GitCommit, 'sha'>): string {
  const sha = hash('commit', Buffer.from(toCommitText(commit)))
  git.commits.set(sha, { ...commit, sha })
  return sha
}

export function putTag(git: GitStore, name: string, target: string, message: string): string {
  const sha = hash('tag', Buffer.from(`object ${target}\ntype commit\ntag ${name}\n\n${message}`))
  git.tags.set(sha, { sha, target, message })
  return sha
}

/** The files of a tree by path. */
export function listFiles(git: GitStore, tree: string, prefix = ''): Map<string, GitFile> {
  const files = new Map<string, GitFile>()
  for (const { name, mode, sha } of git.trees.get(tree) ?? []) {
    if (mode !== '040000') files.set(prefix + name, { sha, mode })
    else for (const [path, file] of listFiles(git, sha, `${prefix}${name}/`)) files.set(path, file)
  }
  return files
}

/** The entry at a path below a tree; the tree itself for an empty path. */
export function findEntry(git: GitStore, tree: string, path: string): Omit<TreeEntry, 'name'> | undefined {
  let entry: Omit<TreeEntry, 'name'> | undefined = { mode: '040000', sha: tree }
  for (const part of path.split('/').filter(Boolean)) {
    entry = git.trees.get(entry?.sha ?? '')?.find(({ name }) => name === part)
  }
  return entry
}

export function headOf(git: GitStore, branch: string): string | undefined {
  return git.refs.get(`refs/heads/${branch}`)
}

/** A branch, a tag or a SHA, also an abbreviated one, as a commit. */
export function resolveCommit(git: GitStore, name: string): string | undefined {
  const ref = ['', 'refs/', 'refs/heads/', 'refs/tags/'].map((start) => git.refs.get(start + name)).find(Boolean)
  const sha = ref ?? name
  const commit = git.tags.get(sha)?.target ?? sha
  if (git.commits.has(commit)) return commit
  if (!/^[0-9a-f]{7,39}$/.test(name)) return undefined
  return [...git.commits.keys()].find((known) => known.startsWith(name))
}

/** Commits that lead to here, with itself, as `git log` orders them: newest first, children before parents. */
export function listAncestors(git: GitStore, from: string): GitCommit[] {
  const children = new Map<string, number>()
  const open = [from]
  const reached = new Set(open)
  while (open.length > 0) {
    for (const parent of git.commits.get(open.pop() ?? '')?.parents ?? []) {
      children.set(parent, (children.get(parent) ?? 0) + 1)
      if (reached.has(parent)) continue
      reached.add(parent)
      open.push(parent)
    }
  }
  const ready = [...reached].filter((sha) => !children.has(sha)).flatMap((sha) => git.commits.get(sha) ?? [])
  const ordered: GitCommit[] = []
  while (ready.length > 0) {
    const next = ready.pop() as GitCommit
    ordered.push(next)
    for (const parent of next.parents) {
      const left = (children.get(parent) ?? 0) - 1
      children.set(parent, left)
      const commit = git.commits.get(parent)
      if (left > 0 || commit === undefined) continue
      // Newest last, because it is taken from the end.
      const at = ready.findIndex(({ committer }) => committer.dateMs >= commit.committer.dateMs)
      ready.splice(at === -1 ? ready.length : at, 0, commit)
    }
  }
  return ordered
}

/** As `git log -- PATH`: a merge counts when the path differs from all its parents. */
export function touches(git: GitStore, commit: GitCommit, path: string): boolean {
  const at = (sha: string): string | undefined => {
    const entry = findEntry(git, git.commits.get(sha)?.tree ?? '', path)
    return entry && `${entry.mode} ${entry.sha}`
  }
  const here = at(commit.sha)
  const before = commit.parents.length === 0 ? [undefined] : commit.parents.map(at)
  return before.every((one) => one !== here)
}

/** The best common ancestor; undefined for histories without one. */
export function findMergeBase(git: GitStore, a: string, b: string): string | undefined {
  const ofA = new Set(listAncestors(git, a).map(({ sha }) => sha))
  return listAncestors(git, b).find(({ sha }) => ofA.has(sha))?.sha
}
