//! One address for each thing: what a path means before it is routed.
//!
//! Trailing slashes and wrong-case locales are redirected in one hop, a locale prefix is taken off and remembered, and
//! everything that is not written plainly (empty segments) is not found. So the route table names each page once.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::cache::CachePolicy;
use super::problem::Problem;
use crate::i18n::{PathLocale, SiteLocale};

/// The locale that stood in the path; none on unprefixed addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PageLocale(pub Option<SiteLocale>);

impl PageLocale {
    /// The language to answer in.
    #[must_use]
    pub(super) fn or_default(self) -> SiteLocale {
        self.0.unwrap_or(SiteLocale::DEFAULT)
    }
}

/// What a path means.
#[derive(Debug, PartialEq, Eq)]
enum Address {
    /// Route it as this path, in this locale.
    Route(Option<SiteLocale>, String),
    /// It lives at this path.
    Moved(String),
    /// It is no address.
    Nothing,
}

/// Middleware: resolves the path, then routes.
pub(super) async fn resolve(mut request: Request, next: Next) -> Response {
    match parse(request.uri().path()) {
        Address::Nothing => Problem::not_found().into_response(),
        Address::Moved(path) => moved(&with_query(&path, request.uri())),
        Address::Route(locale, path) => {
            request.extensions_mut().insert(PageLocale(locale));
            if locale.is_some() {
                match with_query(&path, request.uri()).parse::<Uri>() {
                    Ok(uri) => *request.uri_mut() = uri,
                    Err(_) => return Problem::not_found().into_response(),
                }
            }
            let mut response = next.run(request).await;
            response.extensions_mut().insert(PageLocale(locale));
            response
        }
    }
}

/// What machines read has no language.
const WITHOUT_LOCALE: [&str; 8] =
    ["api", "static", "healthz", "readyz", ".well-known", "robots.txt", "sitemap.xml", "llms.txt"];

fn parse(path: &str) -> Address {
    let Some(inner) = path.strip_prefix('/') else { return Address::Nothing };
    if inner.is_empty() {
        return Address::Route(None, path.to_owned());
    }
    let (inner, slash) = match inner.strip_suffix('/') {
        Some(inner) => (inner, true),
        None => (inner, false),
    };
    // "//host" or "/\\host" in a Location would lead to another site, and no page has an empty segment.
    if inner.contains('\\') || inner.split('/').any(str::is_empty) {
        return Address::Nothing;
    }
    let (first, rest) = inner.split_once('/').unwrap_or((inner, ""));
    let Some(PathLocale::Exact(locale) | PathLocale::OtherCase(locale)) = SiteLocale::from_path_segment(first) else {
        return if slash { Address::Moved(format!("/{inner}")) } else { Address::Route(None, path.to_owned()) };
    };
    if WITHOUT_LOCALE.contains(&rest.split('/').next().unwrap_or(rest)) {
        return Address::Nothing;
    }
    // A home page's true address ends in a slash; every other address does not. English pages have no prefix.
    let canonical = match (rest, locale == SiteLocale::DEFAULT) {
        ("", _) => format!("/{}/", locale.tag()),
        (rest, true) => format!("/{rest}"),
        (rest, false) => format!("/{}/{rest}", locale.tag()),
    };
    if canonical == path { Address::Route(Some(locale), format!("/{rest}")) } else { Address::Moved(canonical) }
}

fn with_query(path: &str, uri: &Uri) -> String {
    match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    }
}

/// A permanent redirect within the site that keeps the method (RFC 9110 § 15.4.9).
pub(super) fn moved(location: &str) -> Response {
    let Ok(location) = HeaderValue::try_from(location) else { return Problem::not_found().into_response() };
    let mut response = (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, location)]).into_response();
    CachePolicy::Revalidate.apply(response.headers_mut());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(locale: Option<SiteLocale>, path: &str) -> Address {
        Address::Route(locale, path.to_owned())
    }

    #[test]
    fn plain_addresses_are_routed_with_their_locale_taken_off() {
        assert_eq!(parse("/"), route(None, "/"));
        assert_eq!(parse("/api/v1/roles"), route(None, "/api/v1/roles"));
        assert_eq!(parse("/en/"), route(Some(SiteLocale::En), "/"));
        assert_eq!(parse("/zh-CN/roles/words-john"), route(Some(SiteLocale::ZhCn), "/roles/words-john"));
    }

    #[test]
    fn other_spellings_move_in_one_hop() {
        for (from, to) in [
            ("/api/v1/roles/", "/api/v1/roles"),
            ("/en", "/en/"),
            ("/EN", "/en/"),
            ("/zh-cn/roles/x/", "/zh-CN/roles/x"),
            ("/ZH-CN/", "/zh-CN/"),
            ("/en/roles/x", "/roles/x"),
            ("/EN/roles/x/", "/roles/x"),
        ] {
            assert_eq!(parse(from), Address::Moved(to.to_owned()), "{from}");
        }
    }

    #[test]
    fn no_address_leads_to_another_host_or_puts_a_language_before_the_api() {
        for path in [
            "//evil.test/",
            "//evil.test",
            "/en//evil.test",
            "/api//v1/roles",
            "/zh-cn//x/",
            "//",
            "*",
            "/\\evil.test/",
            "/en/\\evil.test",
            "/zh-CN/api/v1/roles",
        ] {
            assert_eq!(parse(path), Address::Nothing, "{path}");
        }
    }
}
