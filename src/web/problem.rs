//! What a client is told when something does not work: one type for every status, RFC 9457 under `/api/`, a page elsewhere.
//!
//! A handler returns `Result<_, Problem>`. [`Problem`] travels through the layers as a response extension; the outermost
//! one ([`super::finish`]) writes it down, since only there the request id and the wanted format are known.

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::cache::CachePolicy;
use crate::catalog::CatalogError;
use crate::domain::{Code, Issue};
use crate::publish::{PublishError, Refusal, SpoolError};
use crate::storage::{ObjectKey, StorageError};

/// A failed request: what to say, and how.
#[derive(Debug, Clone)]
pub struct Problem {
    status: StatusCode,
    code: Code,
    title: &'static str,
    detail: String,
    issues: Vec<Issue>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The JSON form (RFC 9457 § 3).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProblemJson<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    code: Code,
    detail: &'a str,
    request_id: &'a str,
    issues: &'a [Issue],
}

/// How long a client should wait before it tries again.
const RETRY_SOON: Duration = Duration::from_secs(5);
const RETRY_LATER: Duration = Duration::from_mins(1);

impl Problem {
    fn new(status: StatusCode, code: Code, title: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, title, detail: detail.into(), issues: Vec::new(), headers: Vec::new() }
    }

    fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    fn retry_after(self, wait: Duration) -> Self {
        self.with(header::RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)))
    }

    /// Nothing is at this address.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, Code::NotFound, "Not found", "nothing is at this address")
    }

    /// The address exists, the method does not.
    #[must_use]
    pub fn method_not_allowed() -> Self {
        let title = "Method not allowed";
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            Code::MethodNotAllowed,
            title,
            "the address does not take this method",
        )
    }

    /// The version was withdrawn.
    #[must_use]
    pub fn withdrawn(reason: Option<&str>) -> Self {
        let detail = reason.unwrap_or("the version was withdrawn");
        Self::new(StatusCode::GONE, Code::RoleVersionWithdrawn, "Version withdrawn", detail)
    }

    /// A parameter has a bad value.
    #[must_use]
    pub fn bad_request(issue: Issue) -> Self {
        let problem = Self::new(StatusCode::BAD_REQUEST, issue.code, "Bad request", issue.message.clone());
        Self { issues: vec![issue], ..problem }
    }

    /// The body does not have the digest that the request says.
    #[must_use]
    pub fn digest_mismatch(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Code::UploadDigestMismatch, "Upload damaged", detail)
    }

    /// The body is larger than `limit` bytes.
    #[must_use]
    pub fn too_large(limit: u64) -> Self {
        let detail = format!("the body may have at most {limit} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, Code::PayloadTooLarge, "Too large", detail)
    }

    /// The body came too slowly, or not at all.
    #[must_use]
    pub fn upload_timed_out() -> Self {
        let detail = "the body did not arrive in time; send it again";
        Self::new(StatusCode::REQUEST_TIMEOUT, Code::RequestInvalid, "Upload timed out", detail)
    }

    /// The body ended before it was whole.
    #[must_use]
    pub fn upload_broken() -> Self {
        let detail = "the body ended before it was whole; send it again";
        Self::new(StatusCode::BAD_REQUEST, Code::RequestInvalid, "Upload broken", detail)
    }

    /// The body has another media type than `wanted`.
    #[must_use]
    pub fn unsupported_media_type(wanted: &'static str) -> Self {
        let title = "Unsupported media type";
        let detail = format!("send the body as Content-Type: {wanted}");
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, Code::UnsupportedMediaType, title, detail)
            .with(header::ACCEPT, HeaderValue::from_static(wanted))
    }

    /// The range lies outside of `len` bytes (RFC 9110 § 15.5.17).
    #[must_use]
    pub fn range_not_satisfiable(len: u64) -> Self {
        let title = "Range not satisfiable";
        let problem = Self::new(
            StatusCode::RANGE_NOT_SATISFIABLE,
            Code::RangeNotSatisfiable,
            title,
            format!("the file has {len} bytes"),
        );
        match HeaderValue::try_from(format!("bytes */{len}")) {
            Ok(value) => problem.with(header::CONTENT_RANGE, value),
            Err(_) => problem,
        }
    }

    /// We are at fault; the cause goes to the log alone.
    #[must_use]
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "Internal error", "internal error")
    }

    /// Something we need is away; the cause goes to the log alone.
    #[must_use]
    pub fn unavailable(cause: &dyn std::fmt::Display) -> Self {
        tracing::warn!(%cause, "unavailable");
        Self::busy("the service is not available just now; try again")
    }

    /// Too much at once.
    #[must_use]
    pub fn busy(detail: &'static str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable, "Not available", detail).retry_after(RETRY_SOON)
    }

    fn storage_full(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(%cause, "storage is full");
        let detail = "the service has no room left; try again later";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::StorageFull, "Storage full", detail).retry_after(RETRY_LATER)
    }

    fn refused(refusal: Refusal, issues: Vec<Issue>) -> Self {
        let (status, title) = match refusal {
            Refusal::Unauthenticated => (StatusCode::UNAUTHORIZED, "Authentication required"),
            Refusal::Forbidden => (StatusCode::FORBIDDEN, "Forbidden"),
            Refusal::Invalid => (StatusCode::UNPROCESSABLE_ENTITY, "Package rejected"),
            Refusal::Conflict => (StatusCode::CONFLICT, "Conflict with what is published"),
        };
        let errors = issues.iter().filter(|issue| issue.severity == crate::domain::Severity::Error).count();
        let (code, detail) = match issues.first() {
            Some(only) if errors == 1 => (only.code, only.message.clone()),
            Some(first) => (first.code, format!("{errors} problems found")),
            None => (Code::Internal, "refused".to_owned()),
        };
        let problem = Self { issues, ..Self::new(status, code, title, detail) };
        if refusal == Refusal::Unauthenticated {
            problem.with(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
        } else {
            problem
        }
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// What is wrong, in one sentence.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// As `application/problem+json`.
    pub(super) fn to_json(&self, request_id: &str) -> Vec<u8> {
        let json = ProblemJson {
            r#type: self.code.docs_url(),
            title: self.title,
            status: self.status.as_u16(),
            code: self.code,
            detail: &self.detail,
            request_id,
            issues: &self.issues,
        };
        serde_json::to_vec(&json).unwrap_or_default()
    }

    fn cache_policy(&self) -> CachePolicy {
        if self.status == StatusCode::NOT_FOUND { CachePolicy::Missing } else { CachePolicy::NoStore }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        let headers = response.headers_mut();
        self.cache_policy().apply(headers);
        for (name, value) in &self.headers {
            headers.insert(name.clone(), value.clone());
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<CatalogError> for Problem {
    fn from(error: CatalogError) -> Self {
        match error {
            CatalogError::Unavailable(_) => Self::unavailable(&error),
            CatalogError::Full(_) => Self::storage_full(&error),
            CatalogError::Migration(_) | CatalogError::Corrupt { .. } | CatalogError::Database(_) => {
                Self::internal(&error)
            }
        }
    }
}

/// An error with everything that it says caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // Many errors repeat their source in their own text.
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

impl From<StorageError> for Problem {
    fn from(error: StorageError) -> Self {
        Self::of_storage(&error, &chain(&error))
    }
}

impl Problem {
    /// The store did not give the object of this key.
    #[must_use]
    pub fn storage(error: &StorageError, key: &ObjectKey) -> Self {
        Self::of_storage(error, &format!("{key}: {}", chain(error)))
    }

    fn of_storage(error: &StorageError, cause: &str) -> Self {
        match error {
            StorageError::Full => Self::storage_full(&cause),
            StorageError::WrongProjection => Self::internal(&cause),
            // Every key comes from a catalog row, so an object that is not there is a fault of the store.
            StorageError::NotFound | StorageError::OutOfRange { .. } | StorageError::Unavailable(_) => {
                Self::unavailable(&cause)
            }
        }
    }
}

impl From<SpoolError> for Problem {
    fn from(error: SpoolError) -> Self {
        match error {
            SpoolError::TooLarge(limit) => Self::too_large(limit),
            SpoolError::Io(cause) if cause.kind() == std::io::ErrorKind::StorageFull => Self::storage_full(&cause),
            SpoolError::Io(cause) => Self::unavailable(&cause),
        }
    }
}

impl From<PublishError> for Problem {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Refused(refusal, issues) => Self::refused(refusal, issues),
            PublishError::Busy => Self::busy("too many uploads are being processed; try again"),
            PublishError::Spool(error) => error.into(),
            PublishError::Storage(error) => error.into(),
            PublishError::Catalog(error) => error.into(),
            PublishError::Vanished | PublishError::Task(_) => Self::internal(&error),
        }
    }
}
