//! The listing: keyset pages over an index or over what a search finds, so that a page costs the same wherever it lies.
//!
//! The SQL texts are put together from a few parts at compile time. In all of them ?1 to ?6 are the [`Filters`], ?7 to
//! ?11 what is [searched for](Wanted), ?12 and ?13 limit and offset, ?14 to ?16 the position before the page.

use sqlx::Row as _;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteRow};

use super::row::{role_columns, role_record};
use super::search::{SearchText, Wanted};
use super::{Catalog, CatalogError, RoleRecord};
use crate::domain::{AppVersion, DependencyMode, LocaleTag};

/// The order of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Sort {
    /// Of a search: exact id, id prefix, title, summary, text; then most downloads, then id.
    Relevance,
    /// Latest change first.
    Updated,
    /// Latest first publication first.
    New,
    /// Case-folded canonical title, then id.
    Name,
    /// Most downloads first.
    Downloads,
}

impl Sort {
    /// The order that applies: relevance is that of a search, and its default; otherwise the latest change is.
    #[must_use]
    pub fn or_default(asked: Option<Self>, is_search: bool) -> Self {
        match asked {
            None | Some(Self::Relevance) if is_search => Self::Relevance,
            None | Some(Self::Relevance) => Self::Updated,
            Some(other) => other,
        }
    }
}

/// Which roles to list, and at which version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// Only this kind: `role` or `application`.
    pub kind: Option<&'static str>,
    /// Only with an `[i18n]` table of exactly this language.
    pub has_locale: Option<LocaleTag>,
    /// Only with this need of a Python environment.
    pub dependency_mode: Option<DependencyMode>,
    /// Only of this publisher.
    pub publisher: Option<String>,
    /// Only versions that this app can run: each role at its newest of them.
    pub app_version: Option<AppVersion>,
    /// A prerelease counts like any version; otherwise it is shown only when there is nothing else.
    pub prerelease: bool,
}

impl Filters {
    /// Whether the row of a role cannot tell whether it passes, and at which version.
    fn ask_about_versions(&self) -> bool {
        *self != Self { kind: self.kind, ..Self::default() }
    }
}

/// The roles to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// What their latest versions must say.
    pub q: Option<SearchText>,
    /// What the versions shown must be.
    pub filters: Filters,
    /// The order.
    pub sort: Sort,
    /// How many, at most.
    pub limit: u32,
    /// Where to begin.
    pub start: Start,
}

/// Where a page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// After this position: as cheap on the last page as on the first, and steady while roles are published.
    After(Position),
    /// After this many roles: for numbered pages.
    Skip(u64),
}

/// A place between two roles of a sorted listing: the sort key and id of the role before it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Position {
    /// Of the order by relevance: rank and downloads.
    Rank(i64, i64, String),
    /// Of the orders by number.
    Number(i64, String),
    /// Of the order by name.
    Text(String, String),
}

impl Position {
    /// Whether this is a place in this order.
    #[must_use]
    pub fn is_in(&self, sort: Sort) -> bool {
        match self {
            Self::Rank(..) => sort == Sort::Relevance,
            Self::Number(..) => matches!(sort, Sort::Updated | Sort::New | Sort::Downloads),
            Self::Text(..) => sort == Sort::Name,
        }
    }

    fn before_all(sort: Sort) -> Self {
        match sort {
            Sort::Relevance => Self::Rank(i64::MIN, 0, String::new()),
            Sort::Updated | Sort::New | Sort::Downloads => Self::Number(i64::MAX, String::new()),
            Sort::Name => Self::Text(String::new(), String::new()),
        }
    }

    fn of(row: &SqliteRow, sort: Sort) -> Result<Self, CatalogError> {
        let id = row.try_get("role_id")?;
        Ok(match sort {
            Sort::Relevance => Self::Rank(row.try_get("sort_key")?, row.try_get("downloads")?, id),
            Sort::Updated | Sort::New | Sort::Downloads => Self::Number(row.try_get("sort_key")?, id),
            Sort::Name => Self::Text(row.try_get("sort_key")?, id),
        })
    }
}

/// One page of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The roles, each at the version that the filters choose.
    pub roles: Vec<RoleRecord>,
    /// How many there are on all pages.
    pub total: u64,
    /// Where the next page begins; none on the last.
    pub next: Option<Position>,
}

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
struct Forms {
    all: &'static str,
    all_chosen: &'static str,
    found: &'static str,
    found_chosen: &'static str,
}

