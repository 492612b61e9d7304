//! The web (layer 6): JSON for programs, pages for people.
//!
//! A request passes, outermost first:
//!
//! 1. [`finish`]: gets its id; on the way back, problems are written down and common headers set;
//! 2. panics are caught and become a 500;
//! 3. [`address`]: redirects, locale;
//! 4. [`routes`]: the route table;
//! 5. a handler: extractors have parsed path and query ([`extract`]); it asks the catalog through the response cache
//!    ([`answers`]), and answers with a cache class ([`cache`]) or a [`Problem`].

mod address;
mod answers;
mod api;
mod cache;
mod encoding;
mod extract;
mod finish;
pub mod pages;
mod problem;
mod respond;
mod routes;
mod server;
mod site;
mod state;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse as _;
use tower_http::catch_panic::CatchPanicLayer;

pub use answers::Answers;
pub use cache::{CachePolicy, ETag};
pub use problem::Problem;
pub use server::serve;
pub use state::{AppState, Site};

/// The whole server as one service.
pub fn router(state: AppState) -> Router {
    let routes = routes::routes().with_state(state.clone());
    // The inner router is a fallback, so that the layers see a request before it is routed.
    Router::new()
        .fallback_service(routes)
        .layer(from_fn(address::resolve))
        .layer(CatchPanicLayer::custom(|panic: Box<dyn std::any::Any + Send>| {
            let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
            Problem::internal(&format!("a handler panicked: {}", text.unwrap_or("no message"))).into_response()
        }))
        .layer(from_fn_with_state(state, finish::finish))
}
