/**
 * `npm run check:rules`: who may import whom, and the form of a module. Reads
 * every source file below src/, mcp-server/ and scripts/, prints file, line,
 * subject and rule for each offence, and exits 1 when there is one.
 * `node scripts/check/rules.ts [FOLDER]` checks another checkout.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkLayers } from './layers.ts'
import { checkModuleForms } from './module-forms.ts'
import { listSources, reportOffences, type Offence } from './parsed-sources.ts'

export function checkRules(root: string): Offence[] {
  const sources = listSources(root, ['src', 'mcp-server', 'scripts'])
  return [...checkLayers(sources), ...checkModuleForms(sources)]
}

function main(): void {
  const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
  reportOffences(checkRules(root), 'rules: every import keeps to its layer')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
