/** What a process of this machine takes, in memory and in time of the processors (Linux); NaN where the machine does not tell. */
import { readFileSync, writeFileSync } from 'node:fs'

/** Mebibytes resident now, and the most since `forgetPeak`. */
export function readMemory(pid: number): { readonly nowMib: number; readonly peakMib: number } {
  let status = ''
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    // No such file outside Linux.
  }
  const mebibytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1024
  return { nowMib: mebibytes('VmRSS'), peakMib: mebibytes('VmHWM') }
}

/** Lets the peak begin anew at what is resident now. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Then the peak is that of the whole life of the process.
  }
}

/** Kernel ticks in a second, on every Linux that one meets. */
const TICKS_PER_SECOND = 100

/** Milliseconds of processor time that all threads of the process have had so far. */
export function readProcessorMs(pid: number): number {
  try {
    // The second field is a name in parentheses that may hold blanks; user and system time are the 14th and 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND
  } catch {
    return NaN
  }
}
