//! Answers that are built the same way in several places.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use serde::Serialize;

use super::cache::{CachePolicy, ETag};
use super::problem::Problem;
use crate::domain::Sha256Digest;

/// 304 when the client has this file, with the headers that the 200 would have (RFC 9110 § 15.4.5).
#[must_use]
pub(super) fn not_modified(request: &HeaderMap, tag: &ETag, policy: CachePolicy) -> Option<Response> {
    if !tag.is_known_to(request) {
        return None;
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    policy.apply(response.headers_mut());
    response.headers_mut().insert(header::ETAG, tag.to_header());
    Some(response)
}

/// JSON that nobody keeps.
pub(super) fn uncached_json<T: Serialize>(status: StatusCode, value: &T) -> Result<Response, Problem> {
    let body = serde_json::to_vec(value).map_err(|error| Problem::internal(&error))?;
    let mut response =
        (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response();
    CachePolicy::NoStore.apply(response.headers_mut());
    Ok(response)
}

/// The digest of the whole representation (RFC 9530 § 3).
pub(crate) fn repr_digest(sha256: Sha256Digest) -> HeaderValue {
    let encoded = base64::engine::general_purpose::STANDARD.encode(sha256.as_bytes());
    HeaderValue::try_from(format!("sha-256=:{encoded}:")).unwrap_or(HeaderValue::from_static(""))
}
