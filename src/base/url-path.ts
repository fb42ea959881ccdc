/** Percent-encoding of paths of addresses. */

/** Percent-encodes everything but the slashes; lone surrogates become U+FFFD. */
export function encodeUrlPath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}

/** The decoded text; the text itself when it is not percent-encoded UTF-8. */
export function decodeUrlText(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
