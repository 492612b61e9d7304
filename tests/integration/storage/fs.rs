//! What is particular to files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use role_catalog::storage::{Artifact, BlobStore as _, FsStore, ObjectKind, StorageError};

use super::{keys, package, stored};

#[tokio::test]
async fn what_a_crash_left_unfinished_is_cleared_away_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let incoming = root.path().join(".incoming");
    fs::create_dir(&incoming).unwrap();
    for name in ["put-a1b2c3", "notes.txt"] {
        fs::write(incoming.join(name), "half").unwrap();
    }
    FsStore::open(root.path()).await.unwrap();
    assert!(!incoming.join("put-a1b2c3").exists());
    assert!(incoming.join("notes.txt").exists());
}

#[tokio::test]
async fn files_that_another_process_is_writing_stay() {
    let root = tempfile::tempdir().unwrap();
    let server = FsStore::open(root.path()).await.unwrap();
    let unfinished = root.path().join(".incoming/put-a1b2c3");
    fs::write(&unfinished, "half").unwrap();
    FsStore::open(root.path()).await.unwrap();
    assert!(unfinished.exists());
    drop(server);
    FsStore::open(root.path()).await.unwrap();
    assert!(!unfinished.exists());
}

#[tokio::test]
async fn objects_are_plain_files_that_a_web_server_can_read() {
    let root = tempfile::tempdir().unwrap();
    let blobs = FsStore::open(root.path()).await.unwrap();
    let stored = stored(&blobs, package("words-john", "1.0.0")).await;
    let zip = Artifact::Zip(stored.package());
    let path = root.path().join(zip.key().to_string());
    assert_eq!(&fs::read(&path).unwrap(), zip.bytes());
    // The umask may take bits away; it is 022 nearly everywhere.
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o644);
    let left: Vec<_> = fs::read_dir(root.path().join(".incoming")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["lock"]);
}

#[tokio::test]
async fn an_object_is_never_replaced() {
    let root = tempfile::tempdir().unwrap();
    let blobs = FsStore::open(root.path()).await.unwrap();
    let package = package("words-john", "1.0.0");
    let zip = Artifact::Zip(&package);
    blobs.put(&zip).await.unwrap();
    let path = root.path().join(zip.key().to_string());
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    blobs.put(&zip).await.unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[tokio::test]
async fn foreign_files_are_not_listed() {
    let root = tempfile::tempdir().unwrap();
    let blobs = FsStore::open(root.path()).await.unwrap();
    let directory = root.path().join("role-packages/words-john");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join(".DS_Store"), "").unwrap();
    assert!(keys(&blobs, ObjectKind::Package).await.is_empty());
}

#[tokio::test]
async fn a_store_that_cannot_be_written_is_unavailable() {
    let root = tempfile::tempdir().unwrap();
    let blobs = FsStore::open(root.path()).await.unwrap();
    // A file where a directory is needed fails for everybody, root included.
    fs::remove_dir_all(root.path()).unwrap();
    fs::write(root.path(), "").unwrap();
    let package = package("words-john", "1.0.0");
    assert!(matches!(blobs.put(&Artifact::Zip(&package)).await, Err(StorageError::Unavailable(_))));
    assert!(matches!(blobs.ready().await, Err(StorageError::Unavailable(_))));
    assert!(matches!(FsStore::open(root.path()).await, Err(StorageError::Unavailable(_))));
    fs::remove_file(root.path()).unwrap();
    fs::create_dir(root.path()).unwrap();
}
