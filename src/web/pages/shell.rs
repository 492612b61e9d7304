//! What all pages have around their content: head, header, language switcher, footer.

use std::borrow::Cow;
use std::fmt;

use askama::filters::HtmlSafe;

use super::assets::{StaticLinks, static_links};
use super::json_ld::JsonLd;
use super::links::{Href, Location};
use super::query::CatalogQuery;
use crate::config::{AppLinkTemplate, WebUrl};
use crate::domain::LocaleTag;
use crate::i18n::{MessageId, SiteLocale};

/// What a page must know of the site and of the request.
#[derive(Debug, Clone, Copy)]
pub struct SiteContext<'a> {
    /// The language, from the path.
    pub locale: SiteLocale,
    /// Where the site is reached, from the configuration (never from `Host`): `https://roles.agotalk.com`.
    pub public_origin: &'a str,
    /// The operator's link into the app; without one there is no such button.
    pub app_link: Option<&'a AppLinkTemplate>,
    /// Where a visitor gets the app.
    pub get_app: Option<&'a WebUrl>,
    /// Whom to write to, as text.
    pub contact: Option<&'a str>,
}

/// The part of a template's context that `base.html` reads.
pub(super) struct Shell {
    pub(super) locale: SiteLocale,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) files: StaticLinks,
    pub(super) home: Href,
    /// Absent on pages that no search engine should keep.
    pub(super) index: Option<Index>,
    pub(super) languages: Vec<LanguageLink>,
    pub(super) social: Option<SocialPicture>,
    pub(super) json_ld: Option<JsonLd>,
    pub(super) get_app: Option<Href>,
    pub(super) contact: Option<String>,
    /// Whether the header has the search box (the catalog has its own).
    pub(super) has_header_search: bool,
}

/// What search engines read.
pub(super) struct Index {
    pub(super) canonical: Href,
    pub(super) alternates: Vec<Alternate>,
    pub(super) default: Href,
    pub(super) other_open_graph_locales: Vec<&'static str>,
}

pub(super) struct Alternate {
    pub(super) tag: &'static str,
    pub(super) href: Href,
}

/// A line of the language switcher.
pub(super) struct LanguageLink {
    pub(super) tag: &'static str,
    pub(super) name: &'static str,
    pub(super) href: Href,
    pub(super) is_current: bool,
}

/// The picture that a shared link shows.
pub(super) struct SocialPicture {
    pub(super) href: Href,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Whether it is a wide picture rather than an avatar.
    pub(super) is_wide: bool,
}

impl Shell {
    /// A page that stands at `location` in every language the location exists in.
    pub(super) fn at(site: &SiteContext<'_>, location: Location<'_>, title: String, description: String) -> Self {
        let absolute = |href: Href| href.on(site.public_origin);
        let index = Index {
            canonical: absolute(location.href(site.locale)),
            alternates: location
                .locales()
                .map(|locale| Alternate { tag: locale.tag(), href: absolute(location.href(locale)) })
                .collect(),
            default: absolute(location.default_href()),
            other_open_graph_locales: location
                .locales()
                .filter(|locale| *locale != site.locale)
                .map(SiteLocale::open_graph)
                .collect(),
        };
        Self { index: Some(index), ..Self::without_location(site, location, title, description) }
    }

    /// A page that search engines should not keep; its language switcher leads to `elsewhere`.
    pub(super) fn without_location(
        site: &SiteContext<'_>,
        elsewhere: Location<'_>,
        title: String,
        description: String,
    ) -> Self {
        let language = |locale: SiteLocale| LanguageLink {
            tag: locale.tag(),
            name: locale.native_name(),
            href: elsewhere.href(locale),
            is_current: locale == site.locale,
        };
        Self {
            locale: site.locale,
            title,
            description,
            files: static_links(),
            home: Location::Catalog(&CatalogQuery::default()).href(site.locale),
            index: None,
            languages: elsewhere.locales().map(language).collect(),
            social: None,
            json_ld: None,
            get_app: site.get_app.map(Href::external),
            contact: site.contact.map(str::to_owned),
            has_header_search: true,
        }
    }

    /// A message, for templates.
    pub(super) fn t(&self, id: &MessageId) -> Cow<'static, str> {
        self.locale.text(id)
    }
}

/// The attributes of an element that holds a stranger's text: its language, and its direction from its own letters.
///
/// The language is empty, which HTML reads as "unknown", when nothing says what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextLanguage(Option<LocaleTag>);

impl TextLanguage {
    pub(super) fn new(tag: Option<&LocaleTag>) -> Self {
        Self(tag.cloned())
    }
}

// A language tag is ASCII letters, digits and hyphens.
impl HtmlSafe for TextLanguage {}

impl fmt::Display for TextLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " lang=\"{}\" dir=\"auto\"", self.0.as_ref().map_or("", LocaleTag::as_str))
    }
}
