//! Every address of the server. Locale prefixes and trailing slashes are gone by now: see [`super::address`].

use axum::Router;
use axum::routing::{get, put};

use super::api::{files, health, publishing, roles};
use super::problem::Problem;
use super::site;
use super::state::AppState;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        // Catalog
        .route("/api/v1/roles", get(roles::list))
        .route("/api/v1/roles/{role_id}", get(roles::role))
        .route("/api/v1/roles/{role_id}/versions", get(roles::versions))
        .route("/api/v1/roles/{role_id}/versions/latest", get(roles::latest))
        .route("/api/v1/roles/{role_id}/versions/{version}", get(roles::version).merge(put(publishing::publish)))
        // Files of a version
        .route("/api/v1/roles/{role_id}/versions/{version}/download", get(files::download))
        .route("/api/v1/roles/{role_id}/versions/{version}/assets/{*item}", get(files::asset))
        .route("/api/v1/roles/{role_id}/versions/{version}/files", get(files::files))
        .route("/api/v1/roles/{role_id}/versions/{version}/manifest", get(files::manifest))
        .route("/api/v1/roles/{role_id}/versions/{version}/report", get(files::report))
        // Pages
        .route("/", get(site::home))
        .route("/roles/{role_id}", get(site::role))
        .route("/roles/{role_id}/versions/{version}", get(site::version))
        .route("/docs/errors/{item}", get(site::error_code))
        .route("/static/{item}", get(site::static_file))
        // Health
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(|| async { Problem::not_found() })
        .method_not_allowed_fallback(|| async { Problem::method_not_allowed() })
}
