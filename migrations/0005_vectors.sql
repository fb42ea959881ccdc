-- Vectors of chunks, derived by an embedder. With none configured every mark
-- stays NULL, the index below stays empty and so do the tables.
--
-- documents.vectors_mark: NULL not looked at yet; 0 vectors owed; a generation,
-- vectors of it are there; the negative of one, the same, but what filters ask
-- of them is out of date.
ALTER TABLE documents ADD COLUMN vectors_mark INTEGER;
CREATE INDEX documents_by_vectors_mark ON documents (vectors_mark, document) WHERE vectors_mark IS NOT NULL;

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

-- Slots that were given and are not taken any more.
CREATE TABLE free_slots (
  slot INTEGER PRIMARY KEY
);

-- 1,024 slots a row, as base64 records of fixed size; slot = pack * 1024 + place.
CREATE TABLE sketches (
  pack INTEGER PRIMARY KEY,
  sketches TEXT NOT NULL,
  facts TEXT NOT NULL
);
