//! Pages (view models and templates): plain records in, HTML out. No I/O, no routes.
//!
//! A handler fills one of the public structs ([`CatalogPage`], [`RolePage`], [`ErrorPage`], [`CodePage`]) and calls
//! `render()`. Each has its Askama template in `templates/`, all of them on `templates/base.html`.
//!
//! Texts of packages and requests are hostile. They reach HTML in three ways only: through Askama's escaping; through
//! `markdown`, whose output passed an allowlist; through `json_ld`, which escapes what could end a script element.
//! URLs are [`Href`]s, which no such text can become. There are no inline styles and no scripts, so the pages work under
//! `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`.

mod assets;
mod behaviour;
mod catalog_page;
mod code_page;
mod error_page;
mod json_ld;
mod links;
mod markdown;
mod pattern;
mod pictures;
mod query;
mod role_page;
mod shell;
#[cfg(test)]
mod tests;

pub use askama::Error as RenderError;
pub use assets::{StaticFile, static_files};
pub use catalog_page::CatalogPage;
pub use code_page::CodePage;
pub use error_page::ErrorPage;
pub use links::{Href, Location};
pub use query::{CatalogQuery, KindTab, SortOrder};
pub use role_page::RolePage;
pub use shell::SiteContext;
