/**
 * Asks whether a Kotodama server answers at an endpoint of this machine. It
 * sends no secret: who listens there is exactly what is not known yet.
 */
const PROBE_MS = 5_000

/** `silent`: someone listens but says nothing in time; `other`: someone else answers. */
export type Answer = 'kotodama' | 'other' | 'nobody' | 'silent'

export async function probe(endpoint: string): Promise<Answer> {
  try {
    const response = await fetch(new URL('/health', endpoint), {
      signal: AbortSignal.timeout(PROBE_MS),
      redirect: 'manual',
    })
    const health: unknown = await response.json().catch(() => undefined)
    return isHealth(health) ? 'kotodama' : 'other'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'nobody'
  }
}

function isHealth(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'version' in value && 'schema' in value
}
