//! Objects (layer 3): the zips and website pictures of published versions, in files or in an S3 bucket.
//!
//! ```text
//! ValidatedPackage + Projection ─ store ─▶ StoredPackage ─▶ catalog row
//!                                   │ put(Artifact)
//!                     Arc<dyn BlobStore>: FsStore or S3Store
//!                                   ▲ get(ObjectKey, range)
//! ```
//!
//! What may be written is an [`Artifact`], and only a validated package or one of its projected pictures is one; no
//! function takes a key with bytes. Keys hold the digest of the bytes, so an object is never replaced: writing one
//! that is there already is success.
//!
//! This is how a package gets in:
//!
//! ```
//! use bytes::Bytes;
//! use role_catalog::{domain::Limits, package, projection, storage};
//!
//! async fn keep(blobs: &dyn storage::BlobStore, zip: Bytes) -> Option<storage::StoredPackage> {
//!     let package = package::validate(zip, &Limits::default(), None).ok()?;
//!     let projection = projection::project(&package, &Limits::default()).ok()?;
//!     storage::store(blobs, package, projection).await.ok()
//! }
//! ```
//!
//! Nothing shorter compiles. Bytes cannot be put under a key, and are no artifact:
//!
//! ```compile_fail,E0308
//! # use role_catalog::storage::{BlobStore, ObjectKey};
//! async fn put(blobs: &dyn BlobStore, key: &ObjectKey) {
//!     let _ = blobs.put(key).await;
//! }
//! ```
//!
//! ```compile_fail,E0308
//! # use bytes::Bytes;
//! # use role_catalog::storage::Artifact;
//! fn artifact(zip: &Bytes) -> Artifact<'_> {
//!     Artifact::Zip(zip)
//! }
//! ```
//!
//! A picture, a projection or a stored package cannot be put together from parts:
//!
//! ```compile_fail,E0451
//! # use role_catalog::projection::Picture;
//! fn other_bytes(picture: Picture, bytes: bytes::Bytes) -> Picture {
//!     Picture { bytes, ..picture }
//! }
//! ```
//!
//! ```compile_fail,E0451
//! # use role_catalog::{domain::Sha256Digest, projection::{Picture, Projection}};
//! fn projection(package: Sha256Digest, pictures: Vec<Picture>) -> Projection {
//!     Projection { package, pictures }
//! }
//! ```
//!
//! ```compile_fail,E0451
//! # use role_catalog::{package::ValidatedPackage, projection::Projection, storage::StoredPackage};
//! fn stored(package: ValidatedPackage, projection: Projection) -> StoredPackage {
//!     StoredPackage { package, projection }
//! }
//! ```

mod fs;
mod key;
mod s3;
mod stored;

use std::fmt;
use std::io;
use std::ops::Range;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;

use crate::domain::Timestamp;
use crate::package::ValidatedPackage;
use crate::projection::Picture;

pub use fs::FsStore;
pub use key::{InvalidObjectKey, ObjectKey, ObjectKind};
pub use s3::S3Store;
pub use stored::{StoredPackage, store};

/// A place that keeps objects. Used as `Arc<dyn BlobStore>`.
#[async_trait]
pub trait BlobStore: fmt::Debug + Send + Sync {
    /// Keeps the artifact under its own key, durably before it returns. One that is there already is left alone, and
    /// that is success.
    async fn put(&self, artifact: &Artifact<'_>) -> Result<(), StorageError>;

    /// Opens an object, or the part of it in `range` (bytes, end exclusive). The body arrives in pieces, so that
    /// memory does not grow with the object.
    ///
    /// # Errors
    /// [`StorageError::NotFound`], [`StorageError::OutOfRange`] or [`StorageError::Unavailable`].
    async fn get(&self, key: &ObjectKey, range: Option<Range<u64>>) -> Result<Object, StorageError>;

    /// The length of an object in bytes; `None` when there is no such object.
    async fn head(&self, key: &ObjectKey) -> Result<Option<u64>, StorageError>;

    /// Removes an object. One that is not there is success.
    async fn delete(&self, key: &ObjectKey) -> Result<(), StorageError>;

    /// Every object of a kind, in no particular order. Files that no [`ObjectKey`] names are passed over.
    fn list(&self, kind: ObjectKind) -> BoxStream<'_, Result<Listed, StorageError>>;

    /// Whether the store is there and answers. Cheap enough for a health check.
    ///
    /// # Errors
    /// [`StorageError::Full`] when files still can be read but hardly any written, [`StorageError::Unavailable`].
    async fn ready(&self) -> Result<(), StorageError>;
}

/// What can be stored: the zip of a package that passed validation, or a picture that was projected from one.
#[derive(Debug, Clone, Copy)]
pub enum Artifact<'a> {
    /// The package's zip.
    Zip(&'a ValidatedPackage),
    /// A website picture of the package.
    Picture {
        /// The package that the picture is filed under.
        package: &'a ValidatedPackage,
        /// The picture.
        picture: &'a Picture,
    },
}

impl Artifact<'_> {
    /// Where it is kept.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Zip(package) => ObjectKey::Package {
                role_id: package.manifest().id.clone(),
                version: package.manifest().version.clone(),
                sha256: package.sha256(),
            },
            Self::Picture { package, picture } => ObjectKey::Asset {
                role_id: package.manifest().id.clone(),
                version: package.manifest().version.clone(),
                sha256: picture.sha256(),
                name: picture.name(),
            },
        }
    }

    /// What is kept.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        match self {
            Self::Zip(package) => package.zip(),
            Self::Picture { picture, .. } => picture.bytes(),
        }
    }
}

/// An object opened for reading.
pub struct Object {
    /// The length of the whole object in bytes, also when only a part was asked for.
    pub len: u64,
    /// The bytes asked for, in pieces.
    pub body: BoxStream<'static, io::Result<Bytes>>,
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object").field("len", &self.len).finish_non_exhaustive()
    }
}

/// An object found by [`BlobStore::list`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its key.
    pub key: ObjectKey,
    /// Its length in bytes.
    pub len: u64,
    /// When it was written, where the store says so.
    pub modified: Option<Timestamp>,
}

/// Why the store did not do what it was asked. The texts are fit for anybody; sources are for the log.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// There is no such object.
    #[error("there is no such object")]
    NotFound,
    /// The range reaches beyond the object, which is shorter than its catalog row says or was asked for wrongly.
    #[error("the range reaches beyond the object's {len} bytes")]
    OutOfRange {
        /// The object's length.
        len: u64,
    },
    /// No room is left.
    #[error("the object store is full")]
    Full,
    /// The pictures given with a package are those of another one.
    #[error("the pictures are not of this package")]
    WrongProjection,
    /// Anything else: network, permissions, a missing bucket, a broken disk.
    #[error("the object store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}
