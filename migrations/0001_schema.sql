-- The project index. documents, segments, labels and assignees are the source
-- of truth; chunks and words are derived from them and can be rebuilt.

CREATE TABLE repositories (
  repository INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  private INTEGER NOT NULL,
  default_branch TEXT,
  archived INTEGER NOT NULL DEFAULT 0
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
  commit_sha TEXT,
  tag_name TEXT,
  comment_id INTEGER,
  review_id INTEGER,
  title TEXT,
  url TEXT,
  author TEXT,
  author_key TEXT,
  author_association TEXT,
  state TEXT,
  merged INTEGER,
  draft INTEGER,
  milestone TEXT,
  prerelease INTEGER,
  review_state TEXT,
  file_status TEXT,
  message TEXT,
  commit_date INTEGER,
  commit_author TEXT,
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
  -- The name by which links find the document, within its repository.
  anchor TEXT,
  -- Versions of the code that derived rows were made by; an older one means that they are pending.
  words_version INTEGER NOT NULL,
  edges_version INTEGER NOT NULL DEFAULT 0,
  -- NULL not looked at yet; 0 vectors are pending; a generation, vectors of it
  -- are there; the negative of one, the same, but their filter attributes are stale.
  vectors_version INTEGER
);
CREATE INDEX documents_by_update ON documents (updated_at, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_creation ON documents (created_at, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_repository_update ON documents (repository, updated_at, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_repository_type ON documents (repository, type, path) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_author ON documents (author_key) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_milestone ON documents (milestone) WHERE milestone IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX documents_by_words_version ON documents (words_version, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_edges_version ON documents (edges_version, document) WHERE deleted_at IS NULL;
CREATE INDEX documents_by_vectors_version ON documents (vectors_version, document) WHERE vectors_version IS NOT NULL;
CREATE INDEX documents_by_anchor ON documents (repository, anchor) WHERE deleted_at IS NULL AND anchor IS NOT NULL;
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
  path_terms TEXT NOT NULL,
  -- The commit of a diff, so that the files of one commit can be ranked together.
  commit_sha TEXT
);

CREATE VIRTUAL TABLE words USING fts5 (
  k, t, p, b, x, f,
  content = '',
  contentless_delete = 1,
  tokenize = 'ascii'
);
CREATE VIRTUAL TABLE word_frequencies USING fts5vocab (words, 'row');

CREATE TABLE corpus (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  chunks INTEGER NOT NULL,
  length INTEGER NOT NULL
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

-- Derived rows that could not be made: when to try again, and what went wrong.
CREATE TABLE retries (
  document INTEGER NOT NULL,
  kind TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  error TEXT NOT NULL,
  PRIMARY KEY (document, kind)
) WITHOUT ROWID;

-- A page proves here that what it read is still so; a row that cannot be
-- inserted rolls the whole page back. The table stays empty.
CREATE TABLE guards (
  holds INTEGER NOT NULL CHECK (holds = 1)
);

-- Links between documents, derived from their text. A link is stored as it names
-- its target and meets the target's anchor at query time, so the order in which
-- the two documents came does not matter.
CREATE TABLE edges (
  edge INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  repo TEXT NOT NULL,
  target TEXT NOT NULL
);
CREATE INDEX edges_by_target ON edges (target, repo);

-- The shadow of the word index: filled beside it and swapped in, because FTS5's
-- statistics drift with every rewrite. shadow_documents records the version and
-- the analysis that each document was filled in with. Document 0 is the rebuild
-- itself; its words_version is 1 when the operator requested it.
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

-- Vectors of chunks, derived by an embedder; empty while none is configured.
-- One row once an embedder was configured: its model, how often the model
-- changed, and the last document that was looked at.
CREATE TABLE vector_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  model TEXT NOT NULL,
  generation INTEGER NOT NULL,
  walked INTEGER NOT NULL
);

CREATE TABLE vectors (
  chunk INTEGER PRIMARY KEY,
  slot INTEGER NOT NULL UNIQUE,
  vector TEXT NOT NULL
);

-- Slots that can be used again.
CREATE TABLE free_slots (
  slot INTEGER PRIMARY KEY
);

-- 1,024 slots a row, as base64 records of fixed size; slot = pack * 1024 + place.
CREATE TABLE sketches (
  pack INTEGER PRIMARY KEY,
  sketches TEXT NOT NULL,
  attributes TEXT NOT NULL
);
