/**
 * One structured line per event, to the platform's log. Callers pass facts, not
 * sentences; tokens and bodies of documents are never passed.
 */

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Log {
  info(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

export const consoleLog: Log = {
  info: (event, fields) => console.log(JSON.stringify({ level: 'info', event, ...fields })),
  error: (event, fields) => console.error(JSON.stringify({ level: 'error', event, ...fields })),
}
