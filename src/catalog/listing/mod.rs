//! The listing: keyset pages over an index or over what a search finds, so that a page costs the same wherever it lies.

mod sql;

use sqlx::Row as _;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteRow};

use super::row::role_record;
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
            Sort::Relevance => sql::BY_RELEVANCE,
            Sort::Updated => sql::BY_UPDATE,
            Sort::New => sql::BY_CREATION,
            Sort::Downloads => sql::BY_DOWNLOADS,
            Sort::Name => sql::BY_NAME,
        };
        let ask = |forms: sql::Forms| {
            let sql = forms.of(wanted.is_some(), query.filters.ask_about_versions());
            bind(sql, &query.filters, wanted.as_ref())
        };
        // One row more than asked for tells whether there is a next page.
        let page = ask(pages).bind(i64::from(query.limit) + 1).bind(i64::try_from(skip).unwrap_or(i64::MAX));
        let page = match &position {
            Position::Rank(rank, downloads, id) => page.bind(rank).bind(downloads.saturating_neg()).bind(id),
            Position::Number(key, id) => page.bind(key).bind(id),
            Position::Text(key, id) => page.bind(key).bind(id),
        };
        let rows = page.fetch_all(&mut *tx).await?;
        let total: i64 = ask(sql::TOTAL).fetch_one(&mut *tx).await?.try_get(0)?;
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
