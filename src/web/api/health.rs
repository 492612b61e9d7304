//! Health: is the process alive, and can it do its work?

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::web::cache::CachePolicy;
use crate::web::problem::Problem;
use crate::web::state::AppState;

/// `GET /healthz`: the process answers.
pub(crate) async fn healthz() -> Response {
    ok()
}

/// `GET /readyz`: database and store answer.
pub(crate) async fn readyz(State(state): State<AppState>) -> Result<Response, Problem> {
    state.catalog.ready().await.map_err(|error| Problem::unavailable(&error))?;
    state.store.ready().await?;
    Ok(ok())
}

fn ok() -> Response {
    let mut response = (StatusCode::OK, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], "ok\n").into_response();
    CachePolicy::NoStore.apply(response.headers_mut());
    response
}
