//! Objects as files: the default store.
//!
//! A file is complete from the moment it has its name. It is written below `.incoming`, synced, then given its name,
//! which fails when the name is taken, and last the directories are synced, so that what [`BlobStore::put`] reported
//! survives a power cut. A crash leaves at worst a file in `.incoming`; the next [`FsStore::open`] removes it.

use std::fs::{self, File, TryLockError};
use std::io::{self, SeekFrom, Write as _};
use std::ops::Range;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};
use tokio::sync::mpsc;
use tokio_util::io::ReaderStream;

use super::{Artifact, BlobStore, Listed, Object, ObjectKey, ObjectKind, StorageError};
use crate::domain::Timestamp;

/// Where files are written before they have their names. No key begins with a dot.
const INCOMING: &str = ".incoming";

/// How the names of files being written begin; nothing else in [`INCOMING`] is ever removed.
const INCOMING_PREFIX: &str = "put-";

/// In [`INCOMING`], locked by every process that has the store open.
const LOCK: &str = "lock";

/// The bytes that are read and passed on at a time.
const CHUNK: usize = 128 * 1024;

/// With less space than this the store counts as full: the largest packages of a few publishers at once.
const MARGIN: u64 = 256 * 1024 * 1024;

/// A directory of objects, on one file system. Several processes may have it open.
#[derive(Debug)]
pub struct FsStore {
    root: Arc<Path>,
    /// Held for as long as the store is open, so that no other process takes our unfinished files for leftovers.
    _in_use: File,
}

impl FsStore {
    /// Opens the store in this directory, made when there is none, and clears away what a crash left unfinished.
    ///
    /// # Errors
    /// [`StorageError::Full`], or [`StorageError::Unavailable`] when the directory cannot be made or written.
    pub async fn open(root: impl Into<PathBuf>) -> Result<Self, StorageError> {
        let root: Arc<Path> = root.into().into();
        blocking(move || {
            let incoming = root.join(INCOMING);
            fs::create_dir_all(&incoming)?;
            sync_directories(&root, root.parent())?;
            let in_use = File::create(incoming.join(LOCK))?;
            match in_use.try_lock() {
                Ok(()) => {
                    clear(&incoming)?;
                    in_use.unlock()?;
                }
                // Another process is at work here, and some of the unfinished files may be its own.
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            in_use.lock_shared()?;
            Ok(Self { root, _in_use: in_use })
        })
        .await
    }

    fn path(&self, key: &ObjectKey) -> PathBuf {
        self.root.join(key.to_string())
    }
}

#[async_trait]
impl BlobStore for FsStore {
    async fn put(&self, artifact: &Artifact<'_>) -> Result<(), StorageError> {
        let (root, path, bytes) = (self.root.clone(), self.path(&artifact.key()), artifact.bytes().clone());
        blocking(move || {
            if !path.try_exists()? {
                let directory = path.parent().unwrap_or(&root);
                fs::create_dir_all(directory)?;
                let mut file = incoming_file(&root)?;
                file.write_all(&bytes)?;
                file.as_file().sync_all()?;
                match file.persist_noclobber(&path) {
                    Ok(_) => {}
                    Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(error.error),
                }
            }
            // Also for a file that was there: whoever wrote it may not have come this far.
            sync_directories(&path, Some(&root))
        })
        .await
    }

    async fn get(&self, key: &ObjectKey, range: Option<Range<u64>>) -> Result<Object, StorageError> {
        let mut file = match tokio::fs::File::open(self.path(key)).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(StorageError::NotFound),
            opened => opened.map_err(failure)?,
        };
        let len = file.metadata().await.map_err(failure)?.len();
        let range = range.unwrap_or(0..len);
        if range.start > range.end || range.end > len {
            return Err(StorageError::OutOfRange { len });
        }
        file.seek(SeekFrom::Start(range.start)).await.map_err(failure)?;
        let body = ReaderStream::with_capacity(file.take(range.end - range.start), CHUNK).boxed();
        Ok(Object { len, body })
    }

