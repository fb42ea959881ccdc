/**
 * No setting, attribute, variable or local list of git changes what an import
 * reads. Each test sets all of them in one place, and shows that plain git would
 * answer otherwise.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toSettingArguments } from '../../../mcp-server/src/git/settings/output-settings.ts'
import type { Document } from '../../../src/documents/document.ts'
import { HOSTILE_SETTINGS } from '../../support/hostile-settings.ts'
import { useImportWorld } from '../../support/import-world.ts'

const world = useImportWorld()

const inherited = { ...process.env }
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in inherited)) delete process.env[name]
  Object.assign(process.env, inherited)
})

/** Decomposed, as a file system of a Mac writes it. */
const DECOMPOSED = 'docs/U\u0308bersicht-\u1112\u1161\u11a8.md'

/** A history in which each setting would change something. */
beforeEach(() => {
  const { sandbox } = world
  const module = join(sandbox.root, 'module')
  mkdirSync(module)
  sandbox.gitIn(module, 'init', '-q', '-b', 'main')
  sandbox.gitIn(module, 'commit', '-q', '--allow-empty', '-m', 'one')
  const lines = Array.from({ length: 30 }, (_, at) => `  step ${at}\n`).join('')
  sandbox.commit('first', {
    'README.md': '# One\n\ntext\n',
    'docs/guide.md': `# Guide\n\n${lines}`,
    [DECOMPOSED]: '# Overview\n',
    'src/a.ts': `function first() {\n${lines}}\n\nclass Second {\n${lines}}\n`,
    'src/b.ts': 'b\n',
    'docs/日本語.md': '文章\n',
    '.mailmap': 'Somebody <some@example.com> <aoi@example.com>\n',
  })
  sandbox.git('tag', '-a', 'v1.10', '-m', 'Tenth')
  sandbox.git('tag', 'v1.9')
  sandbox.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module, 'module')
  sandbox.commit('with a module')
  sandbox.gitIn(join(sandbox.folder, 'module'), 'commit', '-q', '--allow-empty', '-m', 'two')
  sandbox.git('mv', 'docs/guide.md', 'docs/manual.md')
  sandbox.commit('move', {
    'src/a.ts': `function first() {\n${lines.replace('step 3\n', 'step three \n')}}\n\nclass Second {\n${lines.replace('step 20\n', 'step twenty\n').replace('step 29', 'step 29\n\n  last')}}\n`,
    'src/c.ts': 'b\n',
  })
  sandbox.git('checkout', '-q', '-b', 'side', 'HEAD~1')
  sandbox.commit('on the side: ü', { 'docs/side.md': 's\n', 'README.md': '# One\n\nside\n' })
  sandbox.git('checkout', '-q', 'main')
  sandbox.git('merge', '-q', '--no-ff', '-m', 'merge', 'side')
})

/** Drivers, and settings that our commands do not heed. */
const MORE_SETTINGS: Readonly<Record<string, string>> = {
  'column.ui': 'always',
  'diff.markdown.xfuncname': '^.*step.*$',
  'diff.words.algorithm': 'histogram',
  'diff.words.binary': 'true',
  'diff.words.textconv': 'tr a-z A-Z <',
  'diff.words.xfuncname': '^.*step.*$',
  'diff.external': 'false',
  'diff.statGraphWidth': '3',
  'diff.wordRegex': '.',
  'i18n.commitEncoding': 'Shift_JIS',
  'log.showSignature': 'true',
  'notes.displayRef': 'refs/notes/*',
  'pretty.medium': 'format:nothing',
  'rev-list.order': 'reverse',
  'submodule.module.ignore': 'all',
  'submodule.recurse': 'true',
  'transfer.hideRefs': 'refs/tags',
  'uploadpack.hideRefs': 'refs/tags',
}

const HOSTILE_ATTRIBUTES =
  '*.ts diff=words\n*.md -diff linguist-generated\n* encoding=UTF-16LE whitespace=space-before-tab\n'

