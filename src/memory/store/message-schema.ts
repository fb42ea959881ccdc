/**
 * Schema of a user's store and its upgrades. `messages` is the source of truth.
 * The search index is derived from it (message-index.ts), in tables that have
 * their generation in the name, so that a rebuild can fill new ones beside the old.
 */
import { row, rows, run, StoreDamage, type Database } from './message-database.ts'

/** Value of `schema_version` in a store of the newest schema. */
export const SCHEMA_VERSION = 3

/** The newest schema, for a new store. */
const SCHEMA = `
  -- One row: counters and state of the whole store. Bytes and counts are of live messages unless named dead.
  CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    store_key TEXT NOT NULL,            -- random; part of the digest of cursors
    last_sequence INTEGER NOT NULL,     -- number of effective writes, updates and deletes; never decreases
    last_id TEXT NOT NULL,              -- last message id generated here; '' before the first
    update_records INTEGER NOT NULL,    -- effective updates since the last rebuild
    live_messages INTEGER NOT NULL,
    dead_messages INTEGER NOT NULL,     -- deleted messages that a rebuild will remove
    content_bytes INTEGER NOT NULL,
    metadata_bytes INTEGER NOT NULL,
    dead_bytes INTEGER NOT NULL,        -- content and metadata of dead messages
    chunks INTEGER NOT NULL,            -- rows of the word index
    length INTEGER NOT NULL,            -- sum of the lengths of chunks, in weighted terms
    generation INTEGER NOT NULL,        -- generation of the search index in use
    signals_version INTEGER NOT NULL,   -- version of the text analysis of that search index
    last_error TEXT NOT NULL,
    -- Model of the vectors, '' without one. Messages with a sequence after vectors_upto have no vectors yet.
    vectors_model TEXT NOT NULL DEFAULT '',
    vectors_upto INTEGER NOT NULL DEFAULT 0,
    -- Consecutive failures of the embedder, and the time (Unix ms) before which it is not called.
    vectors_failures INTEGER NOT NULL DEFAULT 0,
    vectors_not_before INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE sessions (
    session INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    next_place INTEGER NOT NULL,        -- place of the next message in the session; places are not reused
    started_at INTEGER                  -- Unix ms of the oldest live message; NULL without one
  );
  CREATE INDEX sessions_in_order ON sessions (started_at, session_id) WHERE started_at IS NOT NULL;
  CREATE TABLE messages (
    sequence INTEGER PRIMARY KEY,       -- number of the write that created it: the order of creation
    message_id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL,
    place INTEGER NOT NULL,             -- order within the session, ascending with sequence
    deleted INTEGER NOT NULL,           -- 1: tombstone; the next rebuild removes the row
    timestamp INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    role TEXT NOT NULL,
    memory_tier TEXT NOT NULL,
    memory_kind TEXT NOT NULL,
    importance INTEGER NOT NULL,
    expires_at INTEGER,
    tool_call_id TEXT,
    tags TEXT NOT NULL,                 -- JSON array, as are the next two columns
    relations TEXT NOT NULL,
    source_message_ids TEXT NOT NULL,
    summary TEXT,
    metadata_bytes INTEGER NOT NULL,
    content_bytes INTEGER NOT NULL,
    content TEXT NOT NULL
  );
  CREATE INDEX messages_in_session ON messages (session, sequence, timestamp, memory_kind) WHERE deleted = 0;
  CREATE INDEX messages_summarised ON messages (session, sequence) WHERE deleted = 0 AND summary IS NOT NULL;
  CREATE INDEX messages_expiring ON messages (expires_at) WHERE deleted = 0 AND expires_at IS NOT NULL;
  CREATE INDEX messages_dead ON messages (sequence) WHERE deleted = 1;
  -- Relations declared by live messages.
  CREATE TABLE relations (
    source INTEGER NOT NULL,            -- sequence of the declaring message
    ordinal INTEGER NOT NULL,
    type TEXT NOT NULL,
    target_id TEXT NOT NULL,
    PRIMARY KEY (source, ordinal)
  ) WITHOUT ROWID;
  CREATE INDEX relations_by_target ON relations (target_id, source, ordinal, type);
  CREATE TABLE idempotency (
    key TEXT PRIMARY KEY,
    digest TEXT NOT NULL,               -- SHA-256 of the arguments of the write
    message_id TEXT NOT NULL,
    written_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX idempotency_by_age ON idempotency (written_at);
  -- Messages up to vectors_upto whose vectors are pending: changed since, or to be retried after a failure.
  CREATE TABLE pending_vectors (
    sequence INTEGER PRIMARY KEY,
    failures INTEGER NOT NULL,
    due_at INTEGER NOT NULL             -- Unix ms; 0: due now
  );
  CREATE INDEX pending_vectors_by_due ON pending_vectors (due_at);
  -- Vectors of the chunks of live messages.
  CREATE TABLE vectors (
    chunk INTEGER PRIMARY KEY,          -- sequence of the message * 8192 + number of the chunk
    start INTEGER NOT NULL,             -- offset of the chunk in the content, in UTF-16 units
    chars INTEGER NOT NULL,
    vector BLOB NOT NULL                -- int16 vector, low byte first
  );
  -- Sketches of the vectors; one row packs those of 256 sequences.
  CREATE TABLE sketches (
    pack INTEGER PRIMARY KEY,
    records BLOB NOT NULL
  );
`

/** The step from a version to the next one. A released step never changes. */
const UPGRADES: ReadonlyMap<number, (database: Database) => string> = new Map([
  [
    2,
    (database) => `
  ALTER TABLE store RENAME COLUMN pieces TO chunks;
  ${signalTables(database)
    .map((table) => `ALTER TABLE ${table} RENAME COLUMN piece TO chunk;`)
    .join('\n  ')}
  ALTER TABLE owed_vectors RENAME TO pending_vectors;
  DROP INDEX owed_vectors_by_due;
  CREATE INDEX pending_vectors_by_due ON pending_vectors (due_at);
  `,
  ],
])

/** Names of the signal tables of all generations. */
function signalTables(database: Database): string[] {
  const tables = `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'signals_[0-9]*'`
  return rows<{ name: string }>(database, tables).map(({ name }) => name)
}

/**
 * Creates or upgrades the schema, one transaction for each step. Throws
 * StoreDamage for a store of an unknown version.
 */
export function migrate(database: Database): void {
  run(database, 'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
  let version = row<{ version: number }>(database, 'SELECT version FROM schema_version')?.version ?? 0
  if (version > SCHEMA_VERSION) throw new StoreDamage('the store was made by a newer version')
  while (version < SCHEMA_VERSION) {
    const upgrade = UPGRADES.get(version)
    if (version > 0 && upgrade === undefined) throw new StoreDamage(`the store has the unknown version ${version}`)
    const [step, next] = upgrade === undefined ? [SCHEMA, SCHEMA_VERSION] : [upgrade(database), version + 1]
    database.transaction(() => {
      run(database, step)
      rows(database, 'DELETE FROM schema_version')
      run(database, 'INSERT INTO schema_version VALUES (?)', next)
    })
    version = next
  }
}
