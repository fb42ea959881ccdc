/** How much memory a process of this machine takes, where the machine tells (Linux); NaN where it does not. */
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
