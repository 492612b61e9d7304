//! URLs in pages. Every `href` and `src` is a [`Href`], and only this file makes one, so that no text of a package or of
//! a request can become a link.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::query::CatalogQuery;
use crate::config::{AppLinkTemplate, WebUrl};
use crate::domain::{AssetName, Code, RoleId, RoleVersion};
use crate::i18n::SiteLocale;

/// A URL that may stand in a page: relative to the site root, absolute on the public origin, or the app's link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Href(String);

/// A page of the site, apart from the language it is shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location<'a> {
    /// The catalog with its search, filters and page.
    Catalog(&'a CatalogQuery),
    /// A role at its latest version.
    Role(&'a RoleId),
    /// A role at one version.
    Version(&'a RoleId, &'a RoleVersion),
    /// The page of an error code.
    Code(Code),
}

/// What `encodeURIComponent` leaves alone, so that addresses look as browsers write them.
const QUERY_VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

impl Location<'_> {
    /// The page's URL in a language, relative to the site root. English pages other than the catalog have no prefix.
    #[must_use]
    pub fn href(self, locale: SiteLocale) -> Href {
        let prefix = match (self, locale) {
            (Self::Catalog(_), _) => format!("/{locale}"),
            (_, SiteLocale::DEFAULT) => String::new(),
            _ => format!("/{locale}"),
        };
        Href(match self {
            Self::Catalog(query) => format!("{prefix}/{}", query_string(query)),
            Self::Role(id) => format!("{prefix}/roles/{id}"),
            Self::Version(id, version) => format!("{prefix}/roles/{id}/versions/{}", version.to_url_segment()),
            Self::Code(code) => format!("{prefix}{}", code.docs_url()),
        })
    }

    /// The URL for readers whose language the site does not have (`hreflang="x-default"`).
    #[must_use]
    pub fn default_href(self) -> Href {
        match self {
            Self::Catalog(query) if *query == CatalogQuery::default() => Href("/".to_owned()),
            _ => self.href(SiteLocale::DEFAULT),
        }
    }

    /// The languages that the page exists in.
    pub(super) fn locales(self) -> impl Iterator<Item = SiteLocale> {
        let docs = matches!(self, Self::Code(_));
        SiteLocale::all().filter(move |locale| !docs || locale.has_docs())
    }
}

/// `?q=…&kind=…&sort=…&page=…`, in this order, without what is the default anyway.
fn query_string(query: &CatalogQuery) -> String {
    let mut pairs = Vec::new();
    if !query.q.is_empty() {
        pairs.push(format!("q={}", utf8_percent_encode(&query.q, QUERY_VALUE)));
    }
    if let Some(kind) = query.kind {
        pairs.push(format!("kind={kind}"));
    }
    if let Some(sort) = query.sort {
        pairs.push(format!("sort={sort}"));
    }
    if query.page > 1 {
        pairs.push(format!("page={}", query.page));
    }
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

impl Href {
    /// A website picture of a version.
    pub(super) fn asset(id: &RoleId, version: &RoleVersion, name: AssetName) -> Self {
        Self(format!("/api/v1/roles/{id}/versions/{}/assets/{name}", version.to_url_segment()))
    }

    /// A version's zip.
    pub(super) fn download(id: &RoleId, version: &RoleVersion) -> Self {
        Self(format!("/api/v1/roles/{id}/versions/{}/download", version.to_url_segment()))
    }

    /// The operator's link into the app, for a version.
    pub(super) fn app(template: &AppLinkTemplate, id: &RoleId, version: &RoleVersion) -> Self {
        Self(template.link(id, version))
    }

    /// A page elsewhere that the operator names.
    pub(super) fn external(url: &WebUrl) -> Self {
        Self(url.as_str().to_owned())
    }

    /// A file that is part of the program.
    pub(super) fn fingerprinted(url_path: &str) -> Self {
        Self(url_path.to_owned())
    }

    /// The same URL on the public origin.
    pub(super) fn on(&self, public_origin: &str) -> Self {
        Self(format!("{}{}", public_origin.trim_end_matches('/'), self.0))
    }

    /// The URL as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Href {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::query::{KindTab, SortOrder};
    use super::*;

    #[test]
    fn english_pages_have_no_prefix_apart_from_the_catalog() {
        let id = RoleId::parse("words-john").unwrap();
        let version = RoleVersion::parse("1.0.0+b.5").unwrap();
        let plain = CatalogQuery::default();
        for (location, en, zh) in [
            (Location::Catalog(&plain), "/en/", "/zh-CN/"),
            (Location::Role(&id), "/roles/words-john", "/zh-CN/roles/words-john"),
            (
                Location::Version(&id, &version),
                "/roles/words-john/versions/1.0.0%2Bb.5",
                "/zh-CN/roles/words-john/versions/1.0.0%2Bb.5",
            ),
            (Location::Code(Code::NotFound), "/docs/errors/NOT_FOUND", "/zh-CN/docs/errors/NOT_FOUND"),
        ] {
            assert_eq!(location.href(SiteLocale::En).as_str(), en);
            assert_eq!(location.href(SiteLocale::ZhCn).as_str(), zh);
        }
        assert_eq!(Location::Catalog(&plain).default_href().as_str(), "/");
        assert_eq!(Location::Role(&id).default_href().as_str(), "/roles/words-john");
    }

    #[test]
    fn queries_are_encoded_and_leave_out_defaults() {
        let query = CatalogQuery {
            q: "英 \"&=".to_owned(),
            kind: Some(KindTab::Application),
            sort: Some(SortOrder::Name),
            page: 2,
        };
        assert_eq!(
            Location::Catalog(&query).href(SiteLocale::En).as_str(),
            "/en/?q=%E8%8B%B1%20%22%26%3D&kind=application&sort=name&page=2"
        );
    }
}
