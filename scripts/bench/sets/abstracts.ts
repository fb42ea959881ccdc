/**
 * Long questions of a person: the first sentences of a proposal's motivation; the
 * answer is its abstract, among the abstracts of all proposals. Titles are in
 * neither.
 */
import type { SetFile } from '../question-set.ts'
import type { OpenClone, CloneSource, SourceText } from './clone.ts'
import { pick } from './pick.ts'
import { firstSentences, sectionsOf } from './sections.ts'

interface ProposalSource extends CloneSource {
  readonly tag: string
  /** The folder of the proposals, whose names hold their numbers. */
  readonly under: string
  /** Headings of the two sections, the first one found counts; letter case and numbering do not. */
  readonly abstract: readonly string[]
  readonly motivation: readonly string[]
}

export interface AbstractRecipe {
  readonly kind: 'abstracts'
  readonly sources: readonly ProposalSource[]
  /** Abstracts and questions of each source. */
  readonly documents: number
  readonly questions: number
}

const ABSTRACT_CHARS = 80
const QUESTION_CHARS = 120
const SENTENCES = 3

export async function makeAbstractSet(open: OpenClone, recipe: AbstractRecipe): Promise<SetFile> {
  const parts = await Promise.all(
    recipe.sources.map(async (source) => {
      const accept = (path: string) => path.startsWith(source.under) && /\d+[^/]*\.(?:md|rst)$/.test(path)
      const texts = await (await open(source)).readTexts(accept)
      const proposals = texts.flatMap((text) => readProposal(text, source) ?? [])
      const kept = pick(proposals, recipe.documents, ({ id }) => id)
      const asking = kept.filter(({ question }) => question.length >= QUESTION_CHARS)
      return { kept, posed: pick(asking, recipe.questions, ({ id }) => `question ${id}`) }
    }),
  )
  const posed = parts.flatMap((part) => part.posed)
  return {
    docs: parts.flatMap(({ kept }) => kept.map(({ id, abstract }) => ({ id, title: '', path: id, text: abstract }))),
    queries: posed.map(({ id, question, tag }) => ({ id, text: question, tag })),
    qrels: Object.fromEntries(posed.map(({ id }) => [id, { [id]: 1 }])),
  }
}

function readProposal({ path, text }: SourceText, source: ProposalSource) {
  const sections = sectionsOf(path, text)
  const find = (names: readonly string[]): string =>
    sections.find(({ headings }) => names.includes(plainHeading(headings.at(-1)!)))?.text ?? ''
  const abstract = find(source.abstract)
  if (abstract.length < ABSTRACT_CHARS) return undefined
  const [number] = /\d+/.exec(path.slice(source.under.length)) ?? []
  const question = firstSentences(find(source.motivation), SENTENCES)
  return { id: `${source.tag}/${number}`, abstract, question, tag: source.tag }
}

function plainHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/^[\d.\s]+/, '')
    .trim()
}
