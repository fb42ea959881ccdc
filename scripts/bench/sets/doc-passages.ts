/**
 * Questions about documentation whose documents are its passages: `headings` asks
 * with the heading of a passage, which the passage itself does not contain, of
 * all headings or of those that are questions; `faq` asks questions of the
 * project's own, each with the passages that answer it, and there headings belong
 * to the passages.
 */
import type { SetFile } from '../question-set.ts'
import type { Clone, OpenClone, CloneSource } from './clone.ts'
import { pick } from './pick.ts'
import { sectionsOf } from './sections.ts'

export interface HeadingRecipe {
  readonly kind: 'headings'
  /** `questions`: only headings that end with a question mark. */
  readonly ask: 'headings' | 'questions'
  readonly sources: readonly (CloneSource & {
    /** Figures are printed for each tag. */
    readonly tag?: string
    /** The folder of the documents. */
    readonly under: string
  })[]
  /** Passages, rounded up to whole files, and questions of each source. */
  readonly documents: number
  readonly questions: number
}

export interface FaqRecipe {
  readonly kind: 'faq'
  readonly source: CloneSource
  /** The folder of the documents. */
  readonly under: string
  /** An answer is `path: Heading`, or `path: Heading > Heading below it` where the last one alone is not unique. */
  readonly questions: readonly { readonly ask: string; readonly answers: readonly string[] }[]
}

/** A shorter passage is a link or a list of names. */
const PASSAGE_CHARS = 120

interface Passage {
  readonly id: string
  readonly path: string
  readonly headings: readonly string[]
  readonly text: string
}

export async function makeHeadingSet(open: OpenClone, recipe: HeadingRecipe): Promise<SetFile> {
  const isQuestion = recipe.ask === 'questions' ? (heading: string) => heading.endsWith('?') : hasWords
  const parts = await Promise.all(
    recipe.sources.map(async ({ tag, under, ...source }) => {
      const clone = await open(source)
      const passages = await readPassages(clone, under, PASSAGE_CHARS)
      const named = Map.groupBy(passages, headingOf)
      const askable = new Set(
        passages.filter((one) => isQuestion(headingOf(one)) && named.get(headingOf(one))!.length === 1),
      )
      const kept = takeFiles(passages, askable, recipe.documents, (path) => path.slice(under.length))
      const posed = pick(
        kept.filter((passage) => askable.has(passage)),
        recipe.questions,
        ({ id }) => id.slice(under.length),
      )
      const nameOf = ({ id }: Passage) => `${clone.repository}/${id}`
      return {
        docs: kept.map((passage) => ({ id: nameOf(passage), title: '', path: passage.path, text: passage.text })),
        queries: posed.map((passage) => ({ id: nameOf(passage), text: headingOf(passage), ...(tag && { tag }) })),
      }
    }),
  )
  const queries = parts.flatMap((part) => part.queries)
  return {
    docs: parts.flatMap(({ docs }) => docs),
    queries,
    qrels: Object.fromEntries(queries.map(({ id }) => [id, { [id]: 1 }])),
  }
}

export async function makeFaqSet(open: OpenClone, { source, under, questions }: FaqRecipe): Promise<SetFile> {
  const passages = await readPassages(await open(source), under, 1)
  return {
    docs: passages.map(({ id, path, headings, text }) => ({
      id,
      title: '',
      path,
      text: `${'#'.repeat(headings.length)} ${headings.at(-1)}\n\n${text}`,
    })),
    queries: questions.map(({ ask }) => ({ id: ask, text: ask })),
    qrels: Object.fromEntries(
      questions.map(({ ask, answers }) => [
        ask,
        Object.fromEntries(answers.map((answer) => [findPassage(passages, answer).id, 1])),
      ]),
    ),
  }
}

async function readPassages(clone: Clone, under: string, chars: number): Promise<Passage[]> {
  const texts = await clone.readTexts((path) => path.startsWith(under) && /\.(?:md|rst)$/.test(path))
  return texts.flatMap(({ path, text }) =>
    sectionsOf(path, text).flatMap(({ headings, text: passage }, at) =>
      passage.length < chars ? [] : [{ id: `${path}#${at}`, path, headings, text: passage }],
    ),
  )
}

/**
 * Whole files until there are enough passages: those that most of the questions
 * are about first, among equals by a hash of their names, so that translations
 * of one document stay together.
 */
function takeFiles(
  passages: readonly Passage[],
  askable: ReadonlySet<Passage>,
  count: number,
  nameOf: (path: string) => string,
): Passage[] {
  const files = [...Map.groupBy(passages, ({ path }) => path)]
  const half = files.filter(([, own]) => own.filter((one) => askable.has(one)).length * 2 > own.length)
  const kept = new Set<string>()
  let total = 0
  for (const group of [half, files]) {
    for (let size = 1; size <= group.length && total < count; size += 1) {
      for (const [path, own] of pick(group, size, ([one]) => nameOf(one))) {
        if (!kept.has(path)) total += own.length
        kept.add(path)
      }
    }
  }
  return passages.filter(({ path }) => kept.has(path))
}

function headingOf({ headings }: Passage): string {
  return headings.at(-1)!.replace(/`/g, '')
}

/** At least two words, or four characters of a script without spaces. */
function hasWords(heading: string): boolean {
  return /\p{L}{2,}[^\p{L}]+\p{L}{2,}/u.test(heading) || /\p{Script=Han}{4,}/u.test(heading)
}

function findPassage(passages: readonly Passage[], answer: string): Passage {
  const [, path = '', place = ''] = /^(\S+): (.+)$/.exec(answer) ?? []
  const found = passages.filter(
    (passage) => passage.path === path && ` > ${passage.headings.join(' > ')}`.endsWith(` > ${place}`),
  )
  if (found.length !== 1) throw new Error(`the answer "${answer}" names ${found.length} passages; it must name one`)
  return found[0]!
}
