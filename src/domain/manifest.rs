//! What a role says about itself: the parsed `agotalk.role.toml`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{AppVersion, LocaleTag, PackagePath, RoleId, RoleVersion};

/// A manifest that satisfies every rule of its kind; relative paths in it name regular files of the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The role's identity.
    pub id: RoleId,
    /// The version that this package is.
    pub version: RoleVersion,
    /// Title and summary in the role's primary language.
    pub text: LocalizedText,
    /// Talks, or opens a page.
    pub kind: Kind,
    /// The oldest app that can run it, when the manifest says so.
    pub min_app_version: Option<AppVersion>,
    /// What is shown before installing.
    pub preview: Preview,
    /// Whether the role keeps a user's progress.
    pub remembers_progress: bool,
    /// Whether Agotalk installs a Python environment for it.
    pub dependency_mode: DependencyMode,
    /// Title and summary in other languages, in the manifest's order.
    pub i18n: Vec<(LocaleTag, LocalizedText)>,
}

/// A title and a summary in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalizedText {
    /// At most 120 characters.
    pub title: DisplayText,
    /// At most 500 characters.
    pub summary: DisplayText,
}

/// A text that is safe to show on one line: not empty, trimmed, without control or bidi control characters (rule M07).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DisplayText(String);

/// Why a text is not a [`DisplayText`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDisplayText {
    /// Empty, or white space at an end.
    #[error("must be a non-empty trimmed string")]
    EmptyOrUntrimmed,
    /// A character that would break the line or turn the text around.
    #[error("must not contain the control character U+{:04X}", u32::from(*.0))]
    Control(char),
    /// Over the limit of its field.
    #[error("must have at most {0} characters")]
    TooLong(usize),
}

impl DisplayText {
    /// The longest title, in characters.
    pub const MAX_TITLE: usize = 120;
    /// The longest summary, in characters.
    pub const MAX_SUMMARY: usize = 500;

    /// Parses a text of at most `max` characters. U+2028 and U+2029 become spaces, which go where they stand at an end.
    ///
    /// # Errors
    /// [`InvalidDisplayText`], the first that applies.
    pub fn parse(text: &str, max: usize) -> Result<Self, InvalidDisplayText> {
        let is_separator = |c| matches!(c, '\u{2028}' | '\u{2029}');
        let is_blank = |c: char| c.is_whitespace() && !is_separator(c);
        let shown = text.replace(is_separator, " ");
        let shown = shown.trim();
        if shown.is_empty() || text.starts_with(is_blank) || text.ends_with(is_blank) {
            return Err(InvalidDisplayText::EmptyOrUntrimmed);
        }
        let is_bidi = |c| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        if let Some(control) = text.chars().find(|c| c.is_control() || is_bidi(*c)) {
            return Err(InvalidDisplayText::Control(control));
        }
        if text.chars().count() > max {
            return Err(InvalidDisplayText::TooLong(max));
        }
        Ok(Self(shown.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DisplayText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for DisplayText {
    type Error = InvalidDisplayText;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text, Self::MAX_SUMMARY)
    }
}

impl From<DisplayText> for String {
    fn from(text: DisplayText) -> Self {
        text.0
    }
}

/// What kind of package it is; an application always has its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A conversational role: its behaviour is `role.md`.
    Role,
    /// A browser application with the page that it opens.
    Application(Entry),
}

impl Kind {
    /// `role` or `application`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Application(_) => "application",
        }
    }
}

/// The page that an application opens; its entry kind is `static_browser`, the only one there is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The HTML file.
    pub target: PackagePath,
    /// Whether the browser view shows its address bar.
    pub address_bar: AddressBar,
}

/// Whether the browser view shows its address bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AddressBar {
    /// Shown.
    Visible,
    /// Not shown.
    Hidden,
}

/// The `[preview]` table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// A static HTML page.
    pub intro_html: Option<PackagePath>,
    /// The cover picture.
    pub cover_image: Option<PackagePath>,
    /// Up to three screenshots.
    pub screenshots: Vec<PackagePath>,
}

/// Whether Agotalk installs a Python environment for the role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DependencyMode {
    /// Nothing to install.
    None,
    /// `pyproject.toml` and `uv.lock` at the package root.
    Locked,
}

impl DependencyMode {
    /// `none` or `locked`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Locked => "locked",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_texts_are_one_trimmed_line_without_tricks() {
        let parse = |text: &str| DisplayText::parse(text, 10);
        assert_eq!(parse("a\u{2028}b\u{2029}").unwrap().as_str(), "a b");
        assert_eq!(parse("👩\u{200D}👩").unwrap().as_str(), "👩\u{200D}👩");
        for (bad, fault) in [
            ("", InvalidDisplayText::EmptyOrUntrimmed),
            ("\u{2028}", InvalidDisplayText::EmptyOrUntrimmed),
            (" a", InvalidDisplayText::EmptyOrUntrimmed),
            ("a\nb", InvalidDisplayText::Control('\n')),
            ("a\u{202E}b", InvalidDisplayText::Control('\u{202E}')),
            ("12345678901", InvalidDisplayText::TooLong(10)),
        ] {
            assert_eq!(parse(bad), Err(fault), "{bad:?}");
        }
        assert_eq!(parse("英语对话老师英语对话").unwrap().as_str().chars().count(), 10);
    }
}