/** The rows of an import from the top folder and of one from a folder below. */
async function readRows(): Promise<Document[][]> {
  const rows: Document[][] = []
  for (const [at, folder] of ['.', 'docs', 'src'].entries()) {
    const repo = `rows/${rows.length}-${at}`
    const summary = await world.run({ path: join(world.sandbox.folder, folder), repo })
    expect(summary).toMatchObject({ outcome: 'complete', excluded: [] })
    rows.push(world.contents(repo).map((row) => ({ ...row, repository: { name: 'x/y' } })))
    world.model.repositories.clear()
  }
  return rows
}

/** The answer of plain git from a folder below, with the variables of this process. */
function askPlainGit(): string {
  const command = ['log', '-p', '--all', '--cc']
  const { GIT_CONFIG_GLOBAL: _, GIT_CONFIG_NOSYSTEM: __, ...env } = world.sandbox.env()
  const { stdout } = spawnSync('git', command, {
    cwd: join(world.sandbox.folder, 'docs'),
    env: { ...env, ...process.env },
    encoding: 'utf8',
  })
  return stdout
}

function toConfigFile(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => {
      const [section, ...rest] = name.split('.')
      const key = rest.pop()
      return `[${section}${rest.length === 0 ? '' : ` "${rest.join('.')}"`}]\n\t${key} = "${value}"\n`
    })
    .join('')
}

const ALL_SETTINGS = { ...HOSTILE_SETTINGS, ...MORE_SETTINGS }

function plantFiles(): void {
  const { root } = world.sandbox
  writeFileSync(join(root, 'attributes'), HOSTILE_ATTRIBUTES)
  writeFileSync(join(root, 'excludes'), '*\n')
  writeFileSync(join(root, 'order'), 'src/*\nREADME.md\n')
}

/** Each makes all settings effective at one place. */
const PLACES: Readonly<Record<string, () => void>> = {
  'the repository’s configuration': () => {
    for (const [name, value] of Object.entries(ALL_SETTINGS)) world.sandbox.git('config', '--local', name, value)
  },
  'the user’s configuration': () => {
    const { root } = world.sandbox
    writeFileSync(join(root, '.gitconfig'), toConfigFile(ALL_SETTINGS))
    mkdirSync(join(root, '.config/git'), { recursive: true })
    writeFileSync(join(root, '.config/git/attributes'), HOSTILE_ATTRIBUTES)
    process.env['HOME'] = root
    process.env['XDG_CONFIG_HOME'] = join(root, '.config')
    delete process.env['GIT_CONFIG_GLOBAL']
  },
  'the machine’s configuration': () => {
    process.env['GIT_CONFIG_SYSTEM'] = join(world.sandbox.root, 'system')
    process.env['GIT_CONFIG_NOSYSTEM'] = '0'
    writeFileSync(join(world.sandbox.root, 'system'), toConfigFile(ALL_SETTINGS))
  },
  'the configuration of the environment': () => {
    process.env['GIT_CONFIG_COUNT'] = String(Object.keys(ALL_SETTINGS).length)
    for (const [at, [name, value]] of Object.entries(ALL_SETTINGS).entries()) {
      process.env[`GIT_CONFIG_KEY_${at}`] = name
      process.env[`GIT_CONFIG_VALUE_${at}`] = value
    }
  },
  'attributes beside the commits': () => {
    const { sandbox } = world
    writeFileSync(join(sandbox.folder, '.git/info/attributes'), HOSTILE_ATTRIBUTES)
    sandbox.write({ '.gitattributes': HOSTILE_ATTRIBUTES, 'docs/.gitattributes': '* -diff\n' })
    sandbox.git('config', 'diff.words.xfuncname', '^.*step.*$')
  },
  'a working tree elsewhere': () => {
    world.sandbox.git('config', 'core.worktree', join(world.sandbox.root, 'module'))
    process.env['GIT_IMPLICIT_WORK_TREE'] = '0'
  },
  'replaced commits and grafts': () => {
    const { sandbox } = world
    const [head, old] = [sandbox.git('rev-parse', 'HEAD'), sandbox.git('rev-parse', 'v1.9')]
    sandbox.git('replace', sandbox.git('rev-parse', 'HEAD~1'), sandbox.git('rev-parse', 'side'))
    sandbox.git('replace', sandbox.git('rev-parse', 'HEAD:README.md'), sandbox.git('rev-parse', 'HEAD:src/b.ts'))
    writeFileSync(join(sandbox.folder, '.git/info/grafts'), `${head} ${old}\n`)
    sandbox.git('notes', 'add', '-m', 'a note', 'HEAD')
  },
  'variables of the environment': () => {
    Object.assign(process.env, {
      COLUMNS: '20',
      GIT_ATTR_SOURCE: 'HEAD',
      GIT_DIFF_OPTS: '--unified=0',
      GIT_EXTERNAL_DIFF: 'false',
      GIT_ICASE_PATHSPECS: '1',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_NO_REPLACE_OBJECTS: '0',
      GIT_PAGER_IN_USE: 'true',
      GIT_PREFIX: 'src/',
      LANGUAGE: 'ja',
      LC_ALL: 'ja_JP.eucJP',
      TZ: 'Asia/Tokyo',
    })
  },
  'variables that name another repository': () => {
    const other = join(world.sandbox.root, 'module/.git')
    Object.assign(process.env, {
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(other, 'objects'),
      GIT_COMMON_DIR: other,
      GIT_DIR: other,
      GIT_GRAFT_FILE: join(world.sandbox.root, 'grafts'),
      GIT_INDEX_FILE: join(other, 'index'),
      GIT_NAMESPACE: 'other',
      GIT_OBJECT_DIRECTORY: join(other, 'objects'),
      GIT_REPLACE_REF_BASE: 'refs/heads/',
      GIT_SHALLOW_FILE: join(world.sandbox.root, 'shallow'),
      GIT_WORK_TREE: world.sandbox.root,
    })
  },
}

