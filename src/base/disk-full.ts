/** Recognises the error that SQLite and D1 throw for a write without disk space. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /SQLITE_FULL|database or disk is full/.test(error.message)
}
