//! `PUT /api/v1/roles/{roleId}/versions/{version}`: receiving a version.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;

use super::dto::{RoleItem, version_url};
use super::upload::{drain, receive};
use crate::catalog::{Published, Scope};
use crate::domain::{Issue, Sha256Digest};
use crate::publish::{SetupCheck, Submission};
use crate::web::extract::{Query, VersionPath};
use crate::web::problem::Problem;
use crate::web::respond::uncached_json;
use crate::web::state::AppState;

#[derive(Serialize)]
struct PublicationJson {
    outcome: &'static str,
    role: RoleItem,
    warnings: Vec<Issue>,
}

/// Publishes the body as the version that the address names. The order of the steps is part of the interface.
pub(crate) async fn publish(
    State(state): State<AppState>,
    VersionPath(role_id, version): VersionPath,
    query: Query,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let headers = &parts.headers;
    let publisher = match state.pipeline.authorize(bearer(headers), Scope::Publish, &role_id).await {
        Ok(publisher) => publisher,
        Err(error) => return Err(refuse(headers, body, error.into()).await),
    };
    let parameters = (|| {
        check_media_type(headers)?;
        let min_app_version = query.get("minAppVersion", "a plain x.y.z version")?;
        Ok((min_app_version, query.flag("dryRun")?, setup_check(headers)?, expected_digest(headers)?))
    })();
    let (min_app_version, dry_run, setup_check, digest) = match parameters {
        Ok(parameters) => parameters,
        Err(problem) => return Err(refuse(headers, body, problem).await),
    };
    let upload = receive(&state, headers, body).await?;
    if digest.is_some_and(|digest| digest != upload.sha256()) {
        let detail = format!("the body has sha256 {}, not the digest of Content-Digest", upload.sha256());
        return Err(Problem::digest_mismatch(detail));
    }
    let location = version_url(&role_id, &version);
    let submission = Submission { role_id, version, publisher, min_app_version, setup_check, dry_run };
    let publication = state.pipeline.publish(submission, upload).await?;

    let (outcome, status) = match publication.outcome {
        Published::Created if dry_run => ("create", StatusCode::OK),
        Published::Created => ("create", StatusCode::CREATED),
        Published::Unchanged => ("unchanged", StatusCode::OK),
    };
    let role = RoleItem::new(&publication.role, None);
    let mut response = uncached_json(status, &PublicationJson { outcome, role, warnings: publication.warnings })?;
    if status == StatusCode::CREATED {
        let location = HeaderValue::try_from(location).map_err(|error| Problem::internal(&error))?;
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

/// Answers before the body was read.
async fn refuse(headers: &HeaderMap, body: Body, problem: Problem) -> Problem {
    const AT_MOST: u64 = 8 * 1024 * 1024;
    const WITHIN: Duration = Duration::from_millis(500);
    drain(headers, body, AT_MOST, WITHIN).await;
    problem
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn check_media_type(headers: &HeaderMap) -> Result<(), Problem> {
    const ZIP: &str = "application/zip";
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(ZIP) { Ok(()) } else { Err(Problem::unsupported_media_type(ZIP)) }
}

/// `Role-Setup-Check`: base64 of JSON, at most 4 KiB.
fn setup_check(headers: &HeaderMap) -> Result<Option<SetupCheck>, Problem> {
    const NAME: &str = "role-setup-check";
    const MAX_LEN: usize = 4096;
    let Some(value) = headers.get(NAME) else { return Ok(None) };
    let parsed = BASE64.decode(value).ok().filter(|json| json.len() <= MAX_LEN);
    let parsed = parsed.and_then(|json| serde_json::from_slice(&json).ok());
    parsed.map(Some).ok_or_else(|| {
        let expected = "Role-Setup-Check must be base64 of {\"exitStatus\", \"at\", \"uv\", \"python\"}";
        Problem::bad_request(Issue::request("Role-Setup-Check", expected))
    })
}

/// The SHA-256 of `Content-Digest` (RFC 9530 § 2); other algorithms are passed over.
fn expected_digest(headers: &HeaderMap) -> Result<Option<Sha256Digest>, Problem> {
    let values = headers.get_all("content-digest").iter().filter_map(|value| value.to_str().ok());
    let member = values.flat_map(|value| value.split(',')).find_map(|member| member.trim().strip_prefix("sha-256="));
    let Some(member) = member else { return Ok(None) };
    let encoded = member.strip_prefix(':').and_then(|member| member.strip_suffix(':'));
    let bytes = encoded.and_then(|encoded| BASE64.decode(encoded).ok()).and_then(|bytes| bytes.try_into().ok());
    bytes.map(|bytes| Some(Sha256Digest::from_bytes(bytes))).ok_or_else(|| {
        let expected = "Content-Digest must be sha-256=:base64 of the 32 bytes:";
        Problem::bad_request(Issue::request("Content-Digest", expected))
    })
}
