//! What can go wrong with the database.

/// A failure of the database. Its text is for the log; clients are told "unavailable" or "internal error".
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The database is locked, full, read-only or gone: trying again later can help.
    #[error("the catalog database is unavailable: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// The disk is full.
    #[error("the catalog database has no room left: {0}")]
    Full(#[source] sqlx::Error),
    /// The schema could not be brought up to date; the file may be newer than this program.
    #[error("the catalog database cannot be opened with this version of role-catalog: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// A stored value that this program did not write.
    #[error("the catalog database holds an unreadable value in {column}: {reason}")]
    Corrupt {
        /// Where.
        column: &'static str,
        /// Why it cannot be read.
        reason: String,
    },
    /// Any other database error.
    #[error("catalog database: {0}")]
    Database(#[source] sqlx::Error),
}

impl CatalogError {
    /// Wraps a value that cannot be read back.
    pub(super) fn corrupt(column: &'static str, reason: impl std::fmt::Display) -> Self {
        Self::Corrupt { column, reason: reason.to_string() }
    }
}

impl From<sqlx::Error> for CatalogError {
    fn from(error: sqlx::Error) -> Self {
        // Primary result codes of SQLite: https://sqlite.org/rescode.html
        const BUSY: u32 = 5;
        const LOCKED: u32 = 6;
        const READONLY: u32 = 8;
        const IOERR: u32 = 10;
        const FULL: u32 = 13;
        const CANTOPEN: u32 = 14;
        let primary = match &error {
            sqlx::Error::Database(database) => {
                database.code().and_then(|code| code.parse::<u32>().ok()).map(|code| code & 0xff)
            }
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => Some(BUSY),
            _ => None,
        };
        match primary {
            Some(FULL) => Self::Full(error),
            Some(BUSY | LOCKED | READONLY | IOERR | CANTOPEN) => Self::Unavailable(error),
            _ => Self::Database(error),
        }
    }
}
