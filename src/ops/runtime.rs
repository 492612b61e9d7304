//! Opening a data directory: the catalog, the store, and the pipeline between them.
//!
//! ```text
//! data/
//! ├── catalog.sqlite   the catalog (and its WAL)
//! ├── objects/         zips and pictures, when they are not in an S3 bucket
//! └── tmp/             uploads on their way in; nothing in it outlives the process
//! ```

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::catalog::{Catalog, CatalogError};
use crate::config::Config;
use crate::domain::Clock;
use crate::publish::Pipeline;
use crate::storage::{BlobStore, FsStore, S3Store, StorageError};

/// An opened data directory.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The catalog.
    pub catalog: Arc<Catalog>,
    /// The objects.
    pub store: Arc<dyn BlobStore>,
    /// The way in.
    pub pipeline: Arc<Pipeline>,
    /// Where uploads are spooled.
    pub spool_dir: PathBuf,
}

/// Why a data directory cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A directory cannot be made.
    #[error("cannot make the directory {path}: {source}")]
    Directory {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The database.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The store.
    #[error("cannot open the object store: {0}")]
    Storage(#[from] StorageError),
}

/// Opens everything below the data directory, making what is not there.
pub async fn open(config: &Config, clock: Clock) -> Result<Opened, OpenError> {
    let spool_dir = config.data_dir.join("tmp");
    tokio::fs::create_dir_all(&spool_dir)
        .await
        .map_err(|source| OpenError::Directory { path: spool_dir.clone(), source })?;
    let catalog = Arc::new(Catalog::open(&config.data_dir).await?);
    let store: Arc<dyn BlobStore> = match &config.object_store {
        Some(settings) => Arc::new(S3Store::new(settings)),
        None => Arc::new(FsStore::open(config.data_dir.join("objects")).await?),
    };
    let pipeline =
        Pipeline::new(Arc::clone(&catalog), Arc::clone(&store), config.limits.clone(), &config.server, clock);
    Ok(Opened { catalog, store, pipeline: Arc::new(pipeline), spool_dir })
}
