//! What a visitor asked the catalog for: the query of the catalog page's URL.

use strum::{Display, EnumString, IntoStaticStr};

/// Search, filter, order and page; [`Default`] is the plain catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogQuery {
    /// The words searched for; empty for none.
    pub q: String,
    /// Only roles of this kind.
    pub kind: Option<KindTab>,
    /// The order asked for; without one it is by relevance when something is searched for, else by update.
    pub sort: Option<SortOrder>,
    /// From 1.
    pub page: u32,
}

/// A kind to filter by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum KindTab {
    /// Conversational roles.
    Role,
    /// Browser applications.
    Application,
}

/// An order of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum SortOrder {
    /// The best match first.
    Relevance,
    /// The role that changed last first.
    Updated,
    /// The newest role first.
    New,
    /// By title.
    Name,
    /// The most downloaded first.
    Downloads,
}

impl Default for CatalogQuery {
    fn default() -> Self {
        Self { q: String::new(), kind: None, sort: None, page: 1 }
    }
}

impl CatalogQuery {
    /// The order that applies.
    #[must_use]
    pub fn effective_sort(&self) -> SortOrder {
        self.sort.unwrap_or(if self.q.is_empty() { SortOrder::Updated } else { SortOrder::Relevance })
    }

    /// Whether anything but the page differs from the plain catalog.
    #[must_use]
    pub fn is_narrowed(&self) -> bool {
        !self.q.is_empty() || self.kind.is_some()
    }
}