impl Forms {
    fn of(&self, filters: &Filters, is_search: bool) -> &'static str {
        match (is_search, filters.ask_about_versions()) {
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

const BY_UPDATE: Forms = by_column!("updated_revision", "< (?14, ?15)", "DESC");
const BY_CREATION: Forms = by_column!("created_revision", "< (?14, ?15)", "DESC");
const BY_DOWNLOADS: Forms = by_column!("downloads", "< (?14, ?15)", "DESC");
const BY_NAME: Forms = by_column!("name_key", "> (?14, ?15)", "ASC");
/// Only a search has relevance; other listings fall back to the latest change before they get here.
const BY_RELEVANCE: Forms = Forms { found: by_relevance!(latest), found_chosen: by_relevance!(chosen), ..BY_UPDATE };
const TOTAL: Forms = Forms {
    all: total!("", all, latest),
    all_chosen: total!("", all, chosen),
    found: total!(hits!(), found, latest),
    found_chosen: total!(hits!(), found, chosen),
};

impl Catalog {
    /// One page of the roles that have a version to install.
    pub async fn list(&self, query: &ListQuery) -> Result<Listing, CatalogError> {
        let sort = Sort::or_default(Some(query.sort), query.q.is_some());
        // All reads share a snapshot.
        let mut tx = self.readers().begin().await?;
        let wanted = match &query.q {
            Some(text) => Some(Wanted::of(text, &mut tx).await?),
            None => None,
        };
        let (position, skip) = match &query.start {
            Start::After(position) if position.is_in(sort) => (position.clone(), 0),
            Start::After(_) => (Position::before_all(sort), 0),
            Start::Skip(roles) => (Position::before_all(sort), *roles),
        };
        let pages = match sort {
            Sort::Relevance => BY_RELEVANCE,
            Sort::Updated => BY_UPDATE,
            Sort::New => BY_CREATION,
            Sort::Downloads => BY_DOWNLOADS,
            Sort::Name => BY_NAME,
        };
        let ask = |forms: Forms| bind(forms.of(&query.filters, wanted.is_some()), &query.filters, wanted.as_ref());
        // One row more than asked for tells whether there is a next page.
        let page = ask(pages).bind(i64::from(query.limit) + 1).bind(i64::try_from(skip).unwrap_or(i64::MAX));
        let page = match &position {
            Position::Rank(rank, downloads, id) => page.bind(rank).bind(downloads.saturating_neg()).bind(id),
            Position::Number(key, id) => page.bind(key).bind(id),
            Position::Text(key, id) => page.bind(key).bind(id),
        };
        let rows = page.fetch_all(&mut *tx).await?;
        let total: i64 = ask(TOTAL).fetch_one(&mut *tx).await?.try_get(0)?;
        tx.commit().await?;

        let limit = query.limit as usize;
        let next = match rows.get(limit.saturating_sub(1)) {
            Some(last) if rows.len() > limit => Some(Position::of(last, sort)?),
            _ => None,
        };
        let roles = rows.iter().take(limit).map(role_record).collect::<Result<_, _>>()?;
        Ok(Listing { roles, total: total.unsigned_abs(), next })
    }
}

/// A query with its parameters ?1 to ?11.
fn bind<'q>(
    sql: &'static str,
    filters: &'q Filters,
    wanted: Option<&'q Wanted>,
) -> sqlx::query::Query<'q, Sqlite, SqliteArguments> {
    sqlx::query(sql)
        .bind(filters.kind)
        .bind(filters.has_locale.as_ref().map(LocaleTag::as_str))
        .bind(filters.dependency_mode.map(DependencyMode::as_str))
        .bind(filters.publisher.as_deref())
        .bind(filters.app_version.map(|version| version.sort_key()))
        .bind(filters.prerelease)
        .bind(wanted.map(|wanted| wanted.anywhere.as_str()))
        .bind(wanted.map(|wanted| wanted.in_titles.as_str()))
        .bind(wanted.map(|wanted| wanted.in_summaries.as_str()))
        .bind(wanted.and_then(|wanted| wanted.literal.as_deref()))
        .bind(wanted.and_then(|wanted| wanted.id.as_deref()))
}
