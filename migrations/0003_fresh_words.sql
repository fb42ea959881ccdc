-- The word index made anew beside the one in use, because FTS5's statistics
-- drift with every rewrite and never come back. What is filled in is noted with
-- the version and mark it was made of; document 0 stands for the making itself,
-- its mark says whether the operator asked for it.
CREATE VIRTUAL TABLE fresh_words USING fts5 (
  k, t, p, b, x, f,
  content = '',
  contentless_delete = 1,
  tokenize = 'ascii'
);
CREATE TABLE words_filled (
  document INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  mark INTEGER NOT NULL
);
