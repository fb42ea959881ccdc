-- The project index. documents, segments, labels and assignees are the source
-- of truth; chunks, words, edges and vectors are derived from them and can be
-- rebuilt. src/documents/fields.ts lists the columns that are fields.

CREATE TABLE repositories (
  repository INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  private INTEGER NOT NULL,
  default_branch TEXT,
  archived INTEGER NOT NULL DEFAULT 0,
  -- The marker of the webhook delivery that said something of it last, if one did.
  delivered INTEGER
);
CREATE INDEX repositories_private ON repositories (repo_id) WHERE private = 1;

CREATE TABLE repository_names (
  name_key TEXT PRIMARY KEY,
  short_key TEXT NOT NULL,
  repository INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX repository_names_by_short ON repository_names (short_key);
CREATE INDEX repository_names_by_repository ON repository_names (repository);

CREATE TABLE documents (
  document INTEGER PRIMARY KEY AUTOINCREMENT,
  vector_id TEXT NOT NULL UNIQUE,
  repository INTEGER NOT NULL,
  type TEXT NOT NULL,
  number INTEGER,
  path TEXT,
  -- The path in NFC, where that differs.
  path_key TEXT,
  commit_sha TEXT,
  tag_name TEXT,
  -- Of a release: sorts as the version in its tag.
  version_key TEXT,
  comment_id INTEGER,
  review_id INTEGER,
  title TEXT,
  url TEXT,
  author TEXT,
  author_email TEXT,
  -- All names of the author, see author_names.
  author_key TEXT,
  author_association TEXT,
  state TEXT,
  merged INTEGER,
  draft INTEGER,
  milestone TEXT,
  milestone_key TEXT,
  prerelease INTEGER,
  previous_tag TEXT,
  commit_count INTEGER,
  generated INTEGER,
  review_state TEXT,
  file_status TEXT,
  message TEXT,
  commit_date INTEGER,
  commit_author TEXT,
  file_count INTEGER,
  line INTEGER,
  diff_hunk TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  times_given INTEGER NOT NULL,
  body_chars INTEGER NOT NULL,
  source_truncated INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  version INTEGER NOT NULL,
  deleted_at INTEGER,
  -- Opaque, from the reader of the source: shows it whether the document changed there.
  source_version TEXT,
  -- The marker of the webhook delivery that wrote the row, if one did.
  delivered INTEGER,
  -- The key by which links find the document, within its repository.
  anchor TEXT,
  -- Versions of the code that made the derived rows; rows of an older version are pending.
  words_version INTEGER NOT NULL,
  edges_version INTEGER NOT NULL DEFAULT 0,
  -- NULL: not checked yet. 0: vectors are pending. N: has vectors of generation
  -- N. -N: the same, but their filter attributes are stale.
  vectors_version INTEGER
);
CREATE INDEX documents_by_update ON documents (updated_at, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_creation ON documents (created_at, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_repository_update ON documents (repository, updated_at, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_repository_type ON documents (repository, type, coalesce(path_key, path)) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_author ON documents (author_key) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_milestone ON documents (milestone_key) WHERE milestone_key IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX documents_by_words_version ON documents (words_version, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_edges_version ON documents (edges_version, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_vectors_version ON documents (vectors_version, document) WHERE vectors_version IS NOT NULL;
CREATE INDEX documents_by_anchor ON documents (repository, anchor) WHERE deleted_at IS NULL AND anchor IS NOT NULL;
CREATE INDEX documents_by_commit ON documents (repository, commit_sha, type, path) WHERE commit_sha IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX documents_by_number ON documents (repository, number, type) WHERE number IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX documents_by_tag ON documents (tag_name) WHERE tag_name IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX documents_deleted ON documents (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE segments (
  segment INTEGER PRIMARY KEY,
  start INTEGER NOT NULL,
  text TEXT NOT NULL
);

CREATE TABLE labels (
  document INTEGER NOT NULL,
  position INTEGER NOT NULL,
  label TEXT NOT NULL,
  label_key TEXT NOT NULL,
  PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX labels_by_key ON labels (label_key, document);

CREATE TABLE assignees (
  document INTEGER NOT NULL,
  position INTEGER NOT NULL,
  login TEXT NOT NULL,
  login_key TEXT NOT NULL,
  PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX assignees_by_key ON assignees (login_key, document);

-- Commits: their parents, and the files that they changed.
CREATE TABLE parents (
  document INTEGER NOT NULL,
  position INTEGER NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY (document, position)
) WITHOUT ROWID;

CREATE TABLE files (
  document INTEGER NOT NULL,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  status TEXT NOT NULL,
  -- The path in NFC, where that differs.
  path_key TEXT,
  PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX files_by_path ON files (coalesce(path_key, path), document);

-- Releases: the commits that no earlier release contains.
CREATE TABLE released (
  document INTEGER NOT NULL,
  position INTEGER NOT NULL,
  commit_sha TEXT NOT NULL,
  PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX released_by_commit ON released (commit_sha, document);

-- The names by which an author is found, and with whole = 0 words of names, which
-- only suggest authors.
CREATE TABLE author_names (
  name_key TEXT NOT NULL,
  author_key TEXT NOT NULL,
  whole INTEGER NOT NULL,
  PRIMARY KEY (name_key, author_key)
) WITHOUT ROWID;
CREATE INDEX author_names_by_author ON author_names (author_key);

CREATE TABLE chunks (
  chunk INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  start INTEGER NOT NULL,
  chars INTEGER NOT NULL,
  entity TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  length INTEGER NOT NULL,
  terms TEXT NOT NULL,
  forms TEXT NOT NULL,
  path_terms TEXT NOT NULL,
  -- JSON of [offset, headings] pairs: the section at the start, and each that begins inside; empty without headings.
  headings TEXT NOT NULL,
  -- Of a commit and its diffs, which are ranked together.
  commit_sha TEXT,
  -- Of a diff, a hash of its patch without paths: copies of one file have the same.
  patch INTEGER
);

CREATE VIRTUAL TABLE words USING fts5 (
  k, t, p, b, x, f,
  content = '',
  contentless_delete = 1,
  tokenize = 'ascii'
);
CREATE VIRTUAL TABLE word_frequencies USING fts5vocab (words, 'row');

-- The terms that very many chunks contain, and that number when they were counted:
-- the vocabulary counts a term by a walk over all its rows.
CREATE TABLE common_terms (
  term TEXT PRIMARY KEY,
  chunks INTEGER NOT NULL
) WITHOUT ROWID;

-- counted_chunks: the chunks when common_terms was filled, 0 if it says nothing.
-- counted_rows: the rows that the word index had ever been given then.
CREATE TABLE corpus (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  chunks INTEGER NOT NULL,
  length INTEGER NOT NULL,
  counted_chunks INTEGER NOT NULL DEFAULT 0,
  counted_rows INTEGER NOT NULL DEFAULT 0
);
INSERT INTO corpus (one, chunks, length) VALUES (1, 0, 0);

CREATE TABLE cursors (
  repository INTEGER NOT NULL,
  source TEXT NOT NULL,
  position TEXT NOT NULL,
  done INTEGER,
  total INTEGER,
  moved_at INTEGER NOT NULL,
  PRIMARY KEY (repository, source)
) WITHOUT ROWID;
CREATE INDEX cursors_unfinished ON cursors (repository) WHERE done < total;

-- Derived rows that could not be made: the time of the next retry and the last error.
CREATE TABLE retries (
  document INTEGER NOT NULL,
  kind TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  error TEXT NOT NULL,
  PRIMARY KEY (document, kind)
) WITHOUT ROWID;

-- A transaction inserts 0 here if the rows that it was planned on have changed:
-- the constraint fails and rolls it back. The table stays empty.
CREATE TABLE guards (
  holds INTEGER NOT NULL CHECK (holds = 1)
);

-- Links between documents, derived from their texts. A link stores the name of its
-- target and is joined with the target's anchor at query time, so documents may
-- be imported in any order.
CREATE TABLE edges (
  edge INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  repo TEXT NOT NULL,
  target TEXT NOT NULL
);
CREATE INDEX edges_by_target ON edges (target, repo, kind);

-- The shadow of the word index, which replaces it by a swap, because FTS5's
-- statistics drift with every rewrite. shadow_documents has the version and the
-- words_version of each document that was filled in. Document 0 exists while the
-- shadow is being filled; its words_version is 1 if the operator requested that.
CREATE VIRTUAL TABLE shadow_words USING fts5 (
  k, t, p, b, x, f,
  content = '',
  contentless_delete = 1,
  tokenize = 'ascii'
);
CREATE TABLE shadow_documents (
  document INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  words_version INTEGER NOT NULL
);

-- One row once an embedder was configured: its model, the number of models so
-- far, and the last document that was checked for pending vectors.
CREATE TABLE vector_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  model TEXT NOT NULL,
  generation INTEGER NOT NULL,
  walked INTEGER NOT NULL
);

-- Vectors of chunks, made by an embedder.
CREATE TABLE vectors (
  chunk INTEGER PRIMARY KEY,
  slot INTEGER NOT NULL UNIQUE,
  vector TEXT NOT NULL
);

-- Slots of dropped vectors, for reuse.
CREATE TABLE free_slots (
  slot INTEGER PRIMARY KEY
);

-- 1,024 slots a row, as base64 records of fixed size: slot = pack * 1024 + position.
CREATE TABLE sketches (
  pack INTEGER PRIMARY KEY,
  sketches TEXT NOT NULL,
  attributes TEXT NOT NULL
);

-- The state of reading GitHub. The marker counts transactions that removed,
-- delivered or queued something: a read that began at a marker is older than
-- everything that has a higher one.
CREATE TABLE ingestion (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  marker INTEGER NOT NULL
);
INSERT INTO ingestion (one, marker) VALUES (1, 0);

-- The configured repositories: the id that each name stands for now.
CREATE TABLE configured_names (
  name_key TEXT PRIMARY KEY,
  repo_id INTEGER,
  checked_at INTEGER NOT NULL,
  -- 1 until it is looked up in the current round.
  due INTEGER NOT NULL,
  -- Failures in a row.
  attempts INTEGER NOT NULL,
  error TEXT,
  retry_at INTEGER
) WITHOUT ROWID;

-- One row a repository, surface and walk: how far it is read. unread = 1 until
-- the walk has come to its end in the current round.
CREATE TABLE surface_reads (
  repository INTEGER NOT NULL,
  surface TEXT NOT NULL,
  walk TEXT NOT NULL,
  state TEXT NOT NULL,
  position TEXT,
  unread INTEGER NOT NULL,
  done INTEGER,
  total INTEGER,
  requests INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  moved_at INTEGER,
  ended_at INTEGER,
  last_error TEXT,
  retry_at INTEGER,
  PRIMARY KEY (repository, surface, walk)
) WITHOUT ROWID;
CREATE INDEX surface_reads_begun ON surface_reads (state) WHERE walk = 'poll' AND ended_at IS NULL;

-- Removed documents, without their texts, for 30 days. number: of a thread, whose
-- comments are gone with it. updated_at: older words are not put again.
CREATE TABLE removals (
  vector_id TEXT PRIMARY KEY,
  repository INTEGER NOT NULL,
  number INTEGER,
  marker INTEGER NOT NULL,
  updated_at INTEGER,
  removed_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX removals_by_number ON removals (repository, number, marker) WHERE number IS NOT NULL;
CREATE INDEX removals_by_time ON removals (removed_at);

-- Things to read again. queued: the marker at which it was queued last.
CREATE TABLE pending_reads (
  repository INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  queued INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  error TEXT,
  PRIMARY KEY (repository, kind, key)
) WITHOUT ROWID;
CREATE INDEX pending_reads_by_due ON pending_reads (due_at);

-- Webhook deliveries that were committed, for 30 days.
CREATE TABLE deliveries (
  hook TEXT NOT NULL,
  delivery TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  PRIMARY KEY (hook, delivery)
) WITHOUT ROWID;
CREATE INDEX deliveries_by_time ON deliveries (received_at);

-- Work that one process at a time does.
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

-- The request limits of a credential, which is named by a hash, as GitHub stated them last.
CREATE TABLE github_limits (
  credential TEXT PRIMARY KEY,
  hourly INTEGER,
  remaining INTEGER,
  resets_at INTEGER,
  blocked_until INTEGER,
  backoffs INTEGER
) WITHOUT ROWID;
