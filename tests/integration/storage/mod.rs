//! Object stores: one suite that every store passes, then what is particular to each.

mod fs;
mod s3;
mod s3_service;

use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use image::ImageFormat::Png;
use role_catalog::domain::{Limits, Sha256Digest};
use role_catalog::package::{ValidatedPackage, validate};
use role_catalog::projection::{Projection, project};
use role_catalog::storage::{
    Artifact, BlobStore, FsStore, Object, ObjectKey, ObjectKind, StorageError, StoredPackage, store,
};

use crate::support::package_builder::{PackageBuilder, picture};
use s3_service::S3Service;

/// An empty store of each kind, with what must stay alive beside it.
async fn stores() -> [(Arc<dyn BlobStore>, Box<dyn std::any::Any>); 2] {
    let directory = tempfile::tempdir().unwrap();
    let files = FsStore::open(directory.path()).await.unwrap();
    let service = S3Service::start().await;
    let bucket = service.store();
    [(Arc::new(files), Box::new(directory)), (Arc::new(bucket), Box::new(service))]
}

/// A role with a small avatar, a cover that is also its first screenshot, and 600 KB that do not compress.
fn package(id: &str, version: &str) -> ValidatedPackage {
    let noise = std::iter::successors(Some(1_u32), |n| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)));
    let noise: Vec<u8> = noise.map(|n| n.to_be_bytes()[0]).take(600_000).collect();
    let zip = PackageBuilder::role(id)
        .version(version)
        .manifest_extra("[preview]\ncover_image = \"cover.png\"\nscreenshots = [\"cover.png\", \"small.png\"]\n")
        .file("avatar.png", picture(200, 200, Png))
        .file("cover.png", picture(700, 300, Png))
        .file("small.png", picture(320, 180, Png))
        .file("contents/noise.bin", noise)
        .build();
    validate(zip, &Limits::default(), None).unwrap()
}

fn projection(package: &ValidatedPackage) -> Projection {
    project(package, &Limits::default()).unwrap()
}

async fn stored(blobs: &dyn BlobStore, package: ValidatedPackage) -> StoredPackage {
    let projection = projection(&package);
    store(blobs, package, projection).await.unwrap()
}

/// Everything of a stored package: the zip first.
fn artifacts(stored: &StoredPackage) -> impl Iterator<Item = Artifact<'_>> {
    let package = stored.package();
    let pictures = stored.pictures().iter().map(move |picture| Artifact::Picture { package, picture });
    std::iter::once(Artifact::Zip(package)).chain(pictures)
}

async fn read(object: Object) -> Bytes {
    object.body.try_collect::<Vec<_>>().await.unwrap().concat().into()
}

async fn keys(blobs: &dyn BlobStore, kind: ObjectKind) -> Vec<String> {
    let listed: Vec<_> = blobs.list(kind).try_collect().await.unwrap();
    let mut keys: Vec<_> = listed.iter().map(|listed| listed.key.to_string()).collect();
    keys.sort();
    keys
}

#[test]
fn a_package_is_projected_to_each_of_its_pictures_in_each_useful_size() {
    let package = package("words-john", "1.0.0");
    let names: Vec<_> = projection(&package).pictures().iter().map(|picture| picture.name().to_string()).collect();
    assert_eq!(
        names,
        [
            "avatar.webp",
            "avatar-128.webp",
            "avatar-64.webp",
            "cover.webp",
            "cover-640.webp",
            "screenshots/0.webp",
            "screenshots/0-640.webp",
            "screenshots/1.webp",
        ]
    );
}

#[tokio::test]
async fn a_stored_package_is_read_back_byte_for_byte() {
    for (blobs, _alive) in stores().await {
        let stored = stored(&*blobs, package("words-john", "1.0.0-rc.1+build.7")).await;
        assert!(stored.pictures().len() >= 2);
        for artifact in artifacts(&stored) {
            let key = artifact.key();
            let object = blobs.get(&key, None).await.unwrap();
            assert_eq!(object.len, artifact.bytes().len() as u64, "{key}");
            assert_eq!(&read(object).await, artifact.bytes(), "{key}");
            assert_eq!(blobs.head(&key).await.unwrap(), Some(artifact.bytes().len() as u64), "{key}");
        }
    }
}

#[tokio::test]
async fn keys_hold_the_digest_of_the_bytes_they_lead_to() {
    for (blobs, _alive) in stores().await {
        for artifact in artifacts(&stored(&*blobs, package("words-john", "1.0.0")).await) {
            let bytes = read(blobs.get(&artifact.key(), None).await.unwrap()).await;
            let digest = Sha256Digest::of(&bytes).to_string();
            assert!(artifact.key().to_string().contains(&digest), "{}", artifact.key());
        }
    }
}

#[tokio::test]
async fn storing_again_succeeds_and_adds_nothing() {
    for (blobs, _alive) in stores().await {
        stored(&*blobs, package("words-john", "1.0.0")).await;
        let before = (keys(&*blobs, ObjectKind::Package).await, keys(&*blobs, ObjectKind::Asset).await);
        stored(&*blobs, package("words-john", "1.0.0")).await;
        let after = (keys(&*blobs, ObjectKind::Package).await, keys(&*blobs, ObjectKind::Asset).await);
        assert_eq!(before, after);
    }
}

