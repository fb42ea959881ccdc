-- Links between documents, derived from their text. A link is kept as it names
-- its target and meets the target's anchor when someone asks, so it makes no
-- difference which of the two came first.
ALTER TABLE documents ADD COLUMN anchor TEXT;
ALTER TABLE documents ADD COLUMN edges_mark INTEGER NOT NULL DEFAULT 0;
CREATE INDEX documents_by_anchor ON documents (repository, anchor) WHERE deleted_at IS NULL AND anchor IS NOT NULL;
CREATE INDEX documents_by_edges_mark ON documents (edges_mark, document) WHERE deleted_at IS NULL;

CREATE TABLE edges (
  edge INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  repo TEXT NOT NULL,
  target TEXT NOT NULL
);
CREATE INDEX edges_by_target ON edges (target, repo);
