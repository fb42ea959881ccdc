/**
 * Tests whether a Kotodama server answers at an endpoint of this machine. Sends
 * no secret, because any program may listen there.
 */
const PROBE_MS = 5_000

/** `silent`: a program listens but does not answer in time. `other`: another program answers. `closed`: none listens. */
type ProbeResult = 'kotodama' | 'other' | 'closed' | 'silent'

export async function probe(endpoint: string): Promise<ProbeResult> {
  try {
    const response = await fetch(new URL('/health', endpoint), {
      signal: AbortSignal.timeout(PROBE_MS),
      redirect: 'manual',
    })
    const health: unknown = await response.json().catch(() => undefined)
    return isHealth(health) ? 'kotodama' : 'other'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'closed'
  }
}

function isHealth(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'version' in value && 'schema' in value
}
