/**
 * Irregular English verbs that stemming cannot unify: `went` and `go`. Forms that are
 * more often other words (`bit`, `rose`, `wound`) are excluded. Only conversations use
 * it: it does not improve the search of documents.
 */
import { toTerm } from './stem.ts'

/** The base, then its irregular forms. */
const FAMILIES = `arise arose arisen|awake awoke awoken|beat beaten|become became|begin began begun|bend bent
  bite bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt
  buy bought|catch caught|choose chose chosen|come came|creep crept|deal dealt|dig dug|draw drew drawn
  dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
  fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten
  forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown
  hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lead led|lean leant
  learn learnt|leave left|lend lent|lose lost|make made|mean meant|meet met|mistake mistook mistaken|pay paid
  prove proven|ride rode ridden|ring rang rung|rise risen|run ran|say said|see saw seen|seek sought|sell sold
  send sent|sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung
  sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spill spilt|spin spun|spoil spoilt
  spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck|swear swore sworn
  sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told
  think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|weave wove woven
  weep wept|win won|withdraw withdrew withdrawn|write wrote written|rewrite rewrote rewritten|rebuild rebuilt
  resend resent|overcome overcame|undergo underwent undergone|undo undid undone|overwrite overwrote overwritten`

const BASES: ReadonlyMap<string, string> = new Map(
  FAMILIES.split(/[|\n]/).flatMap((family) => {
    const [base = '', ...forms] = family.trim().split(/\s+/)
    return forms.map((form): [string, string] => [form, base])
  }),
)

/** The term of a folded word in conversations: like `toTerm`, with one term for all forms of an irregular word. */
export function toBaseTerm(word: string): string {
  return toTerm(BASES.get(word) ?? word)
}
