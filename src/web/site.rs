//! Pages for people: each handler gathers records and hands them to a view model in [`super::pages`].

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::address::PageLocale;
use super::api::roles::published_version;
use super::cache::CachePolicy;
use super::extract::{ItemPath, Query, RolePath, VersionPath, bad_parameter};
use super::finish::RequestId;
use super::pages::{
    CatalogPage, CatalogQuery, CodePage, ErrorPage, RenderError, RolePage, SiteContext, SortOrder, static_files,
};
use super::problem::Problem;
use super::state::AppState;
use crate::catalog::{Filters, ListQuery, RoleRecord, SearchText, Sort, Start};
use crate::domain::Code;
use crate::i18n::{SiteLocale, negotiate};

/// How many roles a page of the catalog shows.
const PAGE_SIZE: u32 = 24;

/// `/` sends visitors to their language; `/{locale}/` is the catalog.
pub(super) async fn home(
    State(state): State<AppState>,
    Extension(PageLocale(locale)): Extension<PageLocale>,
    headers: HeaderMap,
    uri: Uri,
    query: Query,
) -> Result<Response, Problem> {
    match locale {
        Some(locale) => catalog(&state, locale, &headers, &query).await,
        None => Ok(to_own_language(&headers, uri.query())),
    }
}

fn to_own_language(headers: &HeaderMap, query: Option<&str>) -> Response {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let home = format!("/{}/", negotiate(wanted));
    let location = query.map_or_else(|| home.clone(), |query| format!("{home}?{query}"));
    let location = HeaderValue::try_from(location).unwrap_or(HeaderValue::from_static("/en/"));
    let mut response = (StatusCode::FOUND, [(header::LOCATION, location)]).into_response();
    CachePolicy::Private.apply(response.headers_mut());
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-language"));
    response
}

async fn catalog(
    state: &AppState,
    locale: SiteLocale,
    headers: &HeaderMap,
    query: &Query,
) -> Result<Response, Problem> {
    let asked = catalog_query(query)?;
    let question = format!("/{locale}/ {asked:?}");
    let answer = async {
        let list = ListQuery {
            q: SearchText::parse(&asked.q),
            filters: Filters { kind: asked.kind.map(Into::into), ..Filters::default() },
            sort: match asked.effective_sort() {
                SortOrder::Relevance => Sort::Relevance,
                SortOrder::Updated => Sort::Updated,
                SortOrder::New => Sort::New,
                SortOrder::Name => Sort::Name,
                SortOrder::Downloads => Sort::Downloads,
            },
            limit: PAGE_SIZE,
            start: Start::Skip(u64::from(asked.page - 1) * u64::from(PAGE_SIZE)),
        };
        let listing = state.catalog.list(&list).await?;
        if listing.roles.is_empty() && asked.page > 1 {
            return Err(Problem::not_found());
        }
        let page = CatalogPage {
            site: site(state, locale),
            query: &asked,
            roles: &listing.roles,
            total: listing.total,
            page_size: PAGE_SIZE,
        };
        page.render().map_err(unrendered)
    };
    state.answers.html(headers, &question, answer).await
}

fn catalog_query(query: &Query) -> Result<CatalogQuery, Problem> {
    let optional = |name| query.text(name).filter(|text| !text.is_empty());
    let page = match optional("page") {
        None => 1,
        Some(text) => {
            text.parse().ok().filter(|page| *page >= 1).ok_or_else(|| bad_parameter("page", "a page number"))?
        }
    };
    let kind = optional("kind").map(|text| text.parse().map_err(|_| bad_parameter("kind", "role or application")));
    let sort = optional("sort").map(|text| text.parse().map_err(|_| bad_parameter("sort", "an order of the catalog")));
    Ok(CatalogQuery {
        q: query.text("q").and_then(SearchText::parse).map(|q| q.as_str().to_owned()).unwrap_or_default(),
        kind: kind.transpose()?,
        sort: sort.transpose()?,
        page,
    })
}

/// `/roles/{roleId}`
pub(super) async fn role(
    State(state): State<AppState>,
    Extension(locale): Extension<PageLocale>,
    headers: HeaderMap,
    RolePath(role_id): RolePath,
) -> Result<Response, Problem> {
    let locale = locale.or_default();
    let answer = async {
        let role = state.catalog.role(&role_id).await?.ok_or_else(Problem::not_found)?;
        role_page(&state, locale, &role, false).await
    };
    state.answers.html(&headers, &format!("/{locale}/roles/{role_id}"), answer).await
}

/// `/roles/{roleId}/versions/{version}`
pub(super) async fn version(
    State(state): State<AppState>,
    Extension(locale): Extension<PageLocale>,
    headers: HeaderMap,
    VersionPath(role_id, version): VersionPath,
) -> Result<Response, Problem> {
    let locale = locale.or_default();
    let answer = async {
        let role = published_version(&state.catalog, &role_id, &version).await?;
        role_page(&state, locale, &role, true).await
    };
    state.answers.html(&headers, &format!("/{locale}/roles/{role_id}/versions/{version}"), answer).await
}

async fn role_page(
    state: &AppState,
    locale: SiteLocale,
    role: &RoleRecord,
    exact_version: bool,
) -> Result<String, Problem> {
    let versions = state.catalog.versions(&role.role_id).await?;
    let documents = state.catalog.documents(&role.role_id, &role.version).await?.ok_or_else(Problem::not_found)?;
    let page = RolePage {
        site: site(state, locale),
        role,
        versions: &versions,
        role_md: &documents.role_md,
        files: &documents.files,
        exact_version,
    };
    page.render().map_err(unrendered)
}

/// `/docs/errors/{CODE}`
pub(super) async fn error_code(
    State(state): State<AppState>,
    Extension(locale): Extension<PageLocale>,
    headers: HeaderMap,
    ItemPath(code): ItemPath<Code>,
) -> Result<Response, Problem> {
    let locale = locale.or_default();
    let answer = async { CodePage { site: site(&state, locale), code }.render().map_err(unrendered) };
    state.answers.html(&headers, &format!("/{locale}{}", code.docs_url()), answer).await
}

/// `/static/{name}`: files of our own, under a name that holds their digest.
pub(crate) async fn static_file(
    State(state): State<AppState>,
    headers: HeaderMap,
    ItemPath(name): ItemPath<String>,
) -> Result<Response, Problem> {
    let path = format!("/static/{name}");
    let file = static_files().iter().find(|file| file.url_path == path).ok_or_else(Problem::not_found)?;
    state.answers.frozen(&headers, &path, file.content_type, async { Ok(file.bytes.to_vec()) }).await
}

/// A problem as a page in the visitor's language; none when even that cannot be rendered.
pub(super) fn error_page(
    state: &AppState,
    problem: &Problem,
    id: &RequestId,
    locale: Option<PageLocale>,
) -> Option<String> {
    let locale = locale.map_or(SiteLocale::DEFAULT, PageLocale::or_default);
    let page = ErrorPage {
        site: site(state, locale),
        status: problem.status().as_u16(),
        code: problem.code(),
        detail: None,
        request_id: problem.status().is_server_error().then(|| id.as_str()),
    };
    page.render().ok()
}

fn site(state: &AppState, locale: SiteLocale) -> SiteContext<'_> {
    SiteContext {
        locale,
        public_origin: &state.site.origin_text,
        app_link: state.site.settings.app_link_template.as_ref(),
        get_app: state.site.settings.get_app_url.as_ref(),
        contact: state.site.settings.contact.as_deref(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn unrendered(error: RenderError) -> Problem {
    Problem::internal(&error)
}
