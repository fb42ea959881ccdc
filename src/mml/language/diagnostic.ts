/**
 * Diagnostics: the faults of a text, their places and hints for correction. The collector
 * bounds each list for any input: one entry for each fault and place, sorted by
 * place, and a count beyond the limit.
 */
import { MAX_DIAGNOSTICS, MAX_FAULTS, MAX_QUOTE_CHARS } from '../limits.ts'
import { contextAt, positionAt } from './source.ts'
import type { Source } from './source.ts'

export type DiagnosticCode =
  | 'SYNTAX_INVALID_TOKEN'
  | 'SYNTAX_INVALID_NUMBER'
  | 'SYNTAX_UNEXPECTED_TOKEN'
  | 'SYNTAX_UNTERMINATED_REPEAT'
  | 'SYNTAX_UNMATCHED_REPEAT_END'
  | 'SYNTAX_UNTERMINATED_TIE'
  | 'SYNTAX_INVALID_TRACK_HEADER'
  | 'SYNTAX_DUPLICATE_TRACK'
  | 'SYNTAX_UNTERMINATED_HEADER'
  | 'SEMANTIC_VALUE_OUT_OF_RANGE'
  | 'SEMANTIC_NOTE_OUT_OF_RANGE'
  | 'SEMANTIC_CHANNEL_MISMATCH'
  | 'SEMANTIC_EMPTY_TRACK'
  | 'SEMANTIC_OUTSIDE_TRACK'
  | 'SEMANTIC_UNDEFINED_REFERENCE'
  | 'SEMANTIC_DUPLICATE_DEFINITION'
  | 'SEMANTIC_UNSUPPORTED_FEATURE'
  | 'RUNTIME_SYNTHESIS_FAILED'
  | 'RUNTIME_WAV_WRITE_FAILED'
  | 'RUNTIME_MML_WRITE_FAILED'
  | 'RUNTIME_DURATION_LIMIT'
  | 'RUNTIME_INTERNAL_ERROR'
  | 'VALIDATION_MISSING_PARAMETER'
  | 'VALIDATION_INVALID_MODE'
  | 'VALIDATION_INVALID_ACTION'
  | 'VALIDATION_INVALID_SAMPLE_RATE'
  | 'VALIDATION_INVALID_PARAMETER'
  | 'VALIDATION_INPUT_TOO_LARGE'

type Severity = 'error' | 'warning'
type Phase = 'syntax' | 'semantic' | 'runtime' | 'api'

export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly phase: Phase
  /** From 1; line and column are 0 when the fault is not in the text. */
  readonly line: number
  readonly column: number
  readonly message: string
  readonly severity: Severity
  /** The correction; may be empty. */
  readonly hint: string
  /** The source line, or a window of it; empty when the fault is not in the text. */
  readonly context: string
}

const PHASES: Readonly<Record<string, Phase>> = {
  SYNTAX: 'syntax',
  SEMANTIC: 'semantic',
  RUNTIME: 'runtime',
  VALIDATION: 'api',
}

/** An error outside the text: of a parameter or at run time. */
export function toDiagnostic(code: DiagnosticCode, message: string, hint = ''): Diagnostic {
  return { code, phase: phaseOf(code), line: 0, column: 0, message, severity: 'error', hint, context: '' }
}

export class Diagnostics {
  readonly #source: Source
  readonly #found = new Map<string, Finding>()
  readonly #counts = { error: 0, warning: 0 }

  constructor(source: Source) {
    this.#source = source
  }

  /** `at` is the offset of the first character of the offending token. */
  error(code: DiagnosticCode, at: number, message: string, hint = ''): void {
    this.#add({ code, at, message, hint, severity: 'error' })
  }

  warning(code: DiagnosticCode, at: number, message: string, hint = ''): void {
    this.#add({ code, at, message, hint, severity: 'warning' })
  }

  get hasErrors(): boolean {
    return this.#counts.error > 0
  }

  /** True after MAX_FAULTS errors: later ones are dropped, so parsing can stop. */
  get isFull(): boolean {
    return this.#counts.error >= MAX_FAULTS
  }

  get errors(): readonly Diagnostic[] {
    return this.#list('error')
  }

  get warnings(): readonly Diagnostic[] {
    return this.#list('warning')
  }

  #add(finding: Finding): void {
    const key = `${finding.severity} ${finding.code} ${finding.at}`
    if (this.#counts[finding.severity] >= MAX_FAULTS || this.#found.has(key)) return
    this.#counts[finding.severity]++
    this.#found.set(key, finding)
  }

  #list(severity: Severity): Diagnostic[] {
    const found = [...this.#found.values()].filter((finding) => finding.severity === severity)
    found.sort((a, b) => a.at - b.at)
    const listed = found.slice(0, MAX_DIAGNOSTICS).map((finding) => this.#place(finding))
    const next = found[MAX_DIAGNOSTICS]
    if (next === undefined) return listed
    const least = found.length >= MAX_FAULTS ? 'At least ' : ''
    const message = `${least}${found.length - MAX_DIAGNOSTICS} more ${severity}s from here on.`
    return [...listed, this.#place({ ...next, message, hint: `Fix the first ${severity}s, then validate again.` })]
  }

  #place({ code, at, message, severity, hint }: Finding): Diagnostic {
    const context = contextAt(this.#source, at)
    return { code, phase: phaseOf(code), ...positionAt(this.#source, at), message, severity, hint, context }
  }
}

interface Finding {
  readonly code: DiagnosticCode
  readonly at: number
  readonly message: string
  readonly hint: string
  readonly severity: Severity
}

function phaseOf(code: DiagnosticCode): Phase {
  return PHASES[code.slice(0, code.indexOf('_'))] ?? 'api'
}

/** Source text for a message: cut, on one line, invisible characters as code points. */
export function quote(text: string): string {
  const shown = Array.from(text.slice(0, MAX_QUOTE_CHARS * 2))
    .slice(0, MAX_QUOTE_CHARS)
    .map((char) => (/[\p{C}\p{Z}]/u.test(char) && char !== ' ' ? `U+${hexOf(char)}` : char))
    .join('')
  return `"${shown}${text.length > MAX_QUOTE_CHARS * 2 ? '...' : ''}"`
}

function hexOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
