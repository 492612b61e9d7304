//! The catalog (layer 4): SQLite, every query, the revision.
//!
//! One writer connection, whose transactions begin `IMMEDIATE`; a pool of read-only connections beside it (WAL), so that
//! reading never waits for writing. Every query is a named function in one of these files:
//!
//! - [`publishing`](Catalog::publish): the one transaction that lists a version,
//! - [`reading`](Catalog::list): listing, role, versions, documents,
//! - [`search`](SearchText): what a query means, what the index holds,
//! - [`tokens`](Catalog::authenticate): publishers and their tokens.
//!
//! Each change bumps the revision in its own transaction; [`Catalog::revision`] is what cached answers are tagged with.

mod error;
mod listing;
mod model;
mod open;
mod publishing;
mod reading;
mod row;
mod search;
mod tokens;

pub use error::CatalogError;
pub use listing::{Filters, ListQuery, Listing, Position, Sort, Start};
pub use model::{
    AssetRecord, Document, Publisher, RoleDocuments, RoleRecord, Scope, TokenGrant, TokenRecord, VersionRecord,
    VersionStatus,
};
pub use open::Catalog;
pub use publishing::{PublishConflict, Published};
pub use search::SearchText;
pub use tokens::{NewToken, TokenRefusal};
