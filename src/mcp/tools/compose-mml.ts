/**
 * The handler of `compose_mml`: reads the arguments, synthesizes one song at a time
 * in an isolate, reports progress, and answers in the shapes of the contract. A
 * text with errors is a successful answer to `validate` and a failed `compose`;
 * unreadable parameters are a failure of both.
 */
import type { Failure } from '../../base/failure.ts'
import { ok, type Result } from '../../base/result.ts'
import {
  composeMmlTool,
  parseComposeMmlArguments,
  type ComposeMmlAnswer,
  type ComposeMmlArguments,
} from '../../contracts/tools/compose-mml.ts'
import { composeMml, type ComposedMml } from '../../mml/compose.ts'
import { quote, toDiagnostic, type Diagnostic, type DiagnosticCode } from '../../mml/language/diagnostic.ts'
import type { Performance } from '../../mml/performance/performance.ts'
import { synthesize, type SynthesisProgress, type SynthesisOptions } from '../../mml/synth/synthesize.ts'
import { readTemplate } from '../../mml/templates/index.ts'
import {
  CANCELLED,
  SYNTHESIS_FAILED,
  toApiFailure,
  toComposedAnswer,
  toFailedAnswer,
  toValidateAnswer,
} from './compose-answers.ts'
import { Yielding } from '../yielding.ts'
import type { Answered, Call, Tool } from '../tool.ts'
import { Mutex, type ClockMs, type Lease } from '../mutex.ts'

/** Milliseconds between two progress reports; a song that is ready sooner has none. */
const PROGRESS_EVERY_MS = 1_000

/** Shared by all calls of the isolate: two songs at once would need the memory of two. */
const mutex = new Mutex()

/** The dependencies of the tool, which tests replace. */
export interface Music {
  readonly now: ClockMs
  readonly synthesize: typeof synthesize
}

export function toComposeMmlTool(music: Pick<Music, 'now'> & Partial<Music>): Tool {
  const parts: Music = { synthesize, ...music }
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
  const analysis = composeMml(args.mml, { mode, profile: args.profile, loops: args.loops, fadeSeconds: args.fade_sec })
  // A fault of a parameter, such as a text that is too large, has no place in the text.
  const parameterFault = analysis.errors.find(({ phase }) => phase === 'api')
  if (parameterFault !== undefined) return refuse(parameterFault)
  if (args.action === 'validate') return succeed(toValidateAnswer(analysis, args.include_sequence))
  return analysis.performance === null
    ? fail(analysis)
    : composeSound(analysis, analysis.performance, args, music, call)
}

/** Waits for the mutex, then synthesizes. */
async function composeSound(
  analysis: ComposedMml,
  performance: Performance,
  args: ComposeMmlArguments,
  music: Music,
  call: Call,
): Promise<Result<Answered>> {
  const lease = await mutex.take(music.now, call.signal)
  if (lease === undefined) return fail(analysis, CANCELLED)
  try {
    const sound = await music.synthesize(performance, toOptions(args), betweenBlocks(lease, music.now, call))
    if (sound.kind === 'refused') return fail(analysis, sound.why)
    if (sound.kind === 'stopped') return fail(analysis, CANCELLED)
    const { file, seconds } = sound
    const described = { bytes: file.byteLength, sampleRate: args.sample_rate, seconds }
    return succeed(toComposedAnswer(analysis, args.include_sequence, described), { bytes: file, mimeType: 'audio/wav' })
  } catch (error) {
    call.reportBug(error)
    return fail(analysis, SYNTHESIS_FAILED)
  } finally {
    lease.release()
  }
}

/** Between two blocks: yields to other requests after enough work, and reports progress once a second. */
function betweenBlocks(lease: Lease, now: ClockMs, { signal, reportProgress }: Call) {
  const yielding = new Yielding()
  let reportedAt = now()
  return async ({ doneSamples: done, allSamples: all, effort }: SynthesisProgress): Promise<boolean> => {
    if (!(await yielding.spend(effort))) return true
    lease.renew()
    if (reportProgress !== undefined && now() - reportedAt >= PROGRESS_EVERY_MS) {
      reportedAt = now()
      // A failed report is ignored: only the signal cancels a call.
      await reportProgress(done, all, `${Math.floor((100 * done) / all)} % of the sound is made.`).catch(
        () => undefined,
      )
    }
    return !signal.aborted
  }
}

function toOptions(args: ComposeMmlArguments): SynthesisOptions {
  return { sampleRate: args.sample_rate, normalize: args.normalize, consoleFilters: args.console_filters }
}

function succeed(answer: ComposeMmlAnswer, audio?: Answered['audio']): Result<Answered> {
  return ok({ answer: { ...answer }, ...(audio && { audio }), repositories: [] })
}

/** No sound; the code of the error goes to the log. */
function fail(analysis: ComposedMml, instead?: Diagnostic): Result<Answered> {
  const failedWith = (instead ?? analysis.errors[0])?.code ?? 'RUNTIME_INTERNAL_ERROR'
  return ok({ answer: { ...toFailedAnswer(analysis, instead) }, failedWith, repositories: [] })
}

function refuse(fault: Diagnostic): Result<Answered> {
  return ok({ answer: { ...toApiFailure(fault) }, failedWith: fault.code, repositories: [] })
}

/** Parameters with an error code of their own; all others share VALIDATION_INVALID_PARAMETER. */
const PARAMETER_CODES: Readonly<Record<string, DiagnosticCode>> = {
  action: 'VALIDATION_INVALID_ACTION',
  mode: 'VALIDATION_INVALID_MODE',
  sample_rate: 'VALIDATION_INVALID_SAMPLE_RATE',
}

/** The message of a contract's refusal begins with the parameter and a colon. */
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
