//! The outermost layer: a request id, the headers that every answer has, and problems written down.

use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument as _;

use super::address::PageLocale;
use super::problem::Problem;
use super::state::AppState;

/// The id under which a request stands in the log; an internal error tells it to the client.
#[derive(Debug, Clone)]
pub(super) struct RequestId(String);

impl RequestId {
    fn generate() -> Self {
        Self(format!("{:016x}", rand::random::<u64>()))
    }

    /// The id as text.
    #[must_use]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const CSP: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; \
                   object-src 'none'; script-src 'none'; frame-ancestors 'none'";

/// Middleware: see the module.
pub(super) async fn finish(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = RequestId::generate();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let is_api = path == "/api" || path.starts_with("/api/");
    request.extensions_mut().insert(id.clone());

    let span = tracing::info_span!("request", id = id.as_str());
    let mut response = next.run(request).instrument(span).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        let locale = response.extensions().get::<PageLocale>().copied();
        write_problem(&mut response, &problem, &id, is_api, locale, &state);
    }
    let headers = response.headers_mut();
    set_security_headers(headers, state.site.origin.is_https());
    let reads = matches!(method, Method::GET | Method::HEAD);
    if is_api && reads {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        let exposed = HeaderValue::from_static("etag, repr-digest, content-range, retry-after, x-request-id");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    if let Ok(id) = HeaderValue::from_str(id.as_str()) {
        headers.insert(REQUEST_ID, id);
    }
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::info!(request_id = id.as_str(), %method, path, status = response.status().as_u16(), millis, "request");
    response
}

fn set_security_headers(headers: &mut HeaderMap, https: bool) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP));
    }
    if https {
        let a_year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, a_year);
    }
}

/// JSON under `/api/`, a page elsewhere; the headers that the problem set are kept.
fn write_problem(
    response: &mut Response,
    problem: &Problem,
    id: &RequestId,
    is_api: bool,
    locale: Option<PageLocale>,
    state: &AppState,
) {
    let page = if is_api { None } else { super::site::error_page(state, problem, id, locale) };
    let (content_type, body) = match page {
        Some(html) => ("text/html; charset=utf-8", html.into_bytes()),
        None => ("application/problem+json", problem.to_json(id.as_str())),
    };
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    *response.body_mut() = Body::from(body);
}
