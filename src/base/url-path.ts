/** Percent-encodes everything but the slashes; lone surrogates become U+FFFD. */
export function encodeUrlPath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
