//! Listing and reading roles.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::cursor::Cursor;
use super::dto::{RoleItem, VersionItem, version_url};
use crate::catalog::{Catalog, Filters, ListQuery, RoleRecord, SearchText, Sort, Start, VersionRecord, VersionStatus};
use crate::domain::{AppVersion, DependencyMode, LocaleTag, LocalizedText, RoleId, RoleVersion};
use crate::web::cache::CachePolicy;
use crate::web::extract::{Query, RolePath, VersionPath, bad_cursor, bad_parameter};
use crate::web::problem::Problem;
use crate::web::state::AppState;

const DEFAULT_LIMIT: u32 = 30;
const MAX_LIMIT: u32 = 100;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListingJson<'a> {
    roles: Vec<RoleItem>,
    total: u64,
    next_cursor: Option<String>,
    revision: u64,
    epoch: &'a str,
}

/// `GET /api/v1/roles`
pub(crate) async fn list(State(state): State<AppState>, headers: HeaderMap, query: Query) -> Result<Response, Problem> {
    let locale = wanted_locale(&query)?;
    let q = query.text("q").and_then(SearchText::parse);
    let filters = filters(&query)?;
    let asked: Option<Sort> = query.get("sort", "relevance, updated, new, name or downloads")?;
    let sort = Sort::or_default(asked, q.is_some());
    let limit: u32 = query.get("limit", "a number from 1 to 100")?.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(bad_parameter("limit", "a number from 1 to 100"));
    }
    let listing = format!("{sort} {filters:?} {q:?}");
    let start = match query.text("cursor").filter(|cursor| !cursor.is_empty()) {
        Some(cursor) => {
            let position = Cursor::decode(cursor, &listing).filter(|position| position.is_in(sort));
            Start::After(position.ok_or_else(bad_cursor)?)
        }
        None => Start::Skip(0),
    };
    let question = format!("/api/v1/roles {listing} {limit} {start:?} {locale:?}");
    let answer = async {
        let revision = state.catalog.revision();
        let page = state.catalog.list(&ListQuery { q, filters, sort, limit, start }).await?;
        Ok(ListingJson {
            roles: page.roles.iter().map(|role| RoleItem::new(role, locale.as_ref())).collect(),
            total: page.total,
            next_cursor: page.next.map(|position| Cursor::encode(listing, position)),
            revision,
            epoch: state.catalog.epoch(),
        })
    };
    state.answers.json(&headers, &question, answer).await
}

