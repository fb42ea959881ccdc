/**
 * Every setting that can change what an import reads, at git's own default or at
 * the value that the parsers expect. Git takes them from the command line, above
 * any file. Two influences have no setting: history-folder.ts keeps out attributes
 * and drivers of the repository, git-command.ts the variables.
 */

/** An empty file. Git opens this name on Windows too. */
export const EMPTY_FILE = '/dev/null'

interface OutputSetting {
  readonly name: string
  readonly value: string
  /** The part of the output that another value changes. */
  readonly changes: string
}

const OUTPUT_SETTINGS: readonly OutputSetting[] = [
  { name: 'advice.graftFileDeprecated', value: 'false', changes: 'messages about the empty list of grafts' },
  { name: 'color.diff', value: 'false', changes: 'escape sequences in patches' },
  { name: 'color.ui', value: 'false', changes: 'escape sequences everywhere' },
  { name: 'core.abbrev', value: 'auto', changes: 'the length of short ids' },
  { name: 'core.attributesFile', value: EMPTY_FILE, changes: 'which files are binary, and drivers' },
  { name: 'core.bigFileThreshold', value: '512m', changes: 'from which size on a file has no patch' },
  { name: 'core.excludesFile', value: EMPTY_FILE, changes: 'which files count as ignored' },
  { name: 'core.ignoreCase', value: 'false', changes: 'whether two names are one' },
  { name: 'core.precomposeUnicode', value: 'false', changes: 'decomposed names in arguments, on macOS' },
  { name: 'core.quotePath', value: 'off', changes: 'names beyond ASCII' },
  // Some versions of git heed it more than GIT_NO_REPLACE_OBJECTS.
  { name: 'core.useReplaceRefs', value: 'false', changes: 'every object that has a replacement' },
  { name: 'core.warnAmbiguousRefs', value: 'true', changes: 'the length of short names of refs' },
  { name: 'core.whitespace', value: '', changes: 'marks on lines of patches' },
  { name: 'diff.algorithm', value: 'myers', changes: 'which lines a patch takes as changed' },
  { name: 'diff.colorMoved', value: 'no', changes: 'escape sequences in patches' },
  { name: 'diff.context', value: '3', changes: 'the lines around a change' },
  { name: 'diff.dirstat', value: '', changes: 'statistics of folders' },
  { name: 'diff.dstPrefix', value: 'b/', changes: 'names in the head of a patch' },
  { name: 'diff.ignoreSubmodules', value: 'none', changes: 'whether changes of submodules are listed' },
  { name: 'diff.indentHeuristic', value: 'true', changes: 'where a hunk begins' },
  { name: 'diff.interHunkContext', value: '0', changes: 'whether near hunks are one' },
  { name: 'diff.mnemonicPrefix', value: 'false', changes: 'names in the head of a patch' },
  { name: 'diff.noprefix', value: 'false', changes: 'names in the head of a patch' },
  { name: 'diff.orderFile', value: EMPTY_FILE, changes: 'the order of files' },
  { name: 'diff.relative', value: 'false', changes: 'files outside the folder, and the names of the others' },
  { name: 'diff.renameLimit', value: '1000', changes: 'up to how many files renames are looked for' },
  { name: 'diff.renames', value: 'true', changes: 'whether a renamed file is one change or two' },
  { name: 'diff.srcPrefix', value: 'a/', changes: 'names in the head of a patch' },
  { name: 'diff.submodule', value: 'short', changes: 'the form of a submodule’s change' },
  { name: 'diff.suppressBlankEmpty', value: 'false', changes: 'the space of an empty line of context' },
  { name: 'diff.wsErrorHighlight', value: 'none', changes: 'escape sequences in patches' },
  { name: 'format.pretty', value: 'medium', changes: 'the head of a commit' },
  { name: 'i18n.logOutputEncoding', value: 'UTF-8', changes: 'the encoding of messages' },
  { name: 'log.abbrevCommit', value: 'false', changes: 'the length of ids' },
  { name: 'log.date', value: 'default', changes: 'the form of dates' },
  { name: 'log.decorate', value: 'no', changes: 'names of refs behind ids' },
  { name: 'log.diffMerges', value: 'separate', changes: 'the files of a merge' },
  { name: 'log.excludeDecoration', value: '', changes: 'names of refs behind ids' },
  { name: 'log.follow', value: 'false', changes: 'the commits of a single file' },
  { name: 'log.initialDecorationSet', value: '', changes: 'names of refs behind ids' },
  { name: 'log.mailmap', value: 'false', changes: 'names of authors' },
  { name: 'log.showRoot', value: 'true', changes: 'whether the first commit has a patch' },
  { name: 'tag.sort', value: 'refname', changes: 'the order of tags' },
  { name: 'versionsort.suffix', value: '', changes: 'the order of tags' },
]

/** As values of `-c`. */
export function toSettingArguments(): string[] {
  return OUTPUT_SETTINGS.map(({ name, value }) => `${name}=${value}`)
}
