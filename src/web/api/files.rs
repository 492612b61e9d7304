//! Files of a version: the zip, the website pictures, and the documents frozen at publication.
//!
//! They never change, so a client that has one is told so before anything is read.

use std::ops::Range;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use http_range_header::{RangeUnsatisfiableError, parse_range_header};

use super::roles::published_version;
use crate::catalog::Document;
use crate::domain::{AssetName, RoleId, RoleVersion, Sha256Digest};
use crate::storage::{BlobStore, ObjectKey, StorageError};
use crate::web::cache::{CachePolicy, ETag};
use crate::web::extract::{VersionItemPath, VersionPath};
use crate::web::problem::Problem;
use crate::web::respond::{not_modified, repr_digest};
use crate::web::state::AppState;

/// An object as the catalog describes it.
struct File {
    key: ObjectKey,
    sha256: Sha256Digest,
    len: u64,
    disposition: Option<HeaderValue>,
}

/// `GET …/versions/{version}/download`
pub(crate) async fn download(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
    VersionPath(role_id, version): VersionPath,
) -> Result<Response, Problem> {
    let record = published_version(&state.catalog, &role_id, &version).await?;
    let name = HeaderValue::try_from(format!("attachment; filename=\"{role_id}-{version}.zip\""));
    let file = File {
        key: ObjectKey::Package { role_id, version, sha256: record.sha256 },
        sha256: record.sha256,
        len: record.size_bytes,
        disposition: name.ok(),
    };
    serve(&*state.store, file, &method, &headers).await
}

/// `GET …/versions/{version}/assets/{name}`
pub(crate) async fn asset(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
    VersionItemPath(role_id, version, name): VersionItemPath<AssetName>,
) -> Result<Response, Problem> {
    let record = published_version(&state.catalog, &role_id, &version).await?;
    let asset = record.asset(name).ok_or_else(Problem::not_found)?;
    let file = File {
        key: ObjectKey::Asset { role_id, version, sha256: asset.sha256, name },
        sha256: asset.sha256,
        len: asset.size_bytes,
        disposition: None,
    };
    serve(&*state.store, file, &method, &headers).await
}

/// `GET …/versions/{version}/files`
pub(crate) async fn files(
    State(state): State<AppState>,
    headers: HeaderMap,
    VersionPath(role_id, version): VersionPath,
) -> Result<Response, Problem> {
    frozen(&state, &headers, &role_id, &version, Document::Files).await
}

/// `GET …/versions/{version}/manifest`
pub(crate) async fn manifest(
    State(state): State<AppState>,
    headers: HeaderMap,
    VersionPath(role_id, version): VersionPath,
) -> Result<Response, Problem> {
    frozen(&state, &headers, &role_id, &version, Document::Manifest).await
}

/// `GET …/versions/{version}/report`
pub(crate) async fn report(
    State(state): State<AppState>,
    headers: HeaderMap,
    VersionPath(role_id, version): VersionPath,
) -> Result<Response, Problem> {
    frozen(&state, &headers, &role_id, &version, Document::Report).await
}

async fn frozen(
    state: &AppState,
    headers: &HeaderMap,
    role_id: &RoleId,
    version: &RoleVersion,
    document: Document,
) -> Result<Response, Problem> {
    published_version(&state.catalog, role_id, version).await?;
    let name = format!("{document:?} of {role_id} {version}");
    let text = async {
        let text = state.catalog.document(role_id, version, document).await?.ok_or_else(Problem::not_found)?;
        Ok(match document {
            Document::Files => format!("{{\"files\":{text}}}"),
            Document::Manifest | Document::Report => text,
        }
        .into_bytes())
    };
    state.answers.frozen(headers, &name, "application/json", text).await
}

