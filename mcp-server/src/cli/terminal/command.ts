/**
 * The frame of every command. It reads the flags by the command's table, prints
 * the usage text made from the same table, prints a refusal in one way and sets
 * the exit code. A command itself says what it takes, what it does and what it
 * prints; it does not read `process.argv` and does not end the process.
 */
import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util'
import type { Failure } from '../../../../src/base/failure.ts'
import { ok, refuse, type Result } from '../../../../src/base/result.ts'
import { toColumns, wrapText } from './columns.ts'

/** The exit codes of all commands. 130 is what a shell reports for a command that Ctrl-C ended. */
export const EXIT = { done: 0, failed: 1, wrongArguments: 2, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

interface Flag {
  readonly type: 'string' | 'boolean'
  /** The one-letter form. */
  readonly short?: string
  /** The flag may be given several times. */
  readonly multiple?: true
  /** The value when the flag is absent; the usage text shows it. */
  readonly default?: string
  /** Name of the value in the usage text. */
  readonly value?: string
  /** One line for the usage text, without a full stop. */
  readonly help: string
}

export type FlagTable = Readonly<Record<string, Flag>>

type FlagValue<Row extends Flag> = Row extends { type: 'boolean' }
  ? boolean
  : Row extends { multiple: true }
    ? readonly string[]
    : Row extends { default: string }
      ? string
      : string | undefined

/** The values of a table's flags. An absent boolean is false, an absent repeatable flag an empty list. */
export type FlagValues<Flags extends FlagTable> = { readonly [Name in keyof Flags]: FlagValue<Flags[Name]> }

export interface CliCommand<Flags extends FlagTable, Options> {
  /** Name of the npm script. */
  readonly name: string
  /** Name of the one positional argument of a command that needs one. */
  readonly argument?: string
  readonly about: string
  readonly flags: Flags
  /** Paragraphs after the flags in the usage text. */
  readonly notes?: readonly string[]
  /** Checks values that belong together. A refusal is a wrong argument. `argument` is there when the command has one. */
  parse(values: FlagValues<Flags>, argument: string): Result<Options>
  /** Does the work and prints its result to stdout. A refusal is printed to stderr and fails the command. */
  run(options: Options): Promise<Result<ExitCode>>
}

const WIDTH_CHARS = 80
const HELP: Flag = { type: 'boolean', short: 'h', help: 'print this text' }

/** Runs the command on this process's arguments and sets its exit code. */
export async function runCommand<Flags extends FlagTable, Options>(command: CliCommand<Flags, Options>): Promise<void> {
  const options = parseCommandLine(command, process.argv.slice(2))
  if (options === 'help') {
    console.log(toUsage(command))
  } else if (options.ok) {
    const ended = await command.run(options.value)
    if (!ended.ok) console.error(toRefusalText(ended.failure))
    process.exitCode = ended.ok ? ended.value : EXIT.failed
  } else {
    const call = toCall(command)
    console.error(`${toRefusalText(options.failure)}\n\n${toSynopsis(command)}\n${call} -- --help explains each flag.`)
    process.exitCode = EXIT.wrongArguments
  }
}

export function parseCommandLine<Flags extends FlagTable, Options>(
  command: CliCommand<Flags, Options>,
  args: readonly string[],
): Result<Options> | 'help' {
  let values: Readonly<Record<string, unknown>>
  let positionals: readonly string[]
  try {
    const options = Object.fromEntries(
      Object.entries({ ...command.flags, help: HELP }).map(([name, flag]) => [name, toParseOption(flag)]),
    )
    const allowPositionals = command.argument !== undefined
    ;({ values, positionals } = parseArgs({ args: [...args], options, allowPositionals }))
  } catch (error) {
    return refuse({ code: 'VALIDATION_ERROR', message: (error as Error).message })
  }
  if (values['help'] === true) return 'help'
  const empty = Object.keys(command.flags).find((name) => [values[name]].flat().includes(''))
  if (empty !== undefined) return refuse(wrongFlag(empty, 'is empty'))
  const [argument, ...more] = positionals
  if (command.argument !== undefined && (argument === undefined || more.length > 0)) {
    return refuse({ code: 'VALIDATION_ERROR', message: `Give one ${command.argument}.` })
  }
  return command.parse(values as FlagValues<Flags>, argument ?? '')
}

function toParseOption({ type, short, multiple, default: preset }: Flag): ParseArgsOptionDescriptor {
  const absent = type === 'boolean' ? false : multiple ? [] : preset
  return {
    type,
    ...(short === undefined ? {} : { short }),
    ...(multiple === undefined ? {} : { multiple }),
    ...(absent === undefined ? {} : { default: absent }),
  }
}

/** A refusal of a flag's value. */
export function wrongFlag(name: string, problem: string): Failure {
  return { code: 'VALIDATION_ERROR', message: `--${name}: ${problem}` }
}

/** A whole number from `min` to `max`; without `max` of any size. */
export function parseWholeFlag(name: string, text: string, min: number, max?: number): Result<number> {
  const isWhole = /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= (max ?? Infinity)
  if (isWhole) return ok(Number(text))
  const range = max === undefined ? `, ${min} or more` : ` from ${min} to ${max}`
  return refuse(wrongFlag(name, `${text} is not a whole number${range}`))
}

/** How every command prints a failure. */
function toRefusalText({ message, hint }: Failure): string {
  return hint === undefined ? message : `${message}\n${hint}`
}

/** The text of `--help`. */
export function toUsage<Flags extends FlagTable, Options>(command: CliCommand<Flags, Options>): string {
  const rows = Object.entries({ ...command.flags, help: HELP }).map(([name, flag]): [string, string] => {
    const preset = flag.default === undefined ? '' : ` (default: ${flag.default})`
    const short = flag.short === undefined ? '' : `-${flag.short}, `
    const value = flag.value === undefined ? '' : ` ${flag.value}`
    return [`${short}--${name}${value}`, `${flag.help}${preset}`]
  })
  const parts = [
    toSynopsis(command),
    wrapText(command.about, WIDTH_CHARS).join('\n'),
    toColumns(rows, { indent: 2, width: WIDTH_CHARS }).join('\n'),
    ...(command.notes ?? []).map((note) => wrapText(note, WIDTH_CHARS).join('\n')),
    'Exit code: 0 done, 1 failed, 2 wrong arguments.',
  ]
  return parts.join('\n\n')
}

function toSynopsis<Flags extends FlagTable, Options>(command: CliCommand<Flags, Options>): string {
  const flags = Object.entries(command.flags).map(([name, { value, multiple }]) => {
    return `[--${name}${value === undefined ? '' : ` ${value}`}]${multiple ? '...' : ''}`
  })
  const argument = command.argument === undefined ? [] : [command.argument]
  const words = [`${toCall(command)} --`, ...argument, ...flags].map(unbroken).join(' ')
  return wrapText(words, WIDTH_CHARS - 4)
    .join('\n    ')
    .replaceAll(NO_BREAK, ' ')
}

/** Replaces a space where no line may end. */
const NO_BREAK = '\u00a0'

function unbroken(text: string): string {
  return text.replaceAll(' ', NO_BREAK)
}

function toCall({ name }: { readonly name: string }): string {
  return name === 'start' ? 'npm start' : `npm run ${name}`
}