#[tokio::test]
async fn many_may_store_the_same_package_at_once() {
    for (blobs, _alive) in stores().await {
        let one = || stored(&*blobs, package("words-john", "1.0.0"));
        let (first, ..) = tokio::join!(one(), one(), one(), one());
        for artifact in artifacts(&first) {
            assert_eq!(&read(blobs.get(&artifact.key(), None).await.unwrap()).await, artifact.bytes());
        }
    }
}

#[tokio::test]
async fn a_range_gives_its_part_and_the_length_of_the_whole() {
    for (blobs, _alive) in stores().await {
        let package = package("words-john", "1.0.0");
        let zip = Artifact::Zip(&package);
        blobs.put(&zip).await.unwrap();
        let len = zip.bytes().len() as u64;
        for range in [0..1, 100..200, 0..len, len - 1..len, 0..0, 7..7, len..len] {
            let object = blobs.get(&zip.key(), Some(range.clone())).await.unwrap();
            assert_eq!(object.len, len, "{range:?}");
            let part = zip.bytes().slice(usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap());
            assert_eq!(read(object).await, part, "{range:?}");
        }
    }
}

#[tokio::test]
async fn a_range_beyond_the_end_is_refused_and_the_length_is_told() {
    for (blobs, _alive) in stores().await {
        let package = package("words-john", "1.0.0");
        let zip = Artifact::Zip(&package);
        blobs.put(&zip).await.unwrap();
        let length = zip.bytes().len() as u64;
        #[expect(clippy::reversed_empty_ranges, reason = "a caller's mistake must not become a panic")]
        for range in [0..length + 1, length..length + 1, length + 5..length + 9, length + 1..length + 1, 5..3] {
            let refused = blobs.get(&zip.key(), Some(range.clone())).await;
            assert!(matches!(refused, Err(StorageError::OutOfRange { len }) if len == length), "{range:?} {refused:?}");
        }
    }
}

#[tokio::test]
async fn large_objects_arrive_in_pieces() {
    for (blobs, _alive) in stores().await {
        let package = package("words-john", "1.0.0");
        let zip = Artifact::Zip(&package);
        blobs.put(&zip).await.unwrap();
        let pieces: Vec<_> = blobs.get(&zip.key(), None).await.unwrap().body.try_collect().await.unwrap();
        assert!(pieces.iter().all(|piece| piece.len() <= 256 * 1024));
        assert!(pieces.len() > 2, "{} pieces", pieces.len());
    }
}

#[tokio::test]
async fn an_absent_object_is_not_found() {
    for (blobs, _alive) in stores().await {
        let absent = Artifact::Zip(&package("words-john", "1.0.0")).key();
        for range in [None, Some(0..10), Some(0..0)] {
            assert!(matches!(blobs.get(&absent, range).await, Err(StorageError::NotFound)));
        }
        assert_eq!(blobs.head(&absent).await.unwrap(), None);
        blobs.delete(&absent).await.unwrap();
    }
}

#[tokio::test]
async fn a_deleted_object_is_gone_and_can_be_put_again() {
    for (blobs, _alive) in stores().await {
        let package = package("words-john", "1.0.0");
        let zip = Artifact::Zip(&package);
        for _ in 0..2 {
            blobs.put(&zip).await.unwrap();
            assert!(blobs.head(&zip.key()).await.unwrap().is_some());
            blobs.delete(&zip.key()).await.unwrap();
            assert!(blobs.head(&zip.key()).await.unwrap().is_none());
        }
    }
}

#[tokio::test]
async fn a_listing_names_every_object_of_its_kind() {
    for (blobs, _alive) in stores().await {
        assert!(keys(&*blobs, ObjectKind::Package).await.is_empty());
        let first = stored(&*blobs, package("words-john", "1.0.0+build")).await;
        let second = stored(&*blobs, package("typing-game", "2.0.0")).await;
        for kind in [ObjectKind::Package, ObjectKind::Asset] {
            let all = artifacts(&first).chain(artifacts(&second)).map(|artifact| artifact.key());
            let mut expected: Vec<_> = all.filter(|key| key.kind() == kind).map(|key| key.to_string()).collect();
            expected.sort();
            assert_eq!(keys(&*blobs, kind).await, expected);
        }
        let zips: Vec<_> = blobs.list(ObjectKind::Package).try_collect().await.unwrap();
        assert!(zips.iter().all(|zip| zip.len > 0 && zip.modified.is_some()), "{zips:?}");
    }
}

#[tokio::test]
async fn pictures_of_another_package_are_refused() {
    for (blobs, _alive) in stores().await {
        let (package, other) = (package("words-john", "1.0.0"), package("words-john", "1.0.1"));
        let refused = store(&*blobs, package, projection(&other)).await;
        assert!(matches!(refused, Err(StorageError::WrongProjection)));
        assert!(keys(&*blobs, ObjectKind::Package).await.is_empty());
    }
}

#[tokio::test]
async fn an_open_store_is_ready() {
    for (blobs, _alive) in stores().await {
        blobs.ready().await.unwrap();
    }
}

/// A key that leads nowhere.
fn some_key() -> ObjectKey {
    Artifact::Zip(&package("no-such-role", "1.0.0")).key()
}
