/**
 * Every setting the Worker reads, as one table: what it is for, what stands
 * when it is absent, and what is said when it is wrong. The Worker words its
 * refusals from it, and docs/configuration.md is generated from it.
 */

export interface Setting {
  readonly name: string
  /** Where it is set: a plain variable, a secret, or a binding to a resource. */
  readonly kind: 'variable' | 'secret' | 'binding'
  /** What an absent setting means, in words. */
  readonly whenAbsent: string
  /** In which modes it has an effect. */
  readonly modes: string
  readonly meaning: string
  /** The sentence a caller or operator reads when the value is wrong or missing. */
  readonly whenWrong: string
}

export const MODES = ['local', 'token', 'github'] as const

export type AuthMode = (typeof MODES)[number]

/** Modes this version serves; the others are refused and open nothing. */
export const SERVED_MODES = ['local'] as const satisfies readonly AuthMode[]

export const SETTINGS = {
  DB: {
    name: 'DB',
    kind: 'binding',
    whenAbsent: 'The Worker does not start',
    modes: 'all',
    meaning: 'The D1 database that holds the index. Its schema is migrations/.',
    whenWrong: 'GET /health says degraded, and search is an error.',
  },
  AUTH_MODE: {
    name: 'AUTH_MODE',
    kind: 'variable',
    whenAbsent: 'Every request is refused with 503',
    modes: 'all',
    meaning:
      'Who may use this server. local: one user, answered only on loopback. token and github are not available in this version.',
    whenWrong: 'AUTH_MODE must be set to say who may use this server. This version accepts: local.',
  },
  ALLOWED_ORIGINS: {
    name: 'ALLOWED_ORIGINS',
    kind: 'variable',
    whenAbsent: "The Worker's own origin, and any loopback origin in local mode",
    modes: 'all',
    meaning:
      'Further browser origins that may call /mcp, with commas between them, each as scheme://host or scheme://host:port.',
    whenWrong:
      'ALLOWED_ORIGINS must be origins with commas between them, each as scheme://host or scheme://host:port, without a path.',
  },
  ADMIN_TOKEN: {
    name: 'ADMIN_TOKEN',
    kind: 'secret',
    whenAbsent: 'Admin routes are off: 503',
    modes: 'all',
    meaning: 'The bearer token of the admin routes. npm start mints one for each run.',
    whenWrong: 'Admin routes are off until ADMIN_TOKEN is set.',
  },
  EMBEDDER_URL: {
    name: 'EMBEDDER_URL',
    kind: 'variable',
    whenAbsent: 'Search goes by words alone, and nothing of the other settings of an embedder counts',
    modes: 'all',
    meaning:
      'Where an embedder is served in the form of OpenAI: the address that /embeddings stands below, such as http://127.0.0.1:11434/v1 for Ollama. Texts of documents, of messages and of questions are sent there, private ones too. See embedding.md.',
    whenWrong: 'EMBEDDER_URL must be an http or https address without user, query and fragment.',
  },
  EMBEDDER_MODEL: {
    name: 'EMBEDDER_MODEL',
    kind: 'variable',
    whenAbsent: 'With EMBEDDER_URL set, every request is refused with 503',
    modes: 'all',
    meaning: "The model's name, as the embedder calls it. Another name has all vectors made anew.",
    whenWrong: 'EMBEDDER_MODEL must name the model that EMBEDDER_URL serves.',
  },
  EMBEDDER_DIMENSIONS: {
    name: 'EMBEDDER_DIMENSIONS',
    kind: 'variable',
    whenAbsent: 'With EMBEDDER_URL set, every request is refused with 503',
    modes: 'all',
    meaning: 'How long the vectors of the model are: 1024 for bge-m3. Vectors of another length are not believed.',
    whenWrong: 'EMBEDDER_DIMENSIONS must be a whole number from 16 to 8192.',
  },
  EMBEDDER_WEIGHT: {
    name: 'EMBEDDER_WEIGHT',
    kind: 'variable',
    whenAbsent: '0.3',
    modes: 'all',
    meaning:
      "What the embedder's judgement is worth beside words: 0.2 for a small model, 0.5 for one as strong as words, by which both sides are fused by rank.",
    whenWrong: 'EMBEDDER_WEIGHT must be a number above 0 and at most 1.',
  },
  EMBEDDER_KEY: {
    name: 'EMBEDDER_KEY',
    kind: 'secret',
    whenAbsent: 'The embedder is asked without a key, as Ollama is',
    modes: 'all',
    meaning: 'The bearer token of the embedder. It is sent to EMBEDDER_URL and nowhere else.',
    whenWrong: 'The embedder answers 401; search goes by words, and a warning says so.',
  },
  RERANKER_URL: {
    name: 'RERANKER_URL',
    kind: 'variable',
    whenAbsent: 'Rows stand in the order they were found, and nothing of the other settings of a reranker counts',
    modes: 'all',
    meaning:
      'What is posted to for a second look at the best candidates: the whole address, such as http://127.0.0.1:8080/v1/rerank for llama.cpp. The question and passages of candidates are sent there, private ones too. See embedding.md.',
    whenWrong: 'RERANKER_URL must be an http or https address without user, query and fragment.',
  },
  RERANKER_MODEL: {
    name: 'RERANKER_MODEL',
    kind: 'variable',
    whenAbsent: 'With RERANKER_URL set, every request is refused with 503',
    modes: 'all',
    meaning: "The model's name, as the reranker calls it.",
    whenWrong: 'RERANKER_MODEL must name the model that RERANKER_URL serves.',
  },
  RERANKER_KEY: {
    name: 'RERANKER_KEY',
    kind: 'secret',
    whenAbsent: 'The reranker is asked without a key, as llama.cpp is',
    modes: 'all',
    meaning: 'The bearer token of the reranker. It is sent to RERANKER_URL and nowhere else.',
    whenWrong: 'The reranker answers 401; rows stand in the order they were found, and a warning says so.',
  },
} as const satisfies Record<string, Setting>
