//! Opening the database, and noticing what other processes write to it.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, Sqlite, Transaction};

use super::{CatalogError, search};

/// A handle on the catalog database. Share it in an `Arc`.
#[derive(Debug)]
pub struct Catalog {
    writer: SqlitePool,
    readers: SqlitePool,
    epoch: String,
    revision: AtomicU64,
}

impl Catalog {
    /// The database's file name below a data directory.
    pub const FILE_NAME: &'static str = "catalog.sqlite";

    /// Opens the database below `data_dir`, making it when it is not there, and brings its schema up to date.
    ///
    /// # Errors
    /// [`CatalogError`] when the file cannot be opened or was written by a newer program.
    pub async fn open(data_dir: &Path) -> Result<Self, CatalogError> {
        const WAIT_FOR_OTHER_PROCESSES: Duration = Duration::from_secs(5);
        const WAIT_FOR_A_CONNECTION: Duration = Duration::from_secs(30);
        // One of them follows other processes.
        const READERS: u32 = 9;

        let options = SqliteConnectOptions::new()
            .filename(data_dir.join(Self::FILE_NAME))
            .journal_mode(SqliteJournalMode::Wal)
            // A publish that was answered survives a power cut.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(WAIT_FOR_OTHER_PROCESSES);
        // The writer opens and migrates first: a read-only connection cannot make the file or its WAL.
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(WAIT_FOR_A_CONNECTION)
            // On a full disk SQLite rolls back by itself; the connection then believes in a transaction that is gone.
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
            .connect_with(options.clone().create_if_missing(true))
            .await?;
        sqlx::migrate!("./migrations").run(&writer).await?;
        let mut tx = writer.begin_with("BEGIN IMMEDIATE").await?;
        search::rebuild_if_outdated(&mut tx).await?;
        tx.commit().await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(WAIT_FOR_A_CONNECTION)
            .connect_with(options.read_only(true))
            .await?;
        let (epoch, revision): (String, i64) =
            sqlx::query_as("SELECT epoch, revision FROM catalog").fetch_one(&readers).await?;
        Ok(Self { writer, readers, epoch, revision: AtomicU64::new(revision.unsigned_abs()) })
    }

    /// Which catalog this is; it changes only when a backup is restored.
    #[must_use]
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// How often the catalog has changed. Strictly monotonic within an epoch.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Whether the database answers.
    pub async fn ready(&self) -> Result<(), CatalogError> {
        sqlx::query("SELECT 1").execute(&self.readers).await?;
        Ok(())
    }

    /// Follows writes of other processes (an operator's command beside the server) until the future is dropped.
    ///
    /// `PRAGMA data_version` changes on a connection when another one has committed: asking costs no disk access.
    pub async fn follow_other_processes(&self) -> Result<(), CatalogError> {
        const EVERY: Duration = Duration::from_millis(500);
        // Of the pool, so that closing the catalog waits for it.
        let mut connection = self.readers.acquire().await?;
        let mut seen = None;
        loop {
            let version: i64 = sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut *connection).await?;
            if seen.replace(version) != Some(version) {
                let revision: i64 =
                    sqlx::query_scalar("SELECT revision FROM catalog").fetch_one(&mut *connection).await?;
                self.saw_revision(revision.unsigned_abs());
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Closes all connections; the WAL is folded into the file.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    pub(super) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// The one way to write. `IMMEDIATE`, so that the transaction waits for its turn here and never fails half way.
    pub(super) async fn begin(&self) -> Result<Transaction<'_, Sqlite>, CatalogError> {
        Ok(self.writer.begin_with("BEGIN IMMEDIATE").await?)
    }

    pub(super) fn saw_revision(&self, revision: u64) {
        self.revision.fetch_max(revision, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{NewToken, Scope};
    use crate::domain::Clock;

    #[tokio::test]
    async fn writing_goes_on_after_sqlite_ended_a_transaction_by_itself() {
        let dir = tempfile::tempdir().unwrap();
        let catalog = Catalog::open(dir.path()).await.unwrap();
        // What SQLite does when the disk is full: the transaction is gone, and the pool does not know.
        let mut tx = catalog.begin().await.unwrap();
        sqlx::query("ROLLBACK").execute(&mut *tx).await.unwrap();
        drop(tx);
        let new = NewToken {
            publisher: "alice".parse().unwrap(),
            scopes: vec![Scope::Publish],
            roles: vec!["words-*".parse().unwrap()],
            lifetime: Duration::from_hours(1),
        };
        catalog.create_token(&new, Clock::system().now()).await.unwrap();
        assert_eq!(catalog.list_tokens().await.unwrap().len(), 1);
    }
}
