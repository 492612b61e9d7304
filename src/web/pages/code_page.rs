//! The page that explains a code, `/docs/errors/{CODE}`.

use askama::Template;

use super::RenderError;
use super::links::Location;
use super::shell::{Shell, SiteContext};
use crate::domain::Code;

/// What a code means and how to mend its cause.
#[derive(Debug, Clone)]
pub struct CodePage<'a> {
    /// The site and the request's language.
    pub site: SiteContext<'a>,
    /// The code.
    pub code: Code,
}

#[derive(Template)]
#[template(path = "code.html")]
struct CodeTemplate {
    page: Shell,
    code: &'static str,
    title: String,
    why: String,
    fix: String,
}

impl CodePage<'_> {
    /// The page as HTML.
    ///
    /// # Errors
    /// [`RenderError`], which nothing in the data can cause.
    pub fn render(&self) -> Result<String, RenderError> {
        let locale = self.site.locale;
        let code = self.code.as_str();
        let title = locale.text(code).into_owned();
        let why = locale.text(&format!("{code}.why")).into_owned();
        let page = Shell::at(&self.site, Location::Code(self.code), format!("{code}: {title}"), why.clone());
        CodeTemplate { page, code, title, why, fix: locale.text(&format!("{code}.fix")).into_owned() }.render()
    }
}