fn filters(query: &Query) -> Result<Filters, Problem> {
    let kind = match query.text("kind") {
        None => None,
        Some("role") => Some("role"),
        Some("application") => Some("application"),
        Some(_) => return Err(bad_parameter("kind", "role or application")),
    };
    let dependency_mode = match query.text("dependencyMode") {
        None => None,
        Some("none") => Some(DependencyMode::None),
        Some("locked") => Some(DependencyMode::Locked),
        Some(_) => return Err(bad_parameter("dependencyMode", "none or locked")),
    };
    Ok(Filters {
        kind,
        has_locale: locale_tag(query, "hasLocale")?,
        dependency_mode,
        publisher: query.text("publisher").map(str::to_owned),
        app_version: query.get("appVersion", "a plain x.y.z version")?,
        prerelease: query.flag("prerelease")?,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RoleJson {
    #[serde(flatten)]
    item: RoleItem,
    versions: Vec<VersionItem>,
    i18n: std::collections::BTreeMap<LocaleTag, LocalizedText>,
    latest: RoleVersion,
    latest_compatible: Option<RoleVersion>,
}

/// `GET /api/v1/roles/{roleId}`
pub(crate) async fn role(
    State(state): State<AppState>,
    headers: HeaderMap,
    RolePath(role_id): RolePath,
    query: Query,
) -> Result<Response, Problem> {
    let locale = wanted_locale(&query)?;
    let app: Option<AppVersion> = query.get("appVersion", "a plain x.y.z version")?;
    let question = format!("/api/v1/roles/{role_id} {locale:?} {app:?}");
    let answer = async {
        let record = state.catalog.role(&role_id).await?.ok_or_else(Problem::not_found)?;
        let versions = state.catalog.versions(&role_id).await?;
        Ok(RoleJson {
            item: RoleItem::new(&record, locale.as_ref()),
            i18n: record.i18n.iter().cloned().collect(),
            latest: record.version.clone(),
            latest_compatible: app.and_then(|app| newest_for(app, &versions)),
            versions: versions.iter().map(VersionItem::from).collect(),
        })
    };
    state.answers.json(&headers, &question, answer).await
}

#[derive(Serialize)]
struct VersionsJson {
    versions: Vec<VersionItem>,
}

/// `GET /api/v1/roles/{roleId}/versions`
pub(crate) async fn versions(
    State(state): State<AppState>,
    headers: HeaderMap,
    RolePath(role_id): RolePath,
) -> Result<Response, Problem> {
    let answer = async {
        let versions = state.catalog.versions(&role_id).await?;
        if versions.is_empty() {
            return Err(Problem::not_found());
        }
        Ok(VersionsJson { versions: versions.iter().map(VersionItem::from).collect() })
    };
    state.answers.json(&headers, &format!("/api/v1/roles/{role_id}/versions"), answer).await
}

/// `GET /api/v1/roles/{roleId}/versions/{version}`
pub(crate) async fn version(
    State(state): State<AppState>,
    headers: HeaderMap,
    VersionPath(role_id, version): VersionPath,
    query: Query,
) -> Result<Response, Problem> {
    let locale = wanted_locale(&query)?;
    let question = format!("{} {locale:?}", version_url(&role_id, &version));
    let answer = async {
        let record = published_version(&state.catalog, &role_id, &version).await?;
        Ok(RoleItem::new(&record, locale.as_ref()))
    };
    state.answers.json(&headers, &question, answer).await
}

/// `GET /api/v1/roles/{roleId}/versions/latest`: a 302 to the exact version.
pub(crate) async fn latest(State(state): State<AppState>, RolePath(role_id): RolePath) -> Result<Response, Problem> {
    let record = state.catalog.role(&role_id).await?.ok_or_else(Problem::not_found)?;
    let location = HeaderValue::try_from(version_url(&role_id, &record.version));
    let location = location.map_err(|error| Problem::internal(&error))?;
    let mut response = (StatusCode::FOUND, [(header::LOCATION, location)]).into_response();
    CachePolicy::Revalidate.apply(response.headers_mut());
    Ok(response)
}

/// The record of a version that may be read: 404 when there is none, 410 when it was withdrawn.
pub(crate) async fn published_version(
    catalog: &Catalog,
    role_id: &RoleId,
    version: &RoleVersion,
) -> Result<RoleRecord, Problem> {
    let record = catalog.role_at(role_id, version).await?.ok_or_else(Problem::not_found)?;
    match record.status {
        VersionStatus::Withdrawn => Err(Problem::withdrawn(record.status_reason.as_deref())),
        VersionStatus::Active | VersionStatus::Yanked => Ok(record),
    }
}

/// The newest active version that this app can run; a prerelease only when nothing else does.
fn newest_for(app: AppVersion, versions: &[VersionRecord]) -> Option<RoleVersion> {
    let fits = versions.iter().filter(|v| v.status == VersionStatus::Active && v.min_app_version <= app);
    fits.max_by_key(|v| (!v.version.is_prerelease(), &v.version)).map(|v| v.version.clone())
}

fn wanted_locale(query: &Query) -> Result<Option<LocaleTag>, Problem> {
    locale_tag(query, "locale")
}

fn locale_tag(query: &Query, name: &'static str) -> Result<Option<LocaleTag>, Problem> {
    let recognize = |text| LocaleTag::recognize(text).map_err(|_| bad_parameter(name, "a language tag such as zh-CN"));
    query.text(name).map(recognize).transpose()
}