/** The variables that name another repository come last, because the other plants need git too. */
function plantAll(): void {
  for (const plant of Object.values(PLACES)) plant()
}

describe('an import reads the same rows from each folder', () => {
  test.each([...Object.entries(PLACES), ['all of these together', plantAll] as const])(
    'in spite of %s',
    async (_place, plant) => {
      plantFiles()
      const [clean, plain] = [await readRows(), askPlainGit()]
      expect(clean[0]).not.toEqual([])
      expect(clean[1]).toEqual(clean[0])
      plant()
      expect(askPlainGit(), 'the plant is dead').not.toBe(plain)
      expect(await readRows()).toEqual(clean)
    },
  )

  test('each setting of the table has a hostile value in these tests', () => {
    expect(Object.keys(HOSTILE_SETTINGS)).toEqual(toSettingArguments().map((setting) => setting.split('=')[0]))
  })

  test('a document is dated by its own commit when differences are relative to a folder', async () => {
    const { sandbox } = world
    sandbox.git('config', 'diff.relative', 'true')
    sandbox.commit('dated', { 'docs/a.md': 'a\n' })
    const at = sandbox.nowMs
    sandbox.commit('later', { 'docs/b.md': 'b\n', 'src/a.ts': 'x\n' })
    for (const folder of ['.', 'docs', 'src']) {
      await world.run({ path: join(sandbox.folder, folder), repo: `x/${folder === '.' ? 'top' : folder}` })
    }
    for (const repo of ['x/top', 'x/docs', 'x/src']) {
      const row = world.contents(repo).find(({ identity }) => identity.type === 'doc' && identity.path === 'docs/a.md')
      expect(row).toMatchObject({ createdAt: at, updatedAt: at })
    }
  })

  test('a name is stored as git has it, composed or not', async () => {
    const composed = DECOMPOSED.normalize('NFC')
    world.sandbox.git('config', 'core.precomposeUnicode', 'true')
    world.sandbox.commit('both', { [composed.replace('.md', '2.md')]: 'c\n' })
    await world.run()
    const paths = world.ofType('doc').map(({ identity }) => (identity as { path: string }).path)
    expect(paths).toContain(DECOMPOSED)
    expect(paths).toContain(composed.replace('.md', '2.md'))
    expect(paths).not.toContain(composed)
    expect(world.ofType('doc').every(({ createdAt }) => createdAt !== undefined)).toBe(true)
  })
})
