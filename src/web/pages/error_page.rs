//! What a visitor sees when a page cannot be shown.

use askama::Template;

use super::RenderError;
use super::links::{Href, Location};
use super::query::CatalogQuery;
use super::shell::{Shell, SiteContext};
use crate::domain::Code;

/// An error as a page. It never repeats the request, so that nothing in a path or a query comes back.
#[derive(Debug, Clone)]
pub struct ErrorPage<'a> {
    /// The site and the request's language.
    pub site: SiteContext<'a>,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong; its title and advice are shown.
    pub code: Code,
    /// A sentence of our own that says more, for example which parameter is wrong. Escaped like everything else.
    pub detail: Option<&'a str>,
    /// What to name when asking for help.
    pub request_id: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorTemplate<'a> {
    page: Shell,
    status: u16,
    code: &'static str,
    title: String,
    detail: Option<&'a str>,
    advice: String,
    request_id: Option<&'a str>,
    explanation: Href,
}

impl ErrorPage<'_> {
    /// The page as HTML.
    ///
    /// # Errors
    /// [`RenderError`], which nothing in the data can cause.
    pub fn render(&self) -> Result<String, RenderError> {
        let locale = self.site.locale;
        let code = self.code.as_str();
        let title = locale.text(code).into_owned();
        let advice = locale.text(&format!("{code}.fix")).into_owned();
        let page = Shell::without_location(
            &self.site,
            Location::Catalog(&CatalogQuery::default()),
            title.clone(),
            advice.clone(),
        );
        ErrorTemplate {
            page,
            status: self.status,
            code,
            title,
            detail: self.detail,
            advice,
            request_id: self.request_id,
            explanation: Location::Code(self.code).href(locale),
        }
        .render()
    }
}
