//! The listing: keyset pages over an index, so that a page costs the same wherever it lies.

use super::row::{role_columns, role_record};
use super::{Catalog, CatalogError, RoleRecord};

/// The order of a listing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Sort {
    /// Latest change first.
    #[default]
    Updated,
    /// Latest first publication first.
    New,
    /// Case-folded canonical title, then id.
    Name,
    /// Most downloads first.
    Downloads,
}

/// The roles to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// Only this kind: `role` or `application`.
    pub kind: Option<&'static str>,
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
    /// Of the orders by number.
    Number(i64, String),
    /// Of the order by name.
    Text(String, String),
}

/// One page of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The roles, each at its latest version.
    pub roles: Vec<RoleRecord>,
    /// How many there are on all pages.
    pub total: u64,
    /// Where the next page begins; none on the last.
    pub next: Option<Position>,
}

/// The page of one order: `key` is its column, `before` compares a role with the position (?2, ?3).
macro_rules! page_sql {
    ($key:literal, $after:literal, $order:literal) => {
        concat!(
            "SELECT ",
            role_columns!(),
            ", r.",
            $key,
            " AS position
             FROM roles r
             JOIN versions v ON v.version_id = r.latest_version_id
             JOIN publishers p USING (publisher_id)
             WHERE (?1 IS NULL OR r.kind = ?1) AND (r.",
            $key,
            ", r.role_id) ",
            $after,
            " (?2, ?3)
             ORDER BY r.",
            $key,
            " ",
            $order,
            ", r.role_id ",
            $order,
            " LIMIT ?4"
        )
    };
}

impl Catalog {
    /// One page of the roles that have a version to install.
    pub async fn list(&self, query: &ListQuery) -> Result<Listing, CatalogError> {
        let (sql, first) = match query.sort {
            Sort::Updated => (page_sql!("updated_revision", "<", "DESC"), Position::Number(i64::MAX, String::new())),
            Sort::New => (page_sql!("created_revision", "<", "DESC"), Position::Number(i64::MAX, String::new())),
            Sort::Downloads => (page_sql!("downloads", "<", "DESC"), Position::Number(i64::MAX, String::new())),
            Sort::Name => (page_sql!("name_key", ">", "ASC"), Position::Text(String::new(), String::new())),
        };
        // One row more than asked for tells whether there is a next page. The two reads share a snapshot.
        let mut tx = self.readers().begin().await?;
        let page = sqlx::query(sql).bind(query.kind);
        let (position, skip) = match &query.start {
            Start::After(position) => (position, 0),
            Start::Skip(roles) => (&first, *roles),
        };
        let page = match position {
            Position::Number(key, id) => page.bind(*key).bind(id),
            Position::Text(key, id) => page.bind(key).bind(id),
        };
        let skip = i64::try_from(skip).unwrap_or(i64::MAX);
        let rows = page.bind(i64::from(query.limit) + 1).bind(skip).fetch_all(&mut *tx).await?;
        let total: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM roles WHERE latest_version_id IS NOT NULL AND (?1 IS NULL OR kind = ?1)",
        )
        .bind(query.kind)
        .fetch_one(&mut *tx)
        .await?;
        tx.commit().await?;

        let limit = query.limit as usize;
        let next = match rows.get(limit.saturating_sub(1)) {
            Some(last) if rows.len() > limit => Some(end_of(query.sort, last)?),
            _ => None,
        };
        let roles = rows.iter().take(limit).map(role_record).collect::<Result<_, _>>()?;
        Ok(Listing { roles, total: total.unsigned_abs(), next })
    }
}

fn end_of(sort: Sort, row: &sqlx::sqlite::SqliteRow) -> Result<Position, CatalogError> {
    use sqlx::Row as _;
    let id = row.try_get("role_id")?;
    Ok(match sort {
        Sort::Name => Position::Text(row.try_get("position")?, id),
        Sort::Updated | Sort::New | Sort::Downloads => Position::Number(row.try_get("position")?, id),
    })
}
