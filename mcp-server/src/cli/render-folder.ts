/** A name for what was made at a moment: YYYYMMDD_HHMMSS_mmm, by this machine's clock. */
export function toFolderName(moment: Date): string {
  const part = (value: number, digits = 2): string => String(value).padStart(digits, '0')
  const day = part(moment.getFullYear(), 4) + part(moment.getMonth() + 1) + part(moment.getDate())
  const time = part(moment.getHours()) + part(moment.getMinutes()) + part(moment.getSeconds())
  return `${day}_${time}_${part(moment.getMilliseconds(), 3)}`
}
