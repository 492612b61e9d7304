//! Objects in an S3 bucket, Cloudflare R2 in the first place.
//!
//! The client is made from [`S3Settings`] alone: no profile files, no instance metadata, no other environment. It keeps
//! to the part of S3 that every service has: no checksum headers and no chunked signing beyond what an operation
//! requires, as R2 refuses them; an `ETag` is nobody's digest, so none is looked at.

use std::io;
use std::ops::Range;
use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::interceptors::InterceptorContext;
use aws_sdk_s3::config::retry::{ClassifyRetry, RetryAction, RetryConfig};
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::{
    BehaviorVersion, Credentials, Region, RequestChecksumCalculation, ResponseChecksumValidation,
    StalledStreamProtectionConfig,
};
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::get_object::GetObjectError;
use aws_sdk_s3::operation::get_object::builders::GetObjectFluentBuilder;
use aws_sdk_s3::operation::list_objects_v2::ListObjectsV2Output;
use aws_sdk_s3::primitives::ByteStream;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt as _, TryStreamExt as _};

use super::{Artifact, BlobStore, Listed, Object, ObjectKey, ObjectKind, StorageError};
use crate::config::S3Settings;
use crate::domain::Timestamp;

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long one try and all tries may take until the answer begins, when little is sent: a reader is waiting.
const READ_TIMEOUTS: (Duration, Duration) = (Duration::from_secs(4), Duration::from_secs(8));

/// The same for sending an object: the largest zip at 5 Mbit/s.
const WRITE_TIMEOUTS: (Duration, Duration) = (Duration::from_mins(2), Duration::from_mins(4));

/// How long a body may stand still while it is being read.
const STALL: Duration = Duration::from_secs(10);

/// Tries of one request, the first included.
const ATTEMPTS: u32 = 4;

/// The pause before the second try; it doubles from there, and a random part of it is waited.
const BACKOFF: Duration = Duration::from_millis(400);

/// The name that [`BlobStore::ready`] asks for: under no prefix of ours, so never there.
const PROBE: &str = "ready-probe";

/// A bucket of objects.
#[derive(Debug)]
pub struct S3Store {
    client: Client,
    bucket: String,
}

impl S3Store {
    /// A store in the bucket. Does not connect; [`BlobStore::ready`] does.
    #[must_use]
    pub fn new(settings: &S3Settings) -> Self {
        let S3Settings { endpoint, bucket, access_key_id, secret_access_key } = settings;
        let credentials =
            Credentials::new(access_key_id.as_str(), secret_access_key.reveal(), None, None, "role-catalog");
        let config = aws_sdk_s3::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .endpoint_url(endpoint.to_string())
            .region(Region::new("auto"))
            .force_path_style(true)
            .credentials_provider(credentials)
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
            .timeout_config(timeouts(READ_TIMEOUTS))
            .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS).with_initial_backoff(BACKOFF))
            .retry_classifier(RetryLater)
            // Uploads have their own time limits, and an S3 that thinks before it answers is not stalled.
            .stalled_stream_protection(
                StalledStreamProtectionConfig::enabled().upload_enabled(false).grace_period(STALL).build(),
            )
            .build();
        Self { client: Client::from_conf(config), bucket: bucket.clone() }
    }

    fn get_object(&self, key: impl Into<String>) -> GetObjectFluentBuilder {
        self.client.get_object().bucket(&self.bucket).key(key)
    }

    async fn get_whole(&self, key: &ObjectKey) -> Result<Object, StorageError> {
        let output = self.get_object(key.to_string()).send().await.map_err(get_failure)?;
        let len = stated(output.content_length())?;
        Ok(Object { len, body: pieces(output.body) })
    }

    async fn length(&self, key: &ObjectKey) -> Result<u64, StorageError> {
        self.head(key).await?.ok_or(StorageError::NotFound)
    }
}

