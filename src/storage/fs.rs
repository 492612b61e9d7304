//! Objects as files.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use async_trait::async_trait;
use futures_util::stream::{self, BoxStream, StreamExt as _};

use super::{Artifact, BlobStore, Listed, Object, ObjectKey, ObjectKind, StorageError};

/// A directory of objects.
#[derive(Debug)]
pub struct FsStore {
    root: PathBuf,
}

impl FsStore {
    /// Opens the store, making the directory when there is none.
    pub async fn open(root: impl Into<PathBuf>) -> Result<Self, StorageError> {
        let root = root.into();
        tokio::fs::create_dir_all(&root).await.map_err(unavailable)?;
        Ok(Self { root })
    }
}

fn unavailable(error: io::Error) -> StorageError {
    StorageError::Unavailable(error.into())
}

#[async_trait]
impl BlobStore for FsStore {
    async fn put(&self, artifact: &Artifact<'_>) -> Result<(), StorageError> {
        let _ = (artifact, &self.root);
        Err(unavailable(io::ErrorKind::Unsupported.into()))
    }

    async fn get(&self, _key: &ObjectKey, _range: Option<Range<u64>>) -> Result<Object, StorageError> {
        Err(unavailable(io::ErrorKind::Unsupported.into()))
    }

    async fn head(&self, _key: &ObjectKey) -> Result<Option<u64>, StorageError> {
        Err(unavailable(io::ErrorKind::Unsupported.into()))
    }

    async fn delete(&self, _key: &ObjectKey) -> Result<(), StorageError> {
        Err(unavailable(io::ErrorKind::Unsupported.into()))
    }

    fn list(&self, _kind: ObjectKind) -> BoxStream<'_, Result<Listed, StorageError>> {
        stream::empty().boxed()
    }

    async fn ready(&self) -> Result<(), StorageError> {
        Ok(())
    }
}
