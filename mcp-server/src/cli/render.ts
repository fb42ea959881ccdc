/**
 * `npm run render`: renders a file of MML into a WAV file, without a server.
 * Without -o, the sound and a copy of its text go into a new folder named after
 * the current time. Faults of the text are printed as file:line:column, the form
 * that editors follow.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure } from '../../../src/base/failure.ts'
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import { FADE_SECONDS, SONG_LOOPS } from '../../../src/contracts/limits.ts'
import { composeMml } from '../../../src/mml/compose.ts'
import { toDiagnostic, type Diagnostic } from '../../../src/mml/language/diagnostic.ts'
import { MAX_SAMPLE_RATE, MIN_SAMPLE_RATE } from '../../../src/mml/limits.ts'
import { synthesize } from '../../../src/mml/synth/synthesize.ts'
import { EXIT, parseWholeFlag, runCommand, wrongFlag, type CliCommand, type FlagValues } from './terminal/command.ts'

const MODES = ['ppmck', 'pyxel'] as const
const PROFILES = ['auto', 'house', 'native'] as const

const FLAGS = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FILE',
    help: 'the WAV file (default: YYYYMMDD_HHMMSS_mmm/output.wav, with output.mml beside it)',
  },
  mode: {
    type: 'string',
    value: 'MODE',
    help: `${MODES.join(' or ')} (default: pyxel when a line begins with 0: to 3:, else ppmck)`,
  },
  profile: { type: 'string', value: 'PROFILE', default: 'auto', help: 'auto, house or native' },
  rate: {
    type: 'string',
    value: 'HZ',
    default: '44100',
    help: `sample rate, ${rangeText({ min: MIN_SAMPLE_RATE, max: MAX_SAMPLE_RATE })}`,
  },
  loops: { type: 'string', value: 'N', default: '1', help: `how often the loop is played, ${rangeText(SONG_LOOPS)}` },
  fade: { type: 'string', value: 'SECONDS', default: '0', help: `length of the fade-out, ${rangeText(FADE_SECONDS)}` },
  console: { type: 'boolean', help: "apply the console's output filters" },
  raw: { type: 'boolean', help: 'keep the levels as they are; do not normalise' },
} as const

interface RenderOptions {
  readonly file: string
  readonly output: string | undefined
  readonly mode: (typeof MODES)[number] | undefined
  readonly profile: (typeof PROFILES)[number]
  readonly sampleRate: number
  readonly loops: number
  readonly fadeSeconds: number
  readonly consoleFilters: boolean
  readonly normalize: boolean
}

export const RENDER: CliCommand<typeof FLAGS, RenderOptions> = {
  name: 'render',
  argument: 'FILE.mml',
  about: 'Renders a file of MML (Music Macro Language) into a WAV file. Needs no server.',
  flags: FLAGS,
  parse: parseRender,

  async run({ file, output, mode, profile, sampleRate, loops, fadeSeconds, consoleFilters, normalize }) {
    const read = readText(file)
    if (!read.ok) return read
    const text = read.value
    const analysed = composeMml(text, { mode: mode ?? guessMode(text), profile, loops, fadeSeconds })
    for (const found of [...analysed.errors, ...analysed.warnings]) console.error(toLine(file, found))
    if (analysed.performance === null) return ok(EXIT.failed)
    const settings = { sampleRate, consoleFilters, normalize }
    const sound = await synthesize(analysed.performance, settings, async () => true)
    if (sound.kind === 'refused') return refuse(toFailure(file, sound.why))
    if (sound.kind === 'stopped') throw new Error('the rendering stopped without a request to stop')
    const written = writeFiles(sound.file, text, output)
    if (!written.ok) return written
    console.log(`${written.value}: ${sound.seconds.toFixed(2)} s, ${sound.file.byteLength} bytes`)
    return ok(EXIT.done)
  },
}

function parseRender(values: FlagValues<typeof FLAGS>, file: string): Result<RenderOptions> {
  const mode = values.mode === undefined ? undefined : parseWord('mode', values.mode, MODES)
  if (mode?.ok === false) return mode
  const profile = parseWord('profile', values.profile, PROFILES)
  if (!profile.ok) return profile
  const rate = parseWholeFlag('rate', values.rate, MIN_SAMPLE_RATE, MAX_SAMPLE_RATE)
  if (!rate.ok) return rate
  const loops = parseWholeFlag('loops', values.loops, SONG_LOOPS.min, SONG_LOOPS.max)
  if (!loops.ok) return loops
  const fadeSeconds = Number(values.fade)
  if (!(fadeSeconds >= FADE_SECONDS.min && fadeSeconds <= FADE_SECONDS.max)) {
    return refuse(wrongFlag('fade', `${values.fade} is not a number from ${rangeText(FADE_SECONDS)}`))
  }
  return ok({
    file,
    output: values.output,
    mode: mode?.value,
    profile: profile.value,
    sampleRate: rate.value,
    loops: loops.value,
    fadeSeconds,
    consoleFilters: values.console,
    normalize: !values.raw,
  })
}

function rangeText({ min, max }: { readonly min: number; readonly max: number }): string {
  return `${min} to ${max}`
}

function parseWord<const Words extends readonly string[]>(
  name: string,
  given: string,
  words: Words,
): Result<Words[number]> {
  const word = words.find((known) => known === given)
  return word === undefined ? refuse(wrongFlag(name, `${given} is not one of ${words.join(', ')}`)) : ok(word)
}

function guessMode(text: string): 'ppmck' | 'pyxel' {
  return /^\s*[0-3]\s*:/m.test(text) ? 'pyxel' : 'ppmck'
}

function readText(file: string): Result<string> {
  try {
    return ok(readFileSync(file, 'utf8'))
  } catch (error) {
    return refuse({ code: 'IO_ERROR', message: `${file} cannot be read: ${(error as Error).message}` })
  }
}

/** The path of the WAV file. A copy of the text goes beside it only in a folder that is made for both. */
function writeFiles(sound: Uint8Array, text: string, output: string | undefined): Result<string> {
  const folder = output === undefined ? toFolderName(new Date()) : undefined
  const path = output ?? join(folder ?? '', 'output.wav')
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    writeFileSync(path, sound)
  } catch (error) {
    return refuse(toFailure(path, toDiagnostic('RUNTIME_WAV_WRITE_FAILED', (error as Error).message)))
  }
  if (folder === undefined) return ok(path)
  const copy = join(folder, 'output.mml')
  try {
    writeFileSync(copy, text)
  } catch (error) {
    return refuse(toFailure(copy, toDiagnostic('RUNTIME_MML_WRITE_FAILED', (error as Error).message)))
  }
  return ok(path)
}

/** YYYYMMDD_HHMMSS_mmm, by this machine's clock and time zone. */
export function toFolderName(moment: Date): string {
  const part = (value: number, digits = 2): string => String(value).padStart(digits, '0')
  const day = part(moment.getFullYear(), 4) + part(moment.getMonth() + 1) + part(moment.getDate())
  const time = part(moment.getHours()) + part(moment.getMinutes()) + part(moment.getSeconds())
  return `${day}_${time}_${part(moment.getMilliseconds(), 3)}`
}

function toFailure(file: string, found: Diagnostic): Failure {
  return { code: 'IO_ERROR', message: toLine(file, found) }
}

function toLine(file: string, { line, column, severity, code, message, hint, context }: Diagnostic): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`
  const more = [context, hint].filter((part) => part !== '').map((part) => `\n    ${part}`)
  return `${place}: ${severity}: ${message} [${code}]${more.join('')}`
}

if (import.meta.main) await runCommand(RENDER)
