//! The catalog: search box, tabs, order, cards, paging.

use askama::Template;

use super::RenderError;
use super::links::{Href, Location};
use super::pattern::Pattern;
use super::pictures::{Avatar, Picture, avatar, cover};
use super::query::{CatalogQuery, KindTab, SortOrder};
use super::shell::{Shell, SiteContext, TextLanguage};
use crate::catalog::RoleRecord;
use crate::domain::{AvatarSize, Kind, LocaleTag};
use crate::i18n::{SiteLocale, native_language_name, pick_text};

/// One page of the catalog, `/{locale}/`.
#[derive(Debug, Clone)]
pub struct CatalogPage<'a> {
    /// The site and the request's language.
    pub site: SiteContext<'a>,
    /// What was asked for.
    pub query: &'a CatalogQuery,
    /// The roles of this page.
    pub roles: &'a [RoleRecord],
    /// How many roles fit the query on all pages.
    pub total: u64,
    /// How many roles a page holds.
    pub page_size: u32,
}

#[derive(Template)]
#[template(path = "catalog.html")]
struct CatalogTemplate {
    page: Shell,
    q: String,
    kind: Option<KindTab>,
    sort: Option<SortOrder>,
    count: String,
    /// The plain catalog's first page introduces itself; others go straight to what was asked for.
    is_front: bool,
    is_narrowed: bool,
    tabs: Vec<Choice>,
    orders: Vec<Choice>,
    cards: Vec<Card>,
    paging: Option<Paging>,
    everything: Href,
}

/// A link of which one is the present state.
struct Choice {
    label: String,
    href: Href,
    is_current: bool,
}

struct Card {
    href: Href,
    title: String,
    summary: String,
    language: TextLanguage,
    kind: String,
    cover: Option<Picture>,
    pattern: Option<Pattern>,
    avatar: Avatar,
    /// The first cards are seen at once.
    is_eager: bool,
    /// The very first is the largest thing that a phone shows.
    is_first: bool,
    languages: Vec<LanguageChip>,
    more_languages: Option<String>,
    version: String,
    publisher: String,
    downloads: Option<String>,
}

struct LanguageChip {
    tag: String,
    name: String,
}

struct Paging {
    previous: Option<Href>,
    next: Option<Href>,
    pages: Vec<PageLink>,
}

/// A page's number; `None` stands for pages that are left out.
struct PageLink {
    choice: Option<Choice>,
}

/// Cards that a desktop shows without scrolling; their pictures are loaded first.
const EAGER_CARDS: usize = 3;
const SHOWN_LANGUAGES: usize = 3;

impl CatalogPage<'_> {
    /// The page as HTML.
    ///
    /// # Errors
    /// [`RenderError`], which nothing in the data can cause.
    pub fn render(&self) -> Result<String, RenderError> {
        let locale = self.site.locale;
        let location = Location::Catalog(self.query);
        let title = match self.query.q.as_str() {
            "" => locale.text("catalog-title").into_owned(),
            q => locale.text_with("catalog-title-search", [("q", q.into())]),
        };
        let description = locale.text("catalog-description").into_owned();
        // A search's result is of use to the one who asked, not to a search engine.
        let page = if self.query.q.is_empty() {
            Shell::at(&self.site, location, title, description)
        } else {
            Shell::without_location(&self.site, location, title, description)
        };
        CatalogTemplate {
            page: Shell { has_header_search: false, ..page },
            q: self.query.q.clone(),
            kind: self.query.kind,
            sort: self.query.sort,
            count: locale.count(if self.query.q.is_empty() { "catalog-count" } else { "catalog-results" }, self.total),
            is_front: *self.query == CatalogQuery::default(),
            is_narrowed: self.query.is_narrowed() || self.query.page > 1,
            tabs: self.tabs(),
            orders: self.orders(),
            cards: self.roles.iter().enumerate().map(|(place, role)| card(locale, role, place)).collect(),
            paging: self.paging(),
            everything: Location::Catalog(&CatalogQuery::default()).href(locale),
        }
        .render()
    }

    fn choice(&self, label: String, query: &CatalogQuery, is_current: bool) -> Choice {
        Choice { label, href: Location::Catalog(query).href(self.site.locale), is_current }
    }

    fn tabs(&self) -> Vec<Choice> {
        [(None, "tab-all"), (Some(KindTab::Role), "tab-roles"), (Some(KindTab::Application), "tab-applications")]
            .into_iter()
            .map(|(kind, label)| {
                let query = CatalogQuery { kind, page: 1, ..self.query.clone() };
                self.choice(self.site.locale.text(label).into_owned(), &query, kind == self.query.kind)
            })
            .collect()
    }

    fn orders(&self) -> Vec<Choice> {
        let default = CatalogQuery { sort: None, ..self.query.clone() }.effective_sort();
        [
            (SortOrder::Relevance, "sort-relevance"),
            (SortOrder::Updated, "sort-updated"),
            (SortOrder::New, "sort-new"),
            (SortOrder::Name, "sort-name"),
            (SortOrder::Downloads, "sort-downloads"),
        ]
        .into_iter()
        .filter(|(order, _)| *order != SortOrder::Relevance || !self.query.q.is_empty())
        .map(|(order, label)| {
            let sort = (order != default).then_some(order);
            let query = CatalogQuery { sort, page: 1, ..self.query.clone() };
            self.choice(self.site.locale.text(label).into_owned(), &query, order == self.query.effective_sort())
        })
        .collect()
    }

    fn paging(&self) -> Option<Paging> {
        let last = u32::try_from(self.total.div_ceil(u64::from(self.page_size.max(1)))).unwrap_or(u32::MAX);
        if last <= 1 {
            return None;
        }
        let current = self.query.page;
        let query = |page| CatalogQuery { page, ..self.query.clone() };
        let href = |page| Location::Catalog(&query(page)).href(self.site.locale);
        let pages = shown_pages(current, last)
            .into_iter()
            .map(|page| PageLink {
                choice: page
                    .map(|page| self.choice(self.site.locale.number(page.into()), &query(page), page == current)),
            })
            .collect();
        Some(Paging {
            previous: (current > 1).then(|| href(current.min(last.saturating_add(1)) - 1)),
            next: (current < last).then(|| href(current + 1)),
            pages,
        })
    }
}

