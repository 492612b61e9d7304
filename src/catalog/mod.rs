//! The catalog (layer 4): SQLite, every query, the revision.

mod model;

pub use model::{AssetRecord, RoleRecord, VersionRecord, VersionStatus};
