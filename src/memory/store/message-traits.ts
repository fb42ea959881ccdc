/**
 * Traits of a message that ranking uses beside its words: the speaker's name, and
 * whether the text ends as a question, mentions a time or mentions a number.
 * Guesses from spelling in English, Japanese, Chinese and Korean. A wrong guess
 * changes the order of results a little.
 */
import { termKey } from '../../fts/packed-terms.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import { normalise } from '../../text/tokenize/normalise.ts'
import { analyseText } from '../../text/tokenize/words.ts'

/** UTF-16 units at the start of a content that are searched for times and numbers. */
const READ_CHARS = 4000

/** UTF-16 units at the start of a content that may contain `Name:`. */
const SPEAKER_CHARS = 120

/** `Ann: hi`, `**Ann Lee:** hi`, `[9 May] Ann (at home): hi`, `田中：はい`. */
const SPEAKER =
  /^\s*(?:\[[^\]\n]{1,40}\]\s*)?\**(?<name>\p{L}[\p{L}\p{M}\p{N}.'’_\- ]{0,39}?)\**(?: \([^)\n]{1,40}\))? ?(?:：|:\**(?=\s|$))/u

/** A longer text before a colon is a sentence, not a name. */
const NAME_WORDS = 3

const TITLES: ReadonlySet<string> = new Set(['dr', 'mr', 'mrs', 'ms', 'prof', 'sir'])

/** Term keys of the words of the name in `Name: text`; empty for a text without one. */
export function speakerKeys(content: string): number[] {
  const name = SPEAKER.exec(content.slice(0, SPEAKER_CHARS))?.groups?.['name']
  if (name === undefined) return []
  const words = analyseText(name, toBaseTerm).words.filter((word) => !TITLES.has(word))
  return words.length <= NAME_WORDS ? words.map(termKey) : []
}

/** Whether the text ends with a question mark, ignoring quotes, marks and emoji after it. */
export function endsAsQuestion(content: string): boolean {
  return /[?？؟][!！?？"'”’)）」』*_~\s\p{Extended_Pictographic}\u200D\uFE0F]*$/u.test(content.slice(-40))
}

const ENGLISH_TIME = new RegExp(
  String.raw`\b(?:yesterday|today|tonight|tomorrow|ago|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?` +
    String.raw`|(?:last|next|this|past|coming|previous|every|each) (?:few |couple of )?(?:days?|nights?|mornings?|afternoons?|evenings?|weeks?|months?|years?|spring|summer|autumn|fall|winter)` +
    String.raw`|(?:days?|weeks?|months?|years?|hours?) (?:before|after|later|earlier|since)|(?:for|in|since|after|until|till) (?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|several) (?:days?|weeks?|months?|years?|hours?|minutes?)` +
    String.raw`|january|february|april|june|july|august|september|october|november|december|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d{1,2}|(?:in|on|since|until|by|early|late|mid|of|last|next|this) (?:march|may)|(?:march|may) \d{1,2}` +
    String.raw`|\d{1,2}(?:st|nd|rd|th)|(?:19|20)\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}(?::\d\d)? ?[ap]\.?m|\d{1,2}:\d\d|noon|midnight|recently|lately|soon|earlier|christmas|easter|thanksgiving|halloween|new year)\b`,
  'i',
)

const EAST_ASIAN_TIME =
  /昨日|今日|明日|昨夜|今夜|今朝|今晩|一昨日|明後日|[先今来毎]週|[先今来毎]月|去年|今年|来年|昨年|週末|[0-9〇一二三四五六七八九十]+(?:年|月|日|時|週間|ヶ月|か月)|[月火水木金土日]曜|昨天|今天|明天|前天|后天|後天|[上下这這]个?[周週月]|星期|周末|어제|오늘|내일|모레|그저께|지난|다음 ?(?:주|달|해)|작년|올해|내년|주말|[0-9]+ ?(?:년|월|일|시)|[월화수목금토일]요일/u

/** Whether the text mentions a time. */
export function hasTime(content: string): boolean {
  const text = normalise(content.slice(0, READ_CHARS))
  return ENGLISH_TIME.test(text) || EAST_ASIAN_TIME.test(text)
}

const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|million|dozens?|couple|pair|once|twice|both|half|several|single|only one|one (?:of|time|more))\b|[一二三四五六七八九十百千万]+(?:人|個|回|つ|度|本|匹|冊|枚|台|歳|杯|年|日|時間|週間|个|次|只|岁|块|天)|(?:한|두|세|네|다섯|여섯) ?(?:명|개|번|마리|살|잔)/iu

/** Whether the text mentions a number or an amount. */
export function hasNumber(content: string): boolean {
  return NUMBER.test(normalise(content.slice(0, READ_CHARS)))
}
