//! The SQL texts of the listing, put together from a few parts at compile time.
//!
//! In all of them ?1 to ?6 are the filters, ?7 to ?11 what is searched for, ?12 and ?13 limit and offset, ?14 to ?16 the
//! position before the page. Macros, because SQL texts are `&'static str`, and `concat!` takes literals alone.

use crate::catalog::row::role_columns;

/// The latest versions that a search finds, and where it found them: 2 in id or title, 3 in the summary, 4 in the text.
///
/// The `[i18n]` tables are taken apart only where their JSON holds the literal at all.
macro_rules! hits {
    () => {
        "WITH hits (version_id, place) AS MATERIALIZED (
             SELECT rowid, CASE WHEN rowid IN (SELECT rowid FROM search WHERE search MATCH ?8) THEN 2
                                WHEN rowid IN (SELECT rowid FROM search WHERE search MATCH ?9) THEN 3
                                ELSE 4 END
             FROM search WHERE search MATCH ?7
             UNION ALL
             SELECT version_id, CASE
                 WHEN instr(r.role_id, ?10) OR instr(title, ?10) THEN 2
                 WHEN EXISTS (SELECT 1 FROM json_each(i18n) WHERE instr(value ->> '$[1].title', ?10)) THEN 2
                 ELSE 3 END
             FROM roles r CROSS JOIN versions ON version_id = latest_version_id
             WHERE ?10 IS NOT NULL AND (
                 instr(r.role_id, ?10) OR instr(title, ?10) OR instr(summary, ?10)
                 OR (instr(i18n, trim(json_quote(?10), '\"')) AND EXISTS (
                     SELECT 1 FROM json_each(i18n)
                     WHERE instr(value ->> '$[1].title', ?10) OR instr(value ->> '$[1].summary', ?10)
                 ))
             )
         ) "
    };
}

/// Where roles come from. A search is done first, whatever the order.
macro_rules! roles {
    (all) => {
        "roles r"
    };
    (found) => {
        "hits h CROSS JOIN roles r ON r.latest_version_id = h.version_id"
    };
}

/// Which version of a role is shown.
macro_rules! version {
    (latest) => {
        "r.latest_version_id"
    };
    (chosen) => {
        "v.version_id"
    };
}

/// The version that is shown, and what it must be. As long as no filter asks about versions, the role's row knows all.
macro_rules! filtered {
    (latest) => {
        " WHERE r.latest_version_id IS NOT NULL AND (?1 IS NULL OR r.kind = ?1)"
    };
    (chosen) => {
        " JOIN versions v ON v.version_id = CASE
             WHEN ?5 IS NULL AND NOT ?6 THEN r.latest_version_id
             ELSE (SELECT fit.version_id FROM versions fit
                   WHERE fit.role_id = r.role_id AND fit.status = 'active'
                       AND (?5 IS NULL OR fit.min_app_version_key <= ?5)
                   ORDER BY fit.is_prerelease AND NOT ?6, fit.precedence DESC LIMIT 1)
             END
         WHERE (?1 IS NULL OR v.kind = ?1)
             AND (?2 IS NULL OR EXISTS (SELECT 1 FROM json_each(v.i18n) WHERE value ->> 0 = ?2))
             AND (?3 IS NULL OR v.dependency_mode = ?3)
             AND (?4 IS NULL OR r.publisher_id = (SELECT publisher_id FROM publishers WHERE name = ?4))"
    };
}

/// A page: its roles are found by narrow rows, and only theirs are read whole.
macro_rules! page {
    ($hits:expr, $roles:ident, $version:ident, $key:expr, $keys:expr, $position:expr, $order:expr) => {
        concat!(
            $hits,
            "SELECT ",
            role_columns!(),
            ", sort_key FROM (SELECT r.role_id AS page_role, ",
            version!($version),
            " AS page_version, ",
            $key,
            " AS sort_key FROM ",
            roles!($roles),
            filtered!($version),
            " AND (",
            $keys,
            ") ",
            $position,
            " ORDER BY ",
            $order,
            " LIMIT ?12 OFFSET ?13)
             JOIN roles r ON r.role_id = page_role
             JOIN versions v ON v.version_id = page_version
             JOIN publishers p USING (publisher_id)
             ORDER BY ",
            $order
        )
    };
}

/// One listing in its four forms.
pub(super) struct Forms {
    all: &'static str,
    all_chosen: &'static str,
    found: &'static str,
    found_chosen: &'static str,
}

impl Forms {
    /// The form for a search, or for filters that ask about versions.
    pub(super) fn of(&self, is_search: bool, ask_about_versions: bool) -> &'static str {
        match (is_search, ask_about_versions) {
            (false, false) => self.all,
            (false, true) => self.all_chosen,
            (true, false) => self.found,
            (true, true) => self.found_chosen,
        }
    }
}

/// The pages in the order of one column of `roles`.
macro_rules! by_column {
    ($column:literal, $position:literal, $direction:literal) => {
        Forms {
            all: by_column!("", all, latest, $column, $position, $direction),
            all_chosen: by_column!("", all, chosen, $column, $position, $direction),
            found: by_column!(hits!(), found, latest, $column, $position, $direction),
            found_chosen: by_column!(hits!(), found, chosen, $column, $position, $direction),
        }
    };
    ($hits:expr, $roles:ident, $version:ident, $column:literal, $position:literal, $direction:literal) => {
        page!(
            $hits,
            $roles,
            $version,
            concat!("r.", $column),
            concat!("r.", $column, ", r.role_id"),
            $position,
            concat!("r.", $column, " ", $direction, ", r.role_id ", $direction)
        )
    };
}

macro_rules! by_relevance {
    ($version:ident) => {
        page!(
            hits!(),
            found,
            $version,
            "CASE WHEN r.role_id = ?11 THEN 0 WHEN substr(r.role_id, 1, length(?11)) = ?11 THEN 1 ELSE h.place END",
            "sort_key, -r.downloads, r.role_id",
            "> (?14, ?15, ?16)",
            "sort_key, r.downloads DESC, r.role_id"
        )
    };
}

macro_rules! total {
    ($hits:expr, $roles:ident, $version:ident) => {
        concat!($hits, "SELECT count(*) FROM ", roles!($roles), filtered!($version))
    };
}

pub(super) const BY_UPDATE: Forms = by_column!("updated_revision", "< (?14, ?15)", "DESC");
pub(super) const BY_CREATION: Forms = by_column!("created_revision", "< (?14, ?15)", "DESC");
pub(super) const BY_DOWNLOADS: Forms = by_column!("downloads", "< (?14, ?15)", "DESC");
pub(super) const BY_NAME: Forms = by_column!("name_key", "> (?14, ?15)", "ASC");
/// Only a search has relevance; other listings fall back to the latest change before they get here.
pub(super) const BY_RELEVANCE: Forms =
    Forms { found: by_relevance!(latest), found_chosen: by_relevance!(chosen), ..BY_UPDATE };
pub(super) const TOTAL: Forms = Forms {
    all: total!("", all, latest),
    all_chosen: total!("", all, chosen),
    found: total!(hits!(), found, latest),
    found_chosen: total!(hits!(), found, chosen),
};
