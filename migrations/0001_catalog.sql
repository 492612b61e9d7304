-- The catalog. Times are Unix seconds; digests are 32-byte blobs; JSON columns hold what is only ever read whole.

-- One row: which catalog this is, and how often it has changed.
CREATE TABLE catalog (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    epoch    TEXT    NOT NULL,
    revision INTEGER NOT NULL
) STRICT;

CREATE TABLE publishers (
    publisher_id INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL UNIQUE,
    created_at   INTEGER NOT NULL
) STRICT;

-- Only the digest of a token is kept.
CREATE TABLE tokens (
    token_id      INTEGER PRIMARY KEY,
    publisher_id  INTEGER NOT NULL REFERENCES publishers,
    sha256        BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    scopes        TEXT    NOT NULL,
    role_patterns TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    revoked_at    INTEGER,
    last_used_at  INTEGER
) STRICT;

-- Columns below `latest_version_id` repeat the latest version's, so that a listing walks one index.
CREATE TABLE roles (
    role_id           TEXT    PRIMARY KEY,
    publisher_id      INTEGER NOT NULL REFERENCES publishers,
    created_at        INTEGER NOT NULL,
    created_revision  INTEGER NOT NULL UNIQUE,
    updated_at        INTEGER NOT NULL,
    updated_revision  INTEGER NOT NULL UNIQUE,
    downloads         INTEGER NOT NULL DEFAULT 0,
    latest_version_id INTEGER REFERENCES versions (version_id),
    kind              TEXT    CHECK (kind IN ('role', 'application')),
    name_key          TEXT
) STRICT;

CREATE INDEX roles_by_name ON roles (name_key, role_id);
CREATE INDEX roles_by_downloads ON roles (downloads, role_id);
CREATE INDEX roles_by_publisher ON roles (publisher_id);

CREATE TABLE versions (
    version_id          INTEGER PRIMARY KEY,
    role_id             TEXT    NOT NULL REFERENCES roles,
    version             TEXT    NOT NULL,
    -- Byte order is SemVer precedence; unique, so two versions cannot differ in build metadata alone.
    precedence          TEXT    NOT NULL,
    is_prerelease       INTEGER NOT NULL,
    kind                TEXT    NOT NULL CHECK (kind IN ('role', 'application')),
    entry               TEXT,
    title               TEXT    NOT NULL,
    summary             TEXT    NOT NULL,
    i18n                TEXT    NOT NULL,
    min_app_version     TEXT    NOT NULL,
    min_app_version_key TEXT    NOT NULL,
    dependency_mode     TEXT    NOT NULL CHECK (dependency_mode IN ('none', 'locked')),
    remembers_progress  INTEGER NOT NULL,
    sha256              BLOB    NOT NULL CHECK (length(sha256) = 32),
    size_bytes          INTEGER NOT NULL,
    unpacked_bytes      INTEGER NOT NULL,
    assets              TEXT    NOT NULL,
    status              TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'yanked', 'withdrawn')),
    status_reason       TEXT,
    published_at        INTEGER NOT NULL,
    published_revision  INTEGER NOT NULL UNIQUE,
    UNIQUE (role_id, version),
    UNIQUE (role_id, precedence)
) STRICT;

-- What was frozen at publication and is read one at a time: kept apart so that version rows stay small.
CREATE TABLE version_documents (
    version_id INTEGER PRIMARY KEY REFERENCES versions,
    role_md    TEXT NOT NULL,
    files      TEXT NOT NULL,
    manifest   TEXT NOT NULL,
    report     TEXT NOT NULL
) STRICT;

-- Append-only: who changed what, when. Its last revision is the catalog's.
CREATE TABLE changes (
    revision INTEGER PRIMARY KEY,
    type     TEXT    NOT NULL CHECK (type IN ('published', 'yanked', 'unyanked', 'withdrawn', 'restored')),
    role_id  TEXT    NOT NULL,
    version  TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    actor    TEXT    NOT NULL,
    reason   TEXT
) STRICT;

INSERT INTO catalog (only_row, epoch, revision) VALUES (1, lower(hex(randomblob(16))), 0);
