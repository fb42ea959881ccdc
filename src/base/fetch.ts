/** The platform's fetch as a port, so that the callers of outside systems are given it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>
