//! Language tags of a role's texts and of the site's pages.

use std::fmt;
use std::str::FromStr;

use icu_locale_core::Locale;
use serde::{Deserialize, Serialize};

/// A language tag in canonical spelling: language, optional script, optional region (`en`, `zh-CN`, `zh-Hant-TW`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LocaleTag(String);

/// Why a text is not a [`LocaleTag`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLocaleTag {
    /// Not a language tag at all.
    #[error("a language tag looks like \"en\", \"zh-CN\" or \"zh-Hant-TW\"")]
    IllFormed,
    /// A language tag in another spelling than the canonical one, which is given.
    #[error("write the language tag as \"{0}\"")]
    NotCanonical(String),
}

impl LocaleTag {
    /// Parses a tag in canonical spelling (rule M14).
    ///
    /// # Errors
    /// [`InvalidLocaleTag`]; a tag that only differs in case is [`InvalidLocaleTag::NotCanonical`].
    pub fn parse(text: &str) -> Result<Self, InvalidLocaleTag> {
        let canonical = Self::recognize(text)?;
        if canonical.0 == text { Ok(canonical) } else { Err(InvalidLocaleTag::NotCanonical(canonical.0)) }
    }

    /// Reads any well-formed BCP 47 tag and keeps its language, script and region in canonical spelling.
    ///
    /// # Errors
    /// [`InvalidLocaleTag::IllFormed`].
    pub fn recognize(text: &str) -> Result<Self, InvalidLocaleTag> {
        // The longest tag that RFC 5646 § 4.4.1 asks implementations to hold.
        const MAX_LEN: usize = 35;
        if text.len() > MAX_LEN || text.contains('_') {
            return Err(InvalidLocaleTag::IllFormed);
        }
        let locale: Locale = text.parse().map_err(|_| InvalidLocaleTag::IllFormed)?;
        if locale.id.language.is_unknown() || locale.id.language.as_str().len() > 3 {
            return Err(InvalidLocaleTag::IllFormed);
        }
        let mut tag = locale.id.language.to_string();
        for subtag in
            [locale.id.script.map(|s| s.to_string()), locale.id.region.map(|r| r.to_string())].into_iter().flatten()
        {
            tag.push('-');
            tag.push_str(&subtag);
        }
        Ok(Self(tag))
    }

    /// The tag as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The primary language subtag: `zh` of `zh-CN`.
    #[must_use]
    pub fn language(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for LocaleTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for LocaleTag {
    type Err = InvalidLocaleTag;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl TryFrom<String> for LocaleTag {
    type Error = InvalidLocaleTag;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<LocaleTag> for String {
    fn from(tag: LocaleTag) -> Self {
        tag.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_tags_are_canonical() {
        for good in ["en", "zh-CN", "zh-Hant-TW", "es-419", "fil"] {
            assert_eq!(LocaleTag::parse(good).unwrap().as_str(), good);
        }
        for (wrong, right) in [("zh-cn", "zh-CN"), ("EN", "en"), ("zh-hant-tw", "zh-Hant-TW")] {
            assert_eq!(LocaleTag::parse(wrong), Err(InvalidLocaleTag::NotCanonical(right.to_owned())));
        }
        for bad in ["", "e", "zh_CN", "../en", "en/", "english", "zh-", "-zh", "und", "en us", "中文"] {
            assert_eq!(LocaleTag::parse(bad), Err(InvalidLocaleTag::IllFormed), "{bad:?}");
        }
    }

    #[test]
    fn any_well_formed_tag_is_recognized_by_its_language_script_and_region() {
        for (text, tag) in
            [("ZH-hans-sg", "zh-Hans-SG"), ("de-CH-1996", "de-CH"), ("ar-u-nu-latn", "ar"), ("xx-YY", "xx-YY")]
        {
            assert_eq!(LocaleTag::recognize(text).unwrap().as_str(), tag);
        }
    }
}
