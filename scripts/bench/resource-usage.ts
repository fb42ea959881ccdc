/** Memory and processor time of a process on this machine. Linux only; NaN elsewhere. */
import { readFileSync, writeFileSync } from 'node:fs'

/** Resident mebibytes now, and at the peak since `forgetPeak`. */
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

/** Resets the peak to the memory resident now. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Without the reset the peak is that since the process started.
  }
}

/** Kernel ticks in a second, on every common Linux. */
const TICKS_PER_SECOND = 100

/** Milliseconds of processor time that all threads of the process have used. */
export function readProcessorMs(pid: number): number {
  try {
    // The second field is a name in parentheses that may contain blanks; user and system time are the 14th and 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND
  } catch {
    return NaN
  }
}