/// Streams an object, whole or one range of it. The store's length must be the catalog's: a cut object is an error,
/// never an answer.
async fn serve(store: &dyn BlobStore, file: File, method: &Method, request: &HeaderMap) -> Result<Response, Problem> {
    let tag = ETag::strong(file.sha256.to_string());
    if let Some(mut response) = not_modified(request, &tag, CachePolicy::Immutable) {
        describe(response.headers_mut(), &file);
        return Ok(response);
    }
    // A Range on HEAD has no meaning (RFC 9110 § 14.2); several ranges are answered whole.
    let range =
        if *method == Method::GET && tag.allows_range(request) { single_range(request, file.len)? } else { None };
    let broken = |error: StorageError| Problem::storage(&error, &file.key);
    let (stored, body) = if *method == Method::HEAD {
        let stored = store.head(&file.key).await.and_then(|len| len.ok_or(StorageError::NotFound)).map_err(broken)?;
        (stored, Body::empty())
    } else {
        let object = store.get(&file.key, range.clone()).await.map_err(broken)?;
        (object.len, Body::from_stream(object.body))
    };
    if stored != file.len {
        let cause = format!("{} has {stored} bytes in the store and {} in the catalog", file.key, file.len);
        return Err(Problem::unavailable(&cause));
    }
    let mut response = Response::new(body);
    let len = range.as_ref().map_or(file.len, |range| range.end - range.start);
    let headers = response.headers_mut();
    CachePolicy::Immutable.apply(headers);
    describe(headers, &file);
    headers.insert(header::ETAG, tag.to_header());
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.key.kind().content_type()));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(len));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if let Some(name) = file.disposition {
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    if let Some(Range { start, end }) = range {
        let value = HeaderValue::try_from(format!("bytes {start}-{}/{}", end - 1, file.len));
        headers.insert(header::CONTENT_RANGE, value.map_err(|error| Problem::internal(&error))?);
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    Ok(response)
}

/// What a 304 repeats of the 200.
fn describe(headers: &mut HeaderMap, file: &File) {
    headers.insert("repr-digest", repr_digest(file.sha256));
    let (ObjectKey::Package { role_id, .. } | ObjectKey::Asset { role_id, .. }) = &file.key;
    if let Ok(value) = HeaderValue::try_from(format!("role-{role_id}")) {
        headers.insert("cache-tag", value);
    }
}

/// The one range asked for; none when there is no header, it is not understood, or it asks for several.
fn single_range(request: &HeaderMap, len: u64) -> Result<Option<Range<u64>>, Problem> {
    let header = request.get(header::RANGE).and_then(|value| value.to_str().ok());
    let Some(parsed) = header.and_then(|text| parse_range_header(text).ok()) else {
        return Ok(None);
    };
    if parsed.len() > 1 {
        return Ok(None);
    }
    match parsed.validate(len) {
        Ok(ranges) => Ok(ranges.first().map(|range| *range.start()..*range.end() + 1)),
        Err(RangeUnsatisfiableError::Unsatisfiable) => Err(Problem::range_not_satisfiable(len)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(value: &'static str) -> Result<Option<Range<u64>>, StatusCode> {
        let request = HeaderMap::from_iter([(header::RANGE, HeaderValue::from_static(value))]);
        single_range(&request, 100).map_err(|problem| problem.status())
    }

    #[test]
    fn one_range_is_served_and_anything_odd_is_answered_whole() {
        assert_eq!(range("bytes=0-9"), Ok(Some(0..10)));
        assert_eq!(range("bytes=90-"), Ok(Some(90..100)));
        assert_eq!(range("bytes=-10"), Ok(Some(90..100)));
        assert_eq!(range("bytes=90-900"), Ok(Some(90..100)));
        assert_eq!(range("bytes=-900"), Ok(Some(0..100)));
        assert_eq!(range("bytes=0-1,4-5"), Ok(None));
        assert_eq!(range("lines=0-1"), Ok(None));
        assert_eq!(range("bytes=x"), Ok(None));
        assert_eq!(range("bytes=9-0"), Ok(None));
        assert_eq!(range("bytes=100-"), Err(StatusCode::RANGE_NOT_SATISFIABLE));
        assert_eq!(range("bytes=-0"), Err(StatusCode::RANGE_NOT_SATISFIABLE));
    }
}
