/**
 * Every setting of the Worker, one row each: what it does, what its absence
 * means, how its text is parsed and which sentence reports a wrong one.
 * docs/configuration.md is generated from this table.
 *
 * Policy for a wrong value: settings are read once per environment. While one is
 * wrong, every request is refused with 503 and the sentence of its row. The
 * scheduled run and the message store continue without the part it belongs to
 * (a wrong EMBEDDER_ setting means no embedder), and the log gets one line for it.
 */
import { GITHUB_SETTINGS } from './github-settings.ts'
import type { Setting } from './setting.ts'

/** The modes that this version serves; every other value of AUTH_MODE is refused. */
const SERVED_MODES = ['local'] as const

export type ServedMode = (typeof SERVED_MODES)[number]

const EMBEDDERS = ['http', 'table', 'none'] as const

/** A model whose quality is unknown: on documents words find more than a small model. */
const DEFAULT_EMBEDDER_WEIGHT = 0.1

/** Questions about conversations are often worded unlike their answers. */
const DEFAULT_MESSAGE_WEIGHT = 0.3

export const SETTINGS = {
  DB: {
    name: 'DB',
    kind: 'binding',
    whenAbsent: 'GET /health reports degraded, and search is an error',
    modes: 'all',
    meaning: 'The D1 database that contains the index. Its schema is migrations/.',
    whenWrong: 'GET /health reports degraded, and search is an error.',
  },
  AUTH_MODE: {
    name: 'AUTH_MODE',
    kind: 'variable',
    whenAbsent: 'Every request is refused with 503',
    modes: 'all',
    meaning:
      'Who may use this server. local: one user, answered only on loopback. token and github are not available in this version.',
    whenWrong: 'AUTH_MODE must be set to say who may use this server. This version accepts: local.',
    parse: (text) => SERVED_MODES.find((mode) => mode === text),
  },
  ALLOWED_ORIGINS: {
    name: 'ALLOWED_ORIGINS',
    kind: 'variable',
    whenAbsent: "The Worker's own origin, and any loopback origin in local mode",
    modes: 'all',
    meaning:
      'Further browser origins that may call this server, separated by commas, each as scheme://host or scheme://host:port.',
    whenWrong:
      'ALLOWED_ORIGINS must be origins separated by commas, each as scheme://host or scheme://host:port, without a path.',
    parse: parseOrigins,
  },
  ADMIN_TOKEN: {
    name: 'ADMIN_TOKEN',
    kind: 'secret',
    whenAbsent: 'Admin routes are off: 503',
    modes: 'all',
    meaning: 'The bearer token of the admin routes. npm start generates one for each run.',
    whenWrong: 'Admin routes are off until ADMIN_TOKEN is set.',
    parse: (text) => text,
  },
  EMBEDDER: {
    name: 'EMBEDDER',
    kind: 'variable',
    whenAbsent: 'http where EMBEDDER_URL is set, else none',
    modes: 'all',
    meaning:
      'The source of vectors. http: the server at EMBEDDER_URL, for documents and messages. table: the built-in vectors of English words, for messages only; nothing is sent anywhere. none: search uses words only. See embedding.md.',
    whenWrong: 'EMBEDDER must be http, table or none; http needs EMBEDDER_URL.',
    parse: (text) => EMBEDDERS.find((one) => one === text),
  },
  EMBEDDER_URL: {
    name: 'EMBEDDER_URL',
    kind: 'variable',
    whenAbsent: 'Nothing is sent to an embedder, and EMBEDDER_MODEL, _DIMENSIONS, _WEIGHT and _KEY have no effect',
    modes: 'all',
    meaning:
      'The base URL of an embedder with an OpenAI-compatible API, such as http://127.0.0.1:11434/v1 for Ollama; /embeddings is appended to it. The texts of documents, messages and questions are sent there, private ones too. See embedding.md.',
    whenWrong: 'EMBEDDER_URL must be an http or https address without user, query and fragment.',
    parse: parseModelUrl,
  },
  EMBEDDER_MODEL: {
    name: 'EMBEDDER_MODEL',
    kind: 'variable',
    whenAbsent: 'With EMBEDDER_URL set, every request is refused with 503',
    modes: 'all',
    meaning: "The model's name, as the embedder calls it. With a different name every vector is computed again.",
    whenWrong: 'EMBEDDER_MODEL must name the model that EMBEDDER_URL serves.',
    parse: (text) => text,
  },
  EMBEDDER_DIMENSIONS: {
    name: 'EMBEDDER_DIMENSIONS',
    kind: 'variable',
    whenAbsent: 'With EMBEDDER_URL set, every request is refused with 503',
    modes: 'all',
    meaning: 'The number of dimensions of the vectors: 1024 for bge-m3. Vectors of another length are rejected.',
    whenWrong: 'EMBEDDER_DIMENSIONS must be a whole number from 16 to 8192.',
    parse: parseDimensions,
  },
  EMBEDDER_WEIGHT: {
    name: 'EMBEDDER_WEIGHT',
    kind: 'variable',
    whenAbsent: String(DEFAULT_EMBEDDER_WEIGHT),
    fallback: DEFAULT_EMBEDDER_WEIGHT,
    modes: 'all',
    meaning:
      'The share of vector search in the score of documents; the rest is that of word search. 0.1 for a small model, up to 0.5 for a model as accurate as word search.',
    whenWrong: 'EMBEDDER_WEIGHT must be a number above 0 and at most 1.',
    parse: parseWeight,
  },
  EMBEDDER_MESSAGE_WEIGHT: {
    name: 'EMBEDDER_MESSAGE_WEIGHT',
    kind: 'variable',
    whenAbsent: String(DEFAULT_MESSAGE_WEIGHT),
    fallback: DEFAULT_MESSAGE_WEIGHT,
    modes: 'all',
    meaning:
      'The share of vector search in the score of messages, with an embedder of either kind; less where the messages found by words are of many sessions.',
    whenWrong: 'EMBEDDER_MESSAGE_WEIGHT must be a number above 0 and at most 1.',
    parse: parseWeight,
  },
  EMBEDDER_KEY: {
    name: 'EMBEDDER_KEY',
    kind: 'secret',
    whenAbsent: 'The embedder is called without a key, as Ollama expects',
    modes: 'all',
    meaning: 'The bearer token of the embedder. It is sent to EMBEDDER_URL and nowhere else.',
    whenWrong: 'The embedder answers 401; search uses words only, and the answer carries a warning.',
    parse: (text) => text,
  },
  RERANKER_URL: {
    name: 'RERANKER_URL',
    kind: 'variable',
    whenAbsent: 'Rows keep the order of the search, and the other RERANKER_ settings have no effect',
    modes: 'all',
    meaning:
      'The whole URL of a reranker that orders the best candidates again, such as http://127.0.0.1:8080/v1/rerank for llama.cpp. The question and passages of candidates are sent there, private ones too. See embedding.md.',
    whenWrong: 'RERANKER_URL must be an http or https address without user, query and fragment.',
    parse: parseModelUrl,
  },
  RERANKER_MODEL: {
    name: 'RERANKER_MODEL',
    kind: 'variable',
    whenAbsent: 'With RERANKER_URL set, every request is refused with 503',
    modes: 'all',
    meaning: "The model's name, as the reranker calls it.",
    whenWrong: 'RERANKER_MODEL must name the model that RERANKER_URL serves.',
    parse: (text) => text,
  },
  RERANKER_KEY: {
    name: 'RERANKER_KEY',
    kind: 'secret',
    whenAbsent: 'The reranker is called without a key, as llama.cpp expects',
    modes: 'all',
    meaning: 'The bearer token of the reranker. It is sent to RERANKER_URL and nowhere else.',
    whenWrong: 'The reranker answers 401; rows keep the order of the search, and the answer carries a warning.',
    parse: (text) => text,
  },
  ...GITHUB_SETTINGS,
} as const satisfies Record<string, Setting>

/** Origins exactly as browsers send them. */
function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined
}

/** An http or https address without a secret, to which a path can be appended. */
function parseModelUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '' ? text : undefined
}

function parseDimensions(text: string): number | undefined {
  const dimensions = Number(text)
  return Number.isInteger(dimensions) && dimensions >= 16 && dimensions <= 8192 ? dimensions : undefined
}

function parseWeight(text: string): number | undefined {
  const weight = Number(text)
  return weight > 0 && weight <= 1 ? weight : undefined
}
