/**
 * Question sets made from clones of public repositories. A set's file in
 * test/questions/sets/ names repositories, commits and places only; the texts
 * stay in the clones, and the same clones give the same set. The project's own
 * text are the questions of `faq`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toQuestionSet, type QuestionSet, type SetFile } from '../question-set.ts'
import { makeAbstractSet, type AbstractRecipe } from './abstracts.ts'
import { clonesIn, MissingClone, type OpenClone } from './clone.ts'
import { makeChangeSet, makeMentionSet, type ChangeRecipe, type MentionRecipe } from './commit-texts.ts'
import { makeFaqSet, makeHeadingSet, type FaqRecipe, type HeadingRecipe } from './doc-passages.ts'
import { makeIssueSet, type IssueRecipe } from './issue-texts.ts'

const FOLDER = join(resolve(import.meta.dirname, '../../..'), 'test/questions/sets')

export type SetRecipe = AbstractRecipe | ChangeRecipe | FaqRecipe | HeadingRecipe | IssueRecipe | MentionRecipe

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
  switch (recipe.kind) {
    case 'abstracts':
      return makeAbstractSet(open, recipe)
    case 'changes':
      return makeChangeSet(open, recipe)
    case 'faq':
      return makeFaqSet(open, recipe)
    case 'headings':
      return makeHeadingSet(open, recipe)
    case 'issues':
      return makeIssueSet(open, recipe)
    case 'mentions':
      return makeMentionSet(open, recipe)
  }
}
