/**
 * The door to the music room: reads the arguments, lets one song at a time be
 * played in an isolate, tells how far it is, and answers in the shapes that the
 * contract names. A text with errors is an answer to `validate` and a failure
 * of `compose`; parameters that cannot be read are a failure of either.
 */
import type { Failure } from '../../base/failure.ts'
import { ok, type Result } from '../../base/result.ts'
import {
  composeMmlTool,
  parseComposeMmlArguments,
  type ComposeMmlAnswer,
  type ComposeMmlArguments,
} from '../../contracts/tools/compose-mml.ts'
import { analyseMml, type Analysis } from '../../mml/analyse.ts'
import { compose } from '../../mml/compose.ts'
import { quote, toDiagnostic, type Diagnostic, type DiagnosticCode } from '../../mml/language/diagnostic.ts'
import { MAX_INPUT_BYTES } from '../../mml/limits.ts'
import type { Performance } from '../../mml/synth/performance.ts'
import type { RenderProgress, Recording } from '../../mml/synth/recording.ts'
import { readTemplate } from '../../mml/templates/index.ts'
import {
  GIVEN_UP,
  SYNTHESIS_FAILED,
  toApiFailure,
  toComposedAnswer,
  toFailedAnswer,
  toValidateAnswer,
} from './compose-answers.ts'
import { Yielding } from '../yielding.ts'
import type { Answered, Call, Tool } from '../tool.ts'
import { Mutex, type ClockMs, type Lease } from '../mutex.ts'

/** Milliseconds between two words on how far a song is; one that is ready sooner says nothing. */
const PROGRESS_EVERY_MS = 1_000

/** Every song of the isolate waits here: two at once would need the memory of two. */
const mutex = new Mutex()

/** What the tool calls, so that a test can put something else in its place. */
export interface Music {
  readonly now: ClockMs
  readonly compose: typeof compose
}

export function toComposeMmlTool(music: Pick<Music, 'now'> & Partial<Music>): Tool {
  const parts: Music = { compose, ...music }
  return {
    contract: composeMmlTool,
    run: async (_viewer, given, call) => {
      const args = parseComposeMmlArguments(given)
      return args.ok ? answer(args.value, parts, call) : refuse(toParameterFault(args.failure, given))
    },
  }
}

async function answer(args: ComposeMmlArguments, music: Music, call: Call): Promise<Result<Answered>> {
  if (args.action === 'template') return succeed(readTemplate(args.mode, args.template))
  const { mode } = args
  const missing = args.mml === '' ? 'mml' : mode === '' ? 'mode' : undefined
  if (missing !== undefined) return refuse(toMissing(missing))
  if (mode !== 'ppmck' && mode !== 'pyxel') return refuse(toWrongMode(mode))
  const bytes = new TextEncoder().encode(args.mml).byteLength
  if (bytes > MAX_INPUT_BYTES) return refuse(toTooLarge(bytes))
  const analysis = analyseMml(args.mml, { mode, profile: args.profile, loops: args.loops, fadeSeconds: args.fade_sec })
  if (args.action === 'validate') return succeed(toValidateAnswer(analysis, args.include_sequence))
  return analysis.performance === null ? fail(analysis) : play(analysis, analysis.performance, args, music, call)
}

/** Waits for the turn and plays. */
async function play(
  analysis: Analysis,
  performance: Performance,
  args: ComposeMmlArguments,
  music: Music,
  call: Call,
): Promise<Result<Answered>> {
  const lease = await mutex.take(music.now, call.signal)
  if (lease === undefined) return fail(analysis, GIVEN_UP)
  try {
    const composed = await music.compose(performance, toRecording(args), betweenBlocks(lease, music.now, call))
    if (composed.kind === 'refused') return fail(analysis, composed.why)
    if (composed.kind === 'stopped') return fail(analysis, GIVEN_UP)
    const { file, seconds } = composed
    const described = { bytes: file.byteLength, sampleRate: args.sample_rate, seconds }
    return succeed(toComposedAnswer(analysis, args.include_sequence, described), { bytes: file, mimeType: 'audio/wav' })
  } catch (error) {
    call.reportBug(error)
    return fail(analysis, SYNTHESIS_FAILED)
  } finally {
    lease.release()
  }
}

/** Now and then between two blocks others have their turn, and once a second the client hears how far it is. */
function betweenBlocks(lease: Lease, now: ClockMs, { signal, reportProgress: tellProgress }: Call) {
  const pace = new Yielding()
  let told = now()
  return async ({ doneSamples: done, allSamples: all, effort }: RenderProgress): Promise<boolean> => {
    if (!(await pace.spend(effort))) return true
    lease.renew()
    if (tellProgress !== undefined && now() - told >= PROGRESS_EVERY_MS) {
      told = now()
      // Whether it still hears is for the signal to say.
      await tellProgress(done, all, `${Math.floor((100 * done) / all)} % of the sound is made.`).catch(() => undefined)
    }
    return !signal.aborted
  }
}

function toRecording(args: ComposeMmlArguments): Recording {
  return { sampleRate: args.sample_rate, normalize: args.normalize, consoleFilters: args.console_filters }
}

function succeed(answer: ComposeMmlAnswer, audio?: Answered['audio']): Result<Answered> {
  return ok({ answer: { ...answer }, ...(audio && { audio }), repositories: [] })
}

/** No sound; the first error names the failure in the log. */
function fail(analysis: Analysis, instead?: Diagnostic): Result<Answered> {
  const failedWith = (instead ?? analysis.errors[0])?.code ?? 'RUNTIME_INTERNAL_ERROR'
  return ok({ answer: { ...toFailedAnswer(analysis, instead) }, failedWith, repositories: [] })
}

function refuse(fault: Diagnostic): Result<Answered> {
  return ok({ answer: { ...toApiFailure(fault) }, failedWith: fault.code, repositories: [] })
}

/** Parameters whose refusal has a code of its own. */
const PARAMETER_CODES: Readonly<Record<string, DiagnosticCode>> = {
  action: 'VALIDATION_INVALID_ACTION',
  mode: 'VALIDATION_INVALID_MODE',
  sample_rate: 'VALIDATION_INVALID_SAMPLE_RATE',
}

/** The refusal of the contract names its parameter first. */
function toParameterFault({ message, hint }: Failure, given: unknown): Diagnostic {
  const parameter = message.slice(0, message.indexOf(':'))
  const isMissing = parameter === 'action' && (given as { action?: unknown } | undefined)?.action == null
  const code = Object.hasOwn(PARAMETER_CODES, parameter) ? PARAMETER_CODES[parameter] : undefined
  return toDiagnostic(
    isMissing ? 'VALIDATION_MISSING_PARAMETER' : (code ?? 'VALIDATION_INVALID_PARAMETER'),
    message,
    hint,
  )
}

function toMissing(parameter: string): Diagnostic {
  const hint = 'compose and validate need mml and mode (ppmck or pyxel).'
  return toDiagnostic('VALIDATION_MISSING_PARAMETER', `${parameter}: missing`, hint)
}

function toWrongMode(mode: string): Diagnostic {
  return toDiagnostic('VALIDATION_INVALID_MODE', `mode: ${quote(mode)} was given, accepted is ppmck or pyxel`)
}

function toTooLarge(bytes: number): Diagnostic {
  const message = `mml: ${bytes} bytes were given, accepted are at most ${MAX_INPUT_BYTES}`
  return toDiagnostic('VALIDATION_INPUT_TOO_LARGE', message, 'Repeats shorten a text: [c d e f]4 plays four times.')
}
