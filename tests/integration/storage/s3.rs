//! What is particular to S3.

use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use http::Method;
use role_catalog::storage::{Artifact, BlobStore as _, StorageError};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::s3_service::{S3Service, store_at};
use super::{artifacts, package, read, some_key, stored};

#[tokio::test]
async fn every_object_is_put_once_with_its_type_and_caching_and_a_signed_digest() {
    let service = S3Service::start().await;
    let stored = stored(&service.store(), package("words-john", "1.0.0")).await;
    let seen = service.seen();
    assert_eq!(seen.len(), artifacts(&stored).count());
    for (method, headers) in seen {
        assert_eq!(method, Method::PUT);
        assert_eq!(headers["if-none-match"], "*");
        assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
        assert!(["application/zip", "image/webp"].contains(&headers["content-type"].to_str().unwrap()));
        let digest = headers["x-amz-content-sha256"].to_str().unwrap();
        assert!(digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit()), "{digest}");
    }
}

#[tokio::test]
async fn a_service_that_asks_for_patience_is_asked_again() {
    let service = S3Service::start().await;
    let blobs = service.store();
    let package = package("words-john", "1.0.0");
    let zip = Artifact::Zip(&package);
    for answer in
        [(429, "TooManyRequests"), (503, "SlowDown"), (500, "InternalError"), (409, "ConditionalRequestConflict")]
    {
        service.answer([answer]);
        blobs.put(&zip).await.unwrap();
        service.answer([answer]);
        assert_eq!(&read(blobs.get(&zip.key(), None).await.unwrap()).await, zip.bytes());
    }
}

#[tokio::test]
async fn a_put_whose_answer_was_lost_succeeds_the_second_time() {
    let service = S3Service::start().await;
    let blobs = service.store();
    let package = package("words-john", "1.0.0");
    blobs.put(&Artifact::Zip(&package)).await.unwrap();
    service.answer([(500, "InternalError"), (412, "PreconditionFailed")]);
    blobs.put(&Artifact::Zip(&package)).await.unwrap();
}

#[tokio::test]
async fn an_object_is_missing_only_where_the_service_says_so() {
    let service = S3Service::start().await;
    let blobs = service.store();
    for (status, code) in [(404, "NoSuchKey"), (404, "NotFound")] {
        service.answer([(status, code)]);
        assert!(matches!(blobs.get(&some_key(), None).await, Err(StorageError::NotFound)), "{code}");
    }
    for (status, code) in [(404, "NoSuchBucket"), (403, "AccessDenied"), (403, "SignatureDoesNotMatch"), (301, "Moved")]
    {
        service.answer([(status, code), (status, code)]);
        assert!(matches!(blobs.get(&some_key(), None).await, Err(StorageError::Unavailable(_))), "{code}");
        assert!(matches!(blobs.ready().await, Err(StorageError::Unavailable(_))), "{code}");
    }
}

#[tokio::test]
async fn what_an_error_shows_does_not_come_from_the_service() {
    let service = S3Service::start().await;
    service.answer([(403, "AccessDenied")]);
    let error = service.store().get(&some_key(), None).await.unwrap_err();
    assert_eq!(error.to_string(), "the object store is unavailable");
}

#[tokio::test]
async fn a_service_that_stays_away_fails_within_ten_seconds() {
    let service = S3Service::start().await;
    let blobs = service.store();
    service.stop();
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silence = store_at(&format!("http://{}", silent.local_addr().unwrap()));
    let started = Instant::now();
    let key = some_key();
    let (refused, unanswered) = tokio::join!(blobs.get(&key, None), silence.get(&key, None));
    assert!(matches!(refused, Err(StorageError::Unavailable(_))));
    assert!(matches!(unanswered, Err(StorageError::Unavailable(_))));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_body_that_ends_early_is_an_error() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let blobs = store_at(&format!("http://{}", listener.local_addr().unwrap()));
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        assert!(stream.read(&mut request).await.unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").await.unwrap();
    });
    let object = blobs.get(&some_key(), None).await.unwrap();
    assert_eq!(object.len, 100);
    assert!(object.body.try_collect::<Vec<_>>().await.is_err());
}
