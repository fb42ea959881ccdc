-- The commit of a diff, so that the files of one commit can be ranked together.
-- Rows made before this have none until their words are made again.
ALTER TABLE chunks ADD COLUMN commit_sha TEXT;
