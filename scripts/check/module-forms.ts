/**
 * The form of a module: no default export outside the entry of a Worker, no
 * barrel but the registries, and processes, git above all, started only by the
 * files listed here.
 */
import { WORKER_ENTRIES } from './layers.ts'
import { lineOf, type Offence, type ParsedSource } from './parsed-sources.ts'

/** index.ts files that are registries and may re-export a folder; any other re-export is a barrel. */
const REGISTRIES = ['src/contracts/index.ts', 'src/documents/index.ts', 'src/mml/templates/index.ts']

/** The one file that starts git: it adds the arguments that keep a repository from running code. */
const GIT_RUNNER = 'mcp-server/src/git/run-git.ts'

/** Files that may start other processes. */
const PROCESS_STARTERS = [
  'scripts/bootstrap.mjs',
  'scripts/make-word-table.ts',
  'scripts/bench/github/scripted-process.ts',
  'scripts/check/conformance.ts',
  'mcp-server/src/cli/start/github-token.ts',
  'mcp-server/src/local/bundle.ts',
  'mcp-server/src/local/runtime-process.ts',
  'scripts/soak.ts',
  'scripts/test.ts',
]

export function checkModuleForms(sources: readonly ParsedSource[]): Offence[] {
  return sources.flatMap((source) => [...checkExports(source), ...checkProcesses(source)])
}

function checkExports({ file, text, parsed }: ParsedSource): Offence[] {
  if (WORKER_ENTRIES.includes(file)) return []
  const exports = parsed.module.staticExports.flatMap(({ entries }) => entries)
  return exports.flatMap((entry): Offence[] => {
    const line = lineOf(text, entry.start)
    const { exportName, moduleRequest } = entry
    if (exportName.kind === 'Default' || exportName.name === 'default') {
      return [{ file, line, subject: 'export default', rule: 'only the entry of a Worker has a default export' }]
    }
    if (moduleRequest === null || REGISTRIES.includes(file)) return []
    const rule = 'no barrels: import a name from the file that declares it'
    return [{ file, line, subject: moduleRequest.value, rule }]
  })
}

/**
 * Only listed files name the module that starts processes, and of those only
 * the runner has the word git. The whole text counts, comments included, so that
 * lazy imports, `require` and a command in a string are found too.
 */
function checkProcesses({ file, text }: ParsedSource): Offence[] {
  const match = /['"`]((?:node:)?child_process)['"`]/.exec(text)
  if (match === null || file === GIT_RUNNER) return []
  const subject = match[1] ?? ''
  if (!PROCESS_STARTERS.includes(file)) {
    const rule = 'only the files listed in scripts/check/module-forms.ts start processes'
    return [{ file, line: lineOf(text, match.index), subject, rule }]
  }
  const git = /^.*\bgit\b.*$/im.exec(text)
  if (git === null) return []
  return [{ file, line: lineOf(text, git.index), subject: git[0].trim(), rule: `only ${GIT_RUNNER} starts git` }]
}
