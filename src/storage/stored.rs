//! The last step before the catalog row: everything of a version is in the store.

use futures_util::stream::{StreamExt as _, TryStreamExt as _};

use super::{Artifact, BlobStore, StorageError};
use crate::package::ValidatedPackage;
use crate::projection::{Picture, Projection};

/// How many objects of one package are written at a time.
const CONCURRENT_PUTS: usize = 4;

/// A package whose zip and pictures are all in the store; nothing but [`store`] makes one.
#[derive(Debug, Clone)]
pub struct StoredPackage {
    package: ValidatedPackage,
    projection: Projection,
}

/// Puts the zip and every picture into the store. All of them are there, durably, when it returns.
///
/// # Errors
/// The first error met. What was written by then stays: an object without a row is out of anybody's reach, and a
/// second try finds it in place.
pub async fn store(
    blobs: &dyn BlobStore,
    package: ValidatedPackage,
    projection: Projection,
) -> Result<StoredPackage, StorageError> {
    if projection.package() != package.sha256() {
        return Err(StorageError::WrongProjection);
    }
    let mut artifacts = vec![Artifact::Zip(&package)];
    for picture in projection.pictures() {
        artifacts.push(Artifact::Picture { package: &package, picture });
    }
    // Collected, because a lazily mapped stream would not be `Send` for every lifetime.
    let puts: Vec<_> = artifacts.iter().map(|artifact| blobs.put(artifact)).collect();
    futures_util::stream::iter(puts).buffer_unordered(CONCURRENT_PUTS).try_collect::<()>().await?;
    Ok(StoredPackage { package, projection })
}

impl StoredPackage {
    /// The package.
    #[must_use]
    pub fn package(&self) -> &ValidatedPackage {
        &self.package
    }

    /// Its website pictures.
    #[must_use]
    pub fn pictures(&self) -> &[Picture] {
        self.projection.pictures()
    }
}
