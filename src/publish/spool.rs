//! An upload on its way in: to disk, so that memory does not grow with the number of uploads.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncWriteExt as _;

use crate::domain::Sha256Digest;

/// A body that is being received, into a temporary file without a name: when the process ends, however it ends, nothing
/// is left of it.
#[derive(Debug)]
pub struct Spool {
    file: tokio::fs::File,
    hasher: Sha256,
    len: u64,
    limit: u64,
}

/// A body that was received whole.
#[derive(Debug)]
pub struct Upload {
    file: std::fs::File,
    sha256: Sha256Digest,
    len: u64,
}

/// Why a body could not be received.
#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// It is larger than the limit, in bytes.
    #[error("the upload is larger than {0} bytes")]
    TooLarge(u64),
    /// The disk failed.
    #[error("the temporary file of an upload failed: {0}")]
    Io(#[from] io::Error),
}

impl Spool {
    /// A spool below `dir` for at most `limit` bytes.
    pub async fn create(dir: &Path, limit: u64) -> Result<Self, SpoolError> {
        let dir = dir.to_owned();
        let file =
            tokio::task::spawn_blocking(move || tempfile::tempfile_in(dir)).await.map_err(io::Error::other)??;
        Ok(Self { file: tokio::fs::File::from_std(file), hasher: Sha256::new(), len: 0, limit })
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// [`SpoolError::TooLarge`] as soon as the limit is passed; the bytes beyond it are not kept.
    pub async fn write(&mut self, chunk: &[u8]) -> Result<(), SpoolError> {
        self.len += chunk.len() as u64;
        if self.len > self.limit {
            return Err(SpoolError::TooLarge(self.limit));
        }
        self.hasher.update(chunk);
        self.file.write_all(chunk).await?;
        Ok(())
    }

    /// The body is whole.
    pub async fn finish(mut self) -> Result<Upload, SpoolError> {
        self.file.flush().await?;
        let sha256 = Sha256Digest::from_bytes(self.hasher.finalize().into());
        Ok(Upload { file: self.file.into_std().await, sha256, len: self.len })
    }
}

impl Upload {
    /// The digest of the body.
    #[must_use]
    pub fn sha256(&self) -> Sha256Digest {
        self.sha256
    }

    /// How long the body is, in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there was no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The body in memory; bounded by the spool's limit.
    pub async fn into_bytes(mut self) -> Result<Bytes, SpoolError> {
        let read = move || -> io::Result<Bytes> {
            let mut bytes = Vec::with_capacity(usize::try_from(self.len).map_err(io::Error::other)?);
            self.file.seek(SeekFrom::Start(0))?;
            self.file.read_to_end(&mut bytes)?;
            Ok(bytes.into())
        };
        Ok(tokio::task::spawn_blocking(read).await.map_err(io::Error::other)??)
    }
}