    async fn head(&self, key: &ObjectKey) -> Result<Option<u64>, StorageError> {
        match tokio::fs::metadata(self.path(key)).await {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failure(error)),
        }
    }

    async fn delete(&self, key: &ObjectKey) -> Result<(), StorageError> {
        match tokio::fs::remove_file(self.path(key)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failure(error)),
            _ => Ok(()),
        }
    }

    fn list(&self, kind: ObjectKind) -> BoxStream<'_, Result<Listed, StorageError>> {
        // A bounded channel: the walk waits for its reader, so memory does not grow with the catalog.
        let (sender, receiver) = mpsc::channel(64);
        let root = self.root.clone();
        tokio::task::spawn_blocking(move || {
            let gone = |_| ();
            if let Err(error) = walk(&root, kind, |listed| sender.blocking_send(Ok(listed)).map_err(gone)) {
                let _ = sender.blocking_send(Err(failure(error)));
            }
        });
        stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver))).boxed()
    }

    async fn ready(&self) -> Result<(), StorageError> {
        let root = self.root.clone();
        let available = blocking(move || {
            incoming_file(&root)?;
            let space = rustix::fs::statvfs(&*root)?;
            Ok(space.f_bavail.saturating_mul(space.f_frsize))
        })
        .await?;
        if available < MARGIN { Err(StorageError::Full) } else { Ok(()) }
    }
}

/// An empty file without a name of its own yet, readable by everybody as far as the umask allows. Removed when dropped.
fn incoming_file(root: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(INCOMING_PREFIX)
        .permissions(fs::Permissions::from_mode(0o644))
        .tempfile_in(root.join(INCOMING))
}

/// Removes the unfinished files of a process that is no more.
fn clear(incoming: &Path) -> io::Result<()> {
    for entry in fs::read_dir(incoming)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(INCOMING_PREFIX.as_bytes()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Makes the entries on the way to `path` durable, from its own directory up to `top`.
fn sync_directories(path: &Path, top: Option<&Path>) -> io::Result<()> {
    for directory in path.ancestors().skip(1) {
        // The parent of a plain relative name is "": the working directory.
        File::open(if directory == Path::new("") { Path::new(".") } else { directory })?.sync_all()?;
        if Some(directory) == top {
            break;
        }
    }
    Ok(())
}

/// Gives every object of a kind to `found`, until that has enough.
fn walk(root: &Path, kind: ObjectKind, found: impl Fn(Listed) -> Result<(), ()>) -> io::Result<()> {
    let mut directories = vec![root.join(kind.prefix())];
    while let Some(directory) = directories.pop() {
        let entries = match fs::read_dir(directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let metadata = match entry.metadata() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                metadata => metadata?,
            };
            let path = entry.path();
            if metadata.is_dir() {
                directories.push(path);
            } else if let Some(key) = key_of(root, &path)
                && found(Listed { key, len: metadata.len(), modified: modified(&metadata) }).is_err()
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn key_of(root: &Path, path: &Path) -> Option<ObjectKey> {
    path.strip_prefix(root).ok()?.to_str()?.parse().ok()
}

fn modified(metadata: &fs::Metadata) -> Option<Timestamp> {
    let since_epoch = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since_epoch.as_secs()).ok().map(Timestamp::from_unix_seconds)
}

/// Runs file work where it may block.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, StorageError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(failure),
        Err(stopped) => Err(StorageError::Unavailable(stopped.into())),
    }
}

fn failure(error: io::Error) -> StorageError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StorageError::Full,
        _ => StorageError::Unavailable(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_or_quota_that_is_used_up_is_a_full_store() {
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
            assert!(matches!(failure(kind.into()), StorageError::Full));
        }
        assert!(matches!(failure(io::ErrorKind::PermissionDenied.into()), StorageError::Unavailable(_)));
    }
}