#[async_trait]
impl BlobStore for S3Store {
    async fn put(&self, artifact: &Artifact<'_>) -> Result<(), StorageError> {
        let (key, bytes) = (artifact.key(), artifact.bytes().clone());
        let kind = key.kind();
        let put = self
            .client
            .put_object()
            .bucket(&self.bucket)
            .key(key.to_string())
            .if_none_match("*")
            .content_type(kind.content_type())
            .cache_control(kind.cache_control())
            .content_length(i64::try_from(bytes.len()).map_err(unavailable)?)
            .body(ByteStream::from(bytes))
            .customize()
            .config_override(aws_sdk_s3::Config::builder().timeout_config(timeouts(WRITE_TIMEOUTS)));
        match put.send().await {
            Ok(_) => Ok(()),
            // It is there already: from an earlier publish, or from a try whose answer was lost.
            Err(error) if status(&error) == Some(412) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn get(&self, key: &ObjectKey, range: Option<Range<u64>>) -> Result<Object, StorageError> {
        let Some(range) = range else { return self.get_whole(key).await };
        if range.is_empty() {
            // HTTP cannot ask for no bytes.
            let len = self.length(key).await?;
            let inside = range.start == range.end && range.end <= len;
            return if inside { Ok(Object { len, body: stream::empty().boxed() }) } else { Err(out_of_range(len)) };
        }
        let header = format!("bytes={}-{}", range.start, range.end - 1);
        let output = match self.get_object(key.to_string()).range(header).send().await {
            // Not every service tells the length with this answer.
            Err(error) if status(&error) == Some(416) => return Err(out_of_range(self.length(key).await?)),
            sent => sent.map_err(get_failure)?,
        };
        let len = output.content_range().and_then(total_of).ok_or_else(no_length)?;
        if range.end > len {
            return Err(out_of_range(len));
        }
        Ok(Object { len, body: pieces(output.body) })
    }

    async fn head(&self, key: &ObjectKey) -> Result<Option<u64>, StorageError> {
        match self.client.head_object().bucket(&self.bucket).key(key.to_string()).send().await {
            Ok(output) => stated(output.content_length()).map(Some),
            // The answer to HEAD has no body, so a missing bucket looks like a missing object.
            Err(error) if status(&error) == Some(404) => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn delete(&self, key: &ObjectKey) -> Result<(), StorageError> {
        let deleted = self.client.delete_object().bucket(&self.bucket).key(key.to_string()).send().await;
        match deleted {
            Ok(_) => Ok(()),
            Err(error) if is_missing_object(&error) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }

    fn list(&self, kind: ObjectKind) -> BoxStream<'_, Result<Listed, StorageError>> {
        let prefix = format!("{}/", kind.prefix());
        let pages = self.client.list_objects_v2().bucket(&self.bucket).prefix(prefix).into_paginator().send();
        stream::unfold(pages, async |mut pages| Some((pages.next().await?, pages)))
            .map_ok(|page| stream::iter(listed(page).into_iter().map(Ok)))
            .map_err(unavailable)
            .try_flatten()
            .boxed()
    }

    /// Reads an object that is never there, which needs no permission beyond those of reading. `HeadBucket` would cost
    /// as much, and some keys may not do it.
    async fn ready(&self) -> Result<(), StorageError> {
        match self.get_object(PROBE).send().await.map_err(get_failure) {
            Ok(_) | Err(StorageError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn timeouts((attempt, operation): (Duration, Duration)) -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .operation_attempt_timeout(attempt)
        .operation_timeout(operation)
        .build()
}

/// Retries what the SDK's own rules leave out: 429 under codes it does not know (R2 allows one write a second for one
/// key), and 409, which says that another conditional write of the same key is under way.
#[derive(Debug)]
struct RetryLater;

impl ClassifyRetry for RetryLater {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        match context.response().map(|response| response.status().as_u16()) {
            Some(429) => RetryAction::throttling_error(),
            Some(409) => RetryAction::transient_error(),
            _ => RetryAction::NoActionIndicated,
        }
    }

    fn name(&self) -> &'static str {
        "retry later"
    }
}

/// The objects of one page of a listing.
fn listed(page: ListObjectsV2Output) -> Vec<Listed> {
    let objects = page.contents.unwrap_or_default();
    let parsed = objects.iter().filter_map(|object| {
        let key = object.key()?.parse().ok()?;
        let len = object.size()?.try_into().ok()?;
        let modified = object.last_modified().map(|time| Timestamp::from_unix_seconds(time.secs()));
        Some(Listed { key, len, modified })
    });
    parsed.collect()
}

/// The total of `bytes 0-99/12345`.
fn total_of(content_range: &str) -> Option<u64> {
    content_range.rsplit_once('/')?.1.parse().ok()
}

fn pieces(body: ByteStream) -> BoxStream<'static, io::Result<Bytes>> {
    let pieces = stream::try_unfold(body, async |mut body| {
        let piece = body.try_next().await.map_err(io::Error::other)?;
        Ok(piece.map(|piece| (piece, body)))
    });
    pieces.boxed()
}

fn get_failure(error: SdkError<GetObjectError>) -> StorageError {
    if is_missing_object(&error) { StorageError::NotFound } else { unavailable(error) }
}

/// Whether the answer says that there is no such object; a 404 for a missing bucket says something else.
fn is_missing_object<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    status(error) == Some(404)
        && matches!(error.code(), None | Some("NoSuchKey" | "NotFound" | "NoSuchObject" | "KeyNotFound"))
}

fn status<E>(error: &SdkError<E>) -> Option<u16> {
    error.raw_response().map(|response| response.status().as_u16())
}

fn stated(length: Option<i64>) -> Result<u64, StorageError> {
    length.and_then(|length| length.try_into().ok()).ok_or_else(no_length)
}

fn no_length() -> StorageError {
    unavailable("the answer does not state the object's length")
}

fn out_of_range(len: u64) -> StorageError {
    StorageError::OutOfRange { len }
}

fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StorageError {
    StorageError::Unavailable(error.into())
}
