/**
 * The tables of a user's store, as migrations that are only ever added to. What
 * the messages say stands in `messages` alone; the word index and the signals
 * are made from it (derived.ts), in tables of their own generation, so that new
 * ones can be filled beside the old.
 */
import { row, rows, run, StoreDamage, type Database } from './message-database.ts'

/** Applied in order, each once. A released migration never changes. */
export const MIGRATIONS: readonly string[] = [
  `
  -- One row: what holds for the store as a whole. Bytes and counts are of live messages unless they say dead.
  CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    store_key TEXT NOT NULL,            -- random; cursors are bound to it
    last_sequence INTEGER NOT NULL,     -- of the last effective write, update or delete; never goes back
    last_id TEXT NOT NULL,              -- last message id made here; '' before the first
    update_records INTEGER NOT NULL,    -- effective updates since the last rebuild
    live_messages INTEGER NOT NULL,
    dead_messages INTEGER NOT NULL,     -- deleted, and not yet gone
    content_bytes INTEGER NOT NULL,
    metadata_bytes INTEGER NOT NULL,
    dead_bytes INTEGER NOT NULL,        -- content and metadata of dead messages
    pieces INTEGER NOT NULL,            -- rows of the word index
    length INTEGER NOT NULL,            -- sum of the pieces' lengths, in terms
    generation INTEGER NOT NULL,        -- which derived tables are in use
    signals_version INTEGER NOT NULL,   -- analysis they were made by
    last_error TEXT NOT NULL
  );
  CREATE TABLE sessions (
    session INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    next_place INTEGER NOT NULL,        -- of the next message in the session; places are never given twice
    started_at INTEGER                  -- Unix ms of the oldest live message; NULL without one
  );
  CREATE INDEX sessions_in_order ON sessions (started_at, session_id) WHERE started_at IS NOT NULL;
  CREATE TABLE messages (
    sequence INTEGER PRIMARY KEY,       -- of the write that made it: the order of creation
    message_id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL,
    place INTEGER NOT NULL,             -- within the session, ascending with sequence
    deleted INTEGER NOT NULL,           -- 1: a tombstone, its text gone with the next rebuild
    timestamp INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    role TEXT NOT NULL,
    memory_tier TEXT NOT NULL,
    memory_kind TEXT NOT NULL,
    importance INTEGER NOT NULL,
    expires_at INTEGER,
    tool_call_id TEXT,
    tags TEXT NOT NULL,                 -- JSON, as are the next two
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
  -- Relations that live messages declare, by target.
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
    digest TEXT NOT NULL,               -- of what was asked to be written
    message_id TEXT NOT NULL,
    written_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX idempotency_by_age ON idempotency (written_at);
  `,
  `
  -- What vectors are made by, '' before the first embedder, and how far: messages after vectors_upto owe theirs.
  ALTER TABLE store ADD COLUMN vectors_model TEXT NOT NULL DEFAULT '';
  ALTER TABLE store ADD COLUMN vectors_upto INTEGER NOT NULL DEFAULT 0;
  -- Failures of the embedder since it last answered, and the time (Unix ms) before which it is left alone.
  ALTER TABLE store ADD COLUMN vectors_failures INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE store ADD COLUMN vectors_not_before INTEGER NOT NULL DEFAULT 0;
  -- Messages up to vectors_upto that owe vectors all the same: changed, or failed so many times and left alone until due.
  CREATE TABLE owed_vectors (
    sequence INTEGER PRIMARY KEY,
    failures INTEGER NOT NULL,
    due_at INTEGER NOT NULL             -- Unix ms; 0: at once
  );
  CREATE INDEX owed_vectors_by_due ON owed_vectors (due_at);
  -- The vectors of what live messages say now, piece by piece.
  CREATE TABLE vectors (
    chunk INTEGER PRIMARY KEY,          -- sequence of the message and number of the piece
    start INTEGER NOT NULL,             -- of the piece in the content, in UTF-16 units
    chars INTEGER NOT NULL,
    vector BLOB NOT NULL                -- 16 bits a dimension
  );
  -- Their sketches, those of 256 sequences a row.
  CREATE TABLE sketches (
    pack INTEGER PRIMARY KEY,
    records BLOB NOT NULL
  );
  `,
]

/** Brings a store to the newest schema, a new one included. Throws StoreDamage for one that a newer version made. */
export function migrate(database: Database, migrations: readonly string[] = MIGRATIONS): void {
  run(database, 'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
  const version = row<{ version: number }>(database, 'SELECT version FROM schema_version')?.version ?? 0
  if (version > migrations.length) throw new StoreDamage('the store was made by a newer version')
  for (const [at, migration] of migrations.entries()) {
    if (at < version) continue
    database.transaction(() => {
      run(database, migration)
      rows(database, 'DELETE FROM schema_version')
      run(database, 'INSERT INTO schema_version VALUES (?)', at + 1)
    })
  }
}
