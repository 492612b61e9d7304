//! The languages of the site's own pages.

use std::fmt;
use std::sync::LazyLock;

use strum::VariantArray;

use crate::domain::LocaleTag;

/// A language that the site's pages are written in.
///
/// To add one: a variant, its line in `facts` and a file in `locales/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, VariantArray)]
pub enum SiteLocale {
    /// English: the default, and the language of URLs without a prefix.
    En,
    /// Chinese, simplified.
    ZhCn,
}

/// Which way a language is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Left to right.
    Ltr,
    /// Right to left.
    Rtl,
}

/// The first segment of a path, read as a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathLocale {
    /// The tag in its canonical spelling.
    Exact(SiteLocale),
    /// The tag in another case: redirect permanently to the canonical spelling.
    OtherCase(SiteLocale),
}

/// The tags of all languages, read once, by [`SiteLocale::index`].
#[expect(clippy::expect_used, reason = "the tags are constants of this file, and a test reads each of them")]
static TAGS: LazyLock<Vec<LocaleTag>> = LazyLock::new(|| {
    SiteLocale::all().map(|locale| LocaleTag::parse(locale.tag()).expect("a canonical tag")).collect()
});

struct Facts {
    tag: &'static str,
    native_name: &'static str,
    direction: Direction,
    open_graph: &'static str,
}

impl SiteLocale {
    /// What pages are in when nothing else is known; the language of the unprefixed URLs.
    pub const DEFAULT: Self = Self::En;

    const fn facts(self) -> Facts {
        use Direction::Ltr;
        let (tag, native_name, direction, open_graph) = match self {
            Self::En => ("en", "English", Ltr, "en_US"),
            Self::ZhCn => ("zh-CN", "简体中文", Ltr, "zh_CN"),
        };
        Facts { tag, native_name, direction, open_graph }
    }

    /// Every language, in the order in which the language switcher shows them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::VARIANTS.iter().copied()
    }

    /// The BCP 47 tag: the path segment, `lang` and `hreflang`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        self.facts().tag
    }

    /// The language's name in itself.
    #[must_use]
    pub const fn native_name(self) -> &'static str {
        self.facts().native_name
    }

    /// Which way it is written.
    #[must_use]
    pub const fn direction(self) -> Direction {
        self.facts().direction
    }

    /// The value of `og:locale`.
    #[must_use]
    pub const fn open_graph(self) -> &'static str {
        self.facts().open_graph
    }

    /// Whether the docs (error codes and the like) are written in it; elsewhere they are in English.
    #[must_use]
    pub const fn has_docs(self) -> bool {
        matches!(self, Self::En | Self::ZhCn)
    }

    /// Reads the first segment of a path; `None` when it names no language of the site, so that the page is a 404.
    #[must_use]
    pub fn from_path_segment(segment: &str) -> Option<PathLocale> {
        let locale = Self::all().find(|locale| locale.tag().eq_ignore_ascii_case(segment))?;
        Some(if locale.tag() == segment { PathLocale::Exact(locale) } else { PathLocale::OtherCase(locale) })
    }

    /// The language as a tag that role texts are chosen by.
    #[must_use]
    pub fn to_locale_tag(self) -> LocaleTag {
        TAGS[self.index()].clone()
    }

    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for SiteLocale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

impl Direction {
    /// `ltr` or `rtl`, as HTML writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ltr => "ltr",
            Self::Rtl => "rtl",
        }
    }
}

/// What a language calls itself; `None` for one that has no place in this short list.
///
/// Roles are translated into more languages than the site is, so the list is longer than [`SiteLocale`].
#[must_use]
pub fn native_language_name(tag: &LocaleTag) -> Option<&'static str> {
    Some(match (tag.language(), tag.as_str()) {
        ("zh", "zh-TW" | "zh-Hant" | "zh-Hant-TW") => "繁體中文",
        ("zh", "zh-HK" | "zh-Hant-HK") => "繁體中文（香港）",
        ("zh", "zh" | "zh-CN" | "zh-Hans" | "zh-Hans-CN" | "zh-SG") => "简体中文",
        ("pt", "pt-BR") => "Português (Brasil)",
        ("pt", _) => "Português",
        ("en", _) => "English",
        ("ja", _) => "日本語",
        ("ko", _) => "한국어",
        ("es", _) => "Español",
        ("fr", _) => "Français",
        ("de", _) => "Deutsch",
        ("ar", _) => "العربية",
        ("it", _) => "Italiano",
        ("nl", _) => "Nederlands",
        ("ru", _) => "Русский",
        ("uk", _) => "Українська",
        ("pl", _) => "Polski",
        ("cs", _) => "Čeština",
        ("sv", _) => "Svenska",
        ("tr", _) => "Türkçe",
        ("el", _) => "Ελληνικά",
        ("he", _) => "עברית",
        ("fa", _) => "فارسی",
        ("hi", _) => "हिन्दी",
        ("th", _) => "ไทย",
        ("vi", _) => "Tiếng Việt",
        ("id", _) => "Bahasa Indonesia",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_segment_is_a_language_in_exactly_one_spelling() {
        for locale in SiteLocale::all() {
            assert_eq!(SiteLocale::from_path_segment(locale.tag()), Some(PathLocale::Exact(locale)));
            assert_eq!(locale.to_locale_tag().as_str(), locale.tag());
        }
        for (segment, locale) in [("EN", SiteLocale::En), ("zh-cn", SiteLocale::ZhCn), ("ZH-CN", SiteLocale::ZhCn)] {
            assert_eq!(SiteLocale::from_path_segment(segment), Some(PathLocale::OtherCase(locale)));
        }
        for other in ["", "zh", "zh_CN", "en-US", "xx", "roles", "zh-CN "] {
            assert_eq!(SiteLocale::from_path_segment(other), None, "{other:?}");
        }
    }

    #[test]
    fn the_site_calls_its_languages_as_roles_do() {
        for locale in SiteLocale::all() {
            assert_eq!(native_language_name(&locale.to_locale_tag()), Some(locale.native_name()));
        }
    }
}
