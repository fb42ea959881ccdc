/**
 * Questions about documentation whose documents are its passages: `headings` asks
 * with the heading of a passage, which the passage itself does not contain, in
 * several languages; `faq` asks questions of the project's own, each with the
 * passages that answer it, and there headings belong to the passages.
 */
import type { SetFile } from '../question-set.ts'
import type { Clone, OpenClone, Source } from './clone.ts'
import { pick } from './pick.ts'
import { markdownSections } from './sections.ts'

export interface HeadingRecipe {
  readonly kind: 'headings'
  readonly source: Source
  /** Language -> the folder of its documents. */
  readonly languages: Readonly<Record<string, string>>
  /** Passages and questions of each language. */
  readonly documents: number
  readonly questions: number
}

export interface FaqRecipe {
  readonly kind: 'faq'
  readonly source: Source
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
  const clone = await open(recipe.source)
  const parts = await Promise.all(
    Object.entries(recipe.languages).map(async ([language, under]) => {
      const passages = await readPassages(clone, under, PASSAGE_CHARS)
      const named = Map.groupBy(passages, headingOf)
      const kept = takeFiles(passages, recipe.documents, under.length)
      const unique = kept.filter((passage) => named.get(headingOf(passage))!.length === 1)
      const asked = pick(unique.filter(hasWords), recipe.questions, ({ id }) => id.slice(under.length))
      return { kept, asked: asked.map((passage) => ({ passage, language })) }
    }),
  )
  const asked = parts.flatMap((part) => part.asked)
  return {
    docs: parts.flatMap(({ kept }) => kept.map(({ id, path, text }) => ({ id, title: '', path, text }))),
    queries: asked.map(({ passage, language }) => ({ id: passage.id, text: headingOf(passage), tag: language })),
    qrels: Object.fromEntries(asked.map(({ passage: { id } }) => [id, { [id]: 1 }])),
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
  const texts = await clone.readTexts((path) => path.startsWith(under) && path.endsWith('.md'))
  return texts.flatMap(({ path, text }) =>
    markdownSections(text).flatMap(({ headings, text: passage }, at) =>
      passage.length < chars ? [] : [{ id: `${path}#${at}`, path, headings, text: passage }],
    ),
  )
}

/** Whole files until there are enough passages, the same files in every language. */
function takeFiles(passages: readonly Passage[], count: number, prefix: number): Passage[] {
  const files = Map.groupBy(passages, ({ path }) => path)
  const kept = new Set<string>()
  let total = 0
  const paths = [...files.keys()]
  for (let size = 1; size <= paths.length && total < count; size += 1) {
    for (const path of pick(paths, size, (one) => one.slice(prefix))) {
      if (!kept.has(path)) total += files.get(path)!.length
      kept.add(path)
    }
  }
  return passages.filter(({ path }) => kept.has(path))
}

function headingOf({ headings }: Passage): string {
  return headings.at(-1)!.replace(/`/g, '')
}

/** At least two words, or four characters of a script without spaces. */
function hasWords(passage: Passage): boolean {
  const heading = headingOf(passage)
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
