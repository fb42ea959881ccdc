/**
 * `npm run render -- FILE.mml`: an MML file into a WAV file, without a server.
 * Without -o both go into a folder named after the moment, the text beside its
 * sound. Errors of the text are printed as file:line:column for an editor.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { analyseMml } from '../../../src/mml/analyse.ts'
import { toDiagnostic, type Diagnostic } from '../../../src/mml/language/diagnostic.ts'
import { synthesize } from '../../../src/mml/synth/synthesize.ts'
import { toFolderName } from './render-folder.ts'

const USAGE = `npm run render -- FILE.mml [options]

  -o FILE            the WAV file (default: YYYYMMDD_HHMMSS_mmm/output.wav, with output.mml beside it)
  --mode MODE        ppmck or pyxel (default: pyxel when a line begins with 0: to 3:, else ppmck)
  --profile PROFILE  auto, house or native (default: auto)
  --rate HZ          8000 to 96000 (default: 44100)
  --loops N          how often the loop is played, 1 to 8 (default: 1)
  --fade SECONDS     fade out, 0 to 30 (default: 0)
  --console          with the console's filters
  --raw              leave the levels as they are, not normalised`

async function main(): Promise<void> {
  const { file, output, mode, profile, sampleRate, loops, fadeSeconds, consoleFilters, normalize } = readOptions()
  const text = readText(file)
  const options = { mode: mode ?? guessMode(text), profile, loops, fadeSeconds }
  const { errors, warnings, performance } = analyseMml(text, options)
  for (const found of [...errors, ...warnings]) console.error(toLine(file, found))
  if (performance === null) process.exit(1)
  const sound = await synthesize(performance, { sampleRate, consoleFilters, normalize }, async () => true)
  if (sound.kind === 'refused') return give(toLine(file, sound.why))
  if (sound.kind === 'stopped') throw new Error('nobody stopped it')
  const written = write(sound.file, text, output)
  console.log(`${written}: ${sound.seconds.toFixed(2)} s, ${sound.file.byteLength} bytes`)
}

function readOptions() {
  const { values, positionals } = parseOptions()
  if (values.help) {
    console.log(USAGE)
    process.exit(0)
  }
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) return give(`One FILE.mml is wanted.\n\n${USAGE}`, 2)
  return {
    file,
    output: values.output,
    mode: values.mode === undefined ? undefined : oneOf('--mode', values.mode, ['ppmck', 'pyxel'] as const),
    profile: oneOf('--profile', values.profile, ['auto', 'house', 'native'] as const),
    sampleRate: within('--rate', Math.round(Number(values.rate)), 8_000, 96_000),
    loops: within('--loops', Math.round(Number(values.loops)), 1, 8),
    fadeSeconds: within('--fade', Number(values.fade), 0, 30),
    consoleFilters: values.console,
    normalize: !values.raw,
  }
}

function parseOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        mode: { type: 'string' },
        profile: { type: 'string', default: 'auto' },
        rate: { type: 'string', default: '44100' },
        loops: { type: 'string', default: '1' },
        fade: { type: 'string', default: '0' },
        console: { type: 'boolean', default: false },
        raw: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    return give(`${(error as Error).message}\n\n${USAGE}`, 2)
  }
}

function oneOf<const Words extends readonly string[]>(option: string, given: string, words: Words): Words[number] {
  return words.find((word) => word === given) ?? give(`${option}: ${given} is none of ${words.join(', ')}.`, 2)
}

function within(option: string, given: number, min: number, max: number): number {
  return given >= min && given <= max ? given : give(`${option}: a number from ${min} to ${max} is wanted.`, 2)
}

function guessMode(text: string): 'ppmck' | 'pyxel' {
  return /^\s*[0-3]\s*:/m.test(text) ? 'pyxel' : 'ppmck'
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return give(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** The path of the WAV file. The text goes beside it only in a folder of their own. */
function write(sound: Uint8Array, text: string, output: string | undefined): string {
  const folder = output === undefined ? toFolderName(new Date()) : undefined
  const path = output ?? join(folder ?? '', 'output.wav')
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    writeFileSync(path, sound)
  } catch (error) {
    return give(toLine(path, toDiagnostic('RUNTIME_WAV_WRITE_FAILED', (error as Error).message)))
  }
  if (folder === undefined) return path
  const beside = join(folder, 'output.mml')
  try {
    writeFileSync(beside, text)
  } catch (error) {
    return give(toLine(beside, toDiagnostic('RUNTIME_MML_WRITE_FAILED', (error as Error).message)))
  }
  return path
}

function toLine(file: string, { line, column, severity, code, message, hint, context }: Diagnostic): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`
  const more = [context, hint].filter((part) => part !== '').map((part) => `\n    ${part}`)
  return `${place}: ${severity}: ${message} [${code}]${more.join('')}`
}

function give(problem: string, exitCode = 1): never {
  console.error(problem)
  process.exit(exitCode)
}

await main()
