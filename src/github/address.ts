/** Which addresses belong to a configured one: the token is sent nowhere else. */

/** True for `base` and the addresses below it: the same origin, its path as prefix, and no user in it. */
export function isWithin(base: string, address: string): boolean {
  if (!URL.canParse(address)) return false
  const outer = new URL(base)
  const inner = new URL(address)
  if (inner.origin !== outer.origin || `${inner.username}${inner.password}` !== '') return false
  const prefix = outer.pathname.replace(/\/+$/, '')
  return inner.pathname === prefix || inner.pathname.startsWith(`${prefix}/`)
}

/** The address that a Location or Link header names, made absolute; undefined when it is no address. */
export function resolveAddress(reference: string, from: string): string | undefined {
  return URL.canParse(reference, from) ? new URL(reference, from).href : undefined
}
