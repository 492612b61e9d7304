-- Text search. The words of each column were split and folded by the program, which splits queries the same way; here they
-- are only told apart by spaces. One row for each role, under the id of its latest version. The texts themselves are not kept.
CREATE VIRTUAL TABLE search USING fts5 (
    id, title, summary, body,
    content = '', contentless_delete = 1, tokenize = 'ascii'
);

-- Words of titles under every form that has one letter less, so that words one edit apart meet in a form. Words are only
-- ever added: one that has left all titles finds nothing.
CREATE TABLE title_words (
    form TEXT NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (form, word)
) STRICT, WITHOUT ROWID;

-- One row: by which rules the indexed words were split; 0 when nothing is indexed yet.
CREATE TABLE search_rules (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    rules    INTEGER NOT NULL
) STRICT;

INSERT INTO search_rules (only_row, rules) VALUES (1, 0);

CREATE INDEX roles_by_latest_version ON roles (latest_version_id);
