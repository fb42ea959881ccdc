/**
 * Question sets made from clones of public repositories. A set's file in
 * test/questions/sets/ names repositories, commits and places; the texts stay in
 * the clones, and the same clones give the same set. Only the questions of `faq`
 * are text of this project.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toQuestionSet, type QuestionSet, type SetFile } from '../question-set.ts'
import { makeAbstractSet } from './abstracts.ts'
import { clonesIn, MissingClone, type OpenClone } from './clone.ts'
import { makeChangeSet, makeMentionSet } from './commit-texts.ts'
import { makeFaqSet, makeHeadingSet } from './doc-passages.ts'
import { makeIssueSet } from './issue-texts.ts'

const FOLDER = join(resolve(import.meta.dirname, '../../..'), 'test/questions/sets')

/** Each kind of set, and the function that makes it. */
const MAKERS = {
  abstracts: makeAbstractSet,
  changes: makeChangeSet,
  faq: makeFaqSet,
  headings: makeHeadingSet,
  issues: makeIssueSet,
  mentions: makeMentionSet,
}

type Maker = (typeof MAKERS)[keyof typeof MAKERS]
export type SetRecipe = Parameters<Maker>[1]

export interface RepositorySet {
  readonly name: string
  readonly set: QuestionSet
}

/** The sets of those names, or all, whose clones are below `clones`; a set without its clones is reported to `onMissing`. */
export async function* readRepositorySets(
  clones: string,
  names: readonly string[] | undefined,
  onMissing: (name: string, reason: string) => void,
): AsyncGenerator<RepositorySet> {
  const open = clonesIn(clones)
  const present = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''))
  for (const name of names ?? present.sort()) {
    if (!present.includes(name)) throw new Error(`there is no set "${name}"; the sets are ${present.join(', ')}`)
    const recipe = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as SetRecipe
    const set = await makeSet(open, recipe).catch((error: unknown) => {
      if (!(error instanceof MissingClone)) throw error
      onMissing(name, error.message)
      return undefined
    })
    if (set !== undefined) yield { name, set: toQuestionSet(set) }
  }
}

export function makeSet(open: OpenClone, recipe: SetRecipe): Promise<SetFile> {
  const make = MAKERS[recipe.kind] as (open: OpenClone, recipe: SetRecipe) => Promise<SetFile>
  return make(open, recipe)
}