/// The first, the last and the neighbours of the current page; `None` where some are left out.
fn shown_pages(current: u32, last: u32) -> Vec<Option<u32>> {
    let mut shown: Vec<Option<u32>> = Vec::new();
    let neighbours = current.saturating_sub(1)..=current.saturating_add(1);
    let mut numbers: Vec<u32> =
        [1, last].into_iter().chain(neighbours.filter(|page| (1..=last).contains(page))).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut before = 0;
    for number in numbers {
        match number - before {
            1 => {}
            2 => shown.push(Some(number - 1)),
            _ => shown.push(None),
        }
        shown.push(Some(number));
        before = number;
    }
    shown
}

fn card(locale: SiteLocale, role: &RoleRecord, place: usize) -> Card {
    let shown = pick_text(&locale.to_locale_tag(), &role.text, &role.i18n);
    let cover = cover(role);
    let more = role.i18n.len().saturating_sub(SHOWN_LANGUAGES);
    Card {
        href: Location::Role(&role.role_id).href(locale),
        title: shown.text.title.to_string(),
        summary: shown.text.summary.to_string(),
        language: TextLanguage::new(shown.locale),
        kind: locale.text(kind_message(&role.kind)).into_owned(),
        pattern: cover.is_none().then(|| Pattern::card(&role.role_id)),
        cover,
        avatar: avatar(role, AvatarSize::Px64),
        is_eager: place < EAGER_CARDS,
        is_first: place == 0,
        languages: role.i18n.iter().take(SHOWN_LANGUAGES).map(|(tag, _)| chip(tag)).collect(),
        more_languages: (more > 0).then(|| locale.number(u64::try_from(more).unwrap_or(u64::MAX))),
        version: role.version.to_string(),
        publisher: role.publisher.clone(),
        downloads: (role.downloads > 0).then(|| locale.count("card-downloads", role.downloads)),
    }
}

fn chip(tag: &LocaleTag) -> LanguageChip {
    let name = native_language_name(tag).map_or_else(|| tag.to_string(), str::to_owned);
    LanguageChip { tag: tag.to_string(), name }
}

/// The message that names a kind.
pub(super) const fn kind_message(kind: &Kind) -> &'static str {
    match kind {
        Kind::Role => "kind-role",
        Kind::Application(_) => "kind-application",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_pages_are_left_out_and_a_gap_of_one_is_filled() {
        let text = |current, last| {
            shown_pages(current, last)
                .iter()
                .map(|page| page.map_or_else(|| "…".to_owned(), |page| page.to_string()))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(text(1, 2), "1 2");
        assert_eq!(text(1, 9), "1 2 … 9");
        assert_eq!(text(5, 9), "1 … 4 5 6 … 9");
        assert_eq!(text(3, 9), "1 2 3 4 … 9");
        assert_eq!(text(4, 9), "1 2 3 4 5 … 9");
        assert_eq!(text(9, 9), "1 … 8 9");
        assert_eq!(text(40, 3), "1 2 3");
        assert_eq!(text(u32::MAX, 3), "1 2 3");
    }
}
