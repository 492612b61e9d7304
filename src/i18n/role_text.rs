//! Which of a role's texts a reader sees.

use super::likely::{maximized, same_language_and_script};
use crate::domain::{LocaleTag, LocalizedText};

/// A role's title and summary as chosen for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownText<'a> {
    /// The chosen text.
    pub text: &'a LocalizedText,
    /// The language it really is in; `None` for a canonical text that no `[i18n]` table repeats.
    pub locale: Option<&'a LocaleTag>,
}

/// Chooses by `api.md`: the exact tag, else the same language in the same script (`zh-HK` reads `zh-TW`, never
/// `zh-CN`), else the canonical text.
#[must_use]
pub fn pick_text<'a>(
    wanted: &LocaleTag,
    canonical: &'a LocalizedText,
    i18n: &'a [(LocaleTag, LocalizedText)],
) -> ShownText<'a> {
    if let Some((tag, text)) = i18n.iter().find(|(tag, _)| tag == wanted).or_else(|| nearest(wanted, i18n)) {
        return ShownText { text, locale: Some(tag) };
    }
    canonical_text(canonical, i18n)
}

/// The canonical text, with the tag of a table that repeats it.
#[must_use]
pub fn canonical_text<'a>(canonical: &'a LocalizedText, i18n: &'a [(LocaleTag, LocalizedText)]) -> ShownText<'a> {
    let locale = i18n.iter().find(|(_, text)| text == canonical).map(|(tag, _)| tag);
    ShownText { text: canonical, locale }
}

/// Among tags that are written alike: the likely region first (`pt` reads `pt-BR`), then a tag without region, then
/// the manifest's order.
fn nearest<'a>(wanted: &LocaleTag, i18n: &'a [(LocaleTag, LocalizedText)]) -> Option<&'a (LocaleTag, LocalizedText)> {
    let full = maximized(wanted);
    i18n.iter()
        .filter(|(tag, _)| tag.language() == wanted.language())
        .map(|entry| (entry, maximized(&entry.0)))
        .filter(|(_, other)| same_language_and_script(other, &full))
        .min_by_key(|((tag, _), other)| (other.region != full.region, tag.as_str() != tag.language()))
        .map(|(entry, _)| entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::DisplayText;

    fn text(title: &str) -> LocalizedText {
        let parse = |text| DisplayText::parse(text, DisplayText::MAX_SUMMARY).unwrap();
        LocalizedText { title: parse(title), summary: parse("…") }
    }

    fn tag(tag: &str) -> LocaleTag {
        LocaleTag::parse(tag).unwrap()
    }

    fn tables(tags: &[&str]) -> Vec<(LocaleTag, LocalizedText)> {
        tags.iter().map(|name| (tag(name), text(name))).collect()
    }

    #[track_caller]
    fn assert_shown(wanted: &str, tags: &[&str], expected: Option<&str>) {
        let i18n = tables(tags);
        let canonical = text("canonical");
        let shown = pick_text(&LocaleTag::recognize(wanted).unwrap(), &canonical, &i18n);
        assert_eq!(shown.locale.map(LocaleTag::as_str), expected, "{wanted} of {tags:?}");
        assert_eq!(shown.text.title.as_str(), expected.unwrap_or("canonical"));
    }

    #[test]
    fn the_exact_tag_comes_first() {
        assert_shown("zh-CN", &["ar", "zh-TW", "zh-CN", "ja"], Some("zh-CN"));
        assert_shown("ja", &["ar", "zh-CN", "ja", "de"], Some("ja"));
    }

    #[test]
    fn the_same_language_is_shown_only_in_a_script_that_the_reader_reads() {
        assert_shown("zh-HK", &["zh-CN", "zh-TW"], Some("zh-TW"));
        assert_shown("zh-HK", &["zh-CN"], None);
        assert_shown("zh-Hant", &["zh-CN", "zh-HK"], Some("zh-HK"));
        assert_shown("zh-SG", &["zh-TW", "zh-CN"], Some("zh-CN"));
        assert_shown("zh", &["zh-TW", "zh-CN"], Some("zh-CN"));
        assert_shown("sr-Latn", &["sr"], None);
    }

    #[test]
    fn among_equals_the_likely_region_wins_then_the_plain_language() {
        assert_shown("pt", &["pt-PT", "pt-BR"], Some("pt-BR"));
        assert_shown("es-MX", &["es-ES", "es"], Some("es"));
        assert_shown("de-AT", &["de-CH", "de-LI"], Some("de-CH"));
    }

    #[test]
    fn another_language_is_never_shown_in_its_place() {
        for wanted in ["fr", "en", "xx-YY"] {
            assert_shown(wanted, &["ar", "zh-CN", "ja", "de"], None);
        }
    }

    #[test]
    fn canonical_text_has_the_tag_of_the_table_that_repeats_it() {
        let canonical = text("Hello");
        let i18n = vec![(tag("zh-CN"), text("你好")), (tag("en"), text("Hello"))];
        let shown = pick_text(&tag("fr"), &canonical, &i18n);
        assert_eq!((shown.text, shown.locale), (&canonical, Some(&i18n[1].0)));
    }
}
