//! The catalog (layer 4): SQLite, every query, the revision.
//!
//! One writer connection, whose transactions begin `IMMEDIATE`; a pool of read-only connections beside it (WAL), so that
//! reading never waits for writing. Every query is a named function in one of these files:
//!
//! - [`publishing`](Catalog::publish): the one transaction that lists a version,
//! - [`reading`](Catalog::list): listing, role, versions, documents,
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
mod tokens;

pub use error::CatalogError;
pub use listing::{ListQuery, Listing, Position, Sort, Start};
pub use model::{
    AssetRecord, Publisher, RoleDocuments, RoleRecord, Scope, TokenGrant, TokenRecord, VersionRecord, VersionStatus,
};
pub use open::Catalog;
pub use publishing::{PublishConflict, Published};
pub use tokens::{NewToken, TokenRefusal};
