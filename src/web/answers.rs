//! The response cache: answers that depend on nothing but the catalog's revision and the canonical question.
//!
//! A hot answer is a hash look-up and a `Bytes` clone; a cold one is made once however many ask for it, and compressed
//! once for each encoding. The revision is part of the key, so a publication makes all older answers unreachable.

use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use moka::future::Cache;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::cache::{CachePolicy, ETag};
use super::encoding::Encoding;
use super::problem::Problem;
use super::respond::{not_modified, repr_digest};
use crate::catalog::Catalog;
use crate::domain::Sha256Digest;

/// Changes with each build of the program, since another build may write another answer.
static BUILD: LazyLock<String> = LazyLock::new(|| {
    let program = std::env::current_exe().and_then(|path| path.metadata()).and_then(|meta| meta.modified());
    let made = program.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
    format!("{} {}", env!("CARGO_PKG_VERSION"), made.as_nanos())
});

/// Answers of the catalog, bounded in bytes.
#[derive(Debug, Clone)]
pub struct Answers {
    catalog: Arc<Catalog>,
    made: Cache<Key, Made>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    revision: u64,
    question: Arc<str>,
    encoding: Encoding,
}

/// A body, in one encoding.
#[derive(Debug, Clone)]
struct Made {
    body: Bytes,
    /// Of the body before it was encoded.
    plain: Sha256Digest,
}

impl Answers {
    /// A cache of at most `max_bytes` for this catalog.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>, max_bytes: u64) -> Self {
        const UNUSED_FOR: Duration = Duration::from_mins(15);
        let weight = |key: &Key, made: &Made| u32::try_from(key.question.len() + made.body.len()).unwrap_or(u32::MAX);
        let made = Cache::builder().max_capacity(max_bytes).weigher(weight).time_to_idle(UNUSED_FOR).build();
        Self { catalog, made }
    }

    /// The answer to a question as JSON. `make` runs only when the client does not have the answer and nobody asked
    /// before; `question` must name everything that `make` depends on beside the catalog.
    pub async fn json<T: Serialize>(
        &self,
        request: &HeaderMap,
        question: &str,
        make: impl Future<Output = Result<T, Problem>>,
    ) -> Result<Response, Problem> {
        let write = async { serde_json::to_vec(&make.await?).map_err(|error| Problem::internal(&error)) };
        self.answer(request, question, "application/json", Box::pin(write)).await
    }

    /// The answer to a question as a page; otherwise like [`Answers::json`].
    pub async fn html(
        &self,
        request: &HeaderMap,
        question: &str,
        make: impl Future<Output = Result<String, Problem>>,
    ) -> Result<Response, Problem> {
        let write = async { Ok(make.await?.into_bytes()) };
        self.answer(request, question, "text/html; charset=utf-8", Box::pin(write)).await
    }

    async fn answer(
        &self,
        request: &HeaderMap,
        question: &str,
        content_type: &'static str,
        // Boxed, since it is part of several states of this future.
        make: Pin<Box<impl Future<Output = Result<Vec<u8>, Problem>>>>,
    ) -> Result<Response, Problem> {
        let revision = self.catalog.revision();
        let tag = self.tag(revision, question);
        if let Some(mut response) = not_modified(request, &tag, CachePolicy::Revalidate) {
            describe(response.headers_mut(), &tag);
            return Ok(response);
        }
        let (encoding, answer) = self.encoded(request, revision, question, make).await?;
        let mut response = response(content_type, encoding, answer.body);
        describe(response.headers_mut(), &tag);
        Ok(response)
    }

    /// A file whose bytes never change under this name: made once, whatever the revision, and tagged by its digest. A
    /// compressed form has the weak tag, since its bytes are others.
    pub(crate) async fn frozen(
        &self,
        request: &HeaderMap,
        name: &str,
        content_type: &'static str,
        make: impl Future<Output = Result<Vec<u8>, Problem>>,
    ) -> Result<Response, Problem> {
        const ANY_REVISION: u64 = u64::MAX;
        let (encoding, file) = self.encoded(request, ANY_REVISION, name, Box::pin(make)).await?;
        let digest = file.plain.to_string();
        let is_plain = encoding == Encoding::Identity;
        let tag = if is_plain { ETag::strong(digest) } else { ETag::weak(digest) };
        let mut response = match not_modified(request, &tag, CachePolicy::Fingerprinted) {
            Some(response) => response,
            None => response(content_type, encoding, file.body),
        };
        let headers = response.headers_mut();
        CachePolicy::Fingerprinted.apply(headers);
        headers.insert(header::ETAG, tag.to_header());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if is_plain {
            headers.insert("repr-digest", repr_digest(file.plain));
        }
        Ok(response)
    }

    /// The body in the encoding that the client likes best, made and compressed once.
    async fn encoded(
        &self,
        request: &HeaderMap,
        revision: u64,
        question: &str,
        make: Pin<Box<impl Future<Output = Result<Vec<u8>, Problem>>>>,
    ) -> Result<(Encoding, Made), Problem> {
        let key = |encoding| Key { revision, question: question.into(), encoding };
        let plain = self.once(key(Encoding::Identity), async {
            let body = Bytes::from(make.await?);
            Ok(Made { plain: Sha256Digest::of(&body), body })
        });
        let encoding = Encoding::negotiate(request);
        if encoding == Encoding::Identity {
            return Ok((encoding, plain.await?));
        }
        let compressed = async {
            let Made { body, plain } = plain.await?;
            Ok(Made { body: encoding.compress(body).await?, plain })
        };
        Ok((encoding, self.once(key(encoding), compressed).await?))
    }

    async fn once(&self, key: Key, make: impl Future<Output = Result<Made, Problem>>) -> Result<Made, Problem> {
        self.made.try_get_with(key, make).await.map_err(|problem| Problem::clone(&problem))
    }

    fn tag(&self, revision: u64, question: &str) -> ETag {
        let mut hasher = Sha256::new();
        for part in [BUILD.as_str(), self.catalog.epoch(), &revision.to_string(), question] {
            hasher.update(part.as_bytes());
            hasher.update([0]);
        }
        ETag::weak(hex::encode(&hasher.finalize()[..12]))
    }
}

fn response(content_type: &'static str, encoding: Encoding, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    if let Some(name) = encoding.content_coding() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    response
}

/// The headers that 200 and 304 share (RFC 9110 § 15.4.5).
fn describe(headers: &mut HeaderMap, tag: &ETag) {
    CachePolicy::Revalidate.apply(headers);
    headers.insert(header::ETAG, tag.to_header());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
}
