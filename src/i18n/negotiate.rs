//! `Accept-Language` (RFC 9110 § 12.5.4): which language the site root sends a browser to.

use super::SiteLocale;
use super::likely::{maximized, same_language_and_script};
use crate::domain::LocaleTag;

/// Browsers send about ten; what follows these is not read, so the work is bounded.
const MAX_ENTRIES: usize = 32;

/// The site's language that fits the header best; [`SiteLocale::DEFAULT`] when none does.
///
/// The reader's order by weight decides. For each wish: the exact language, else one that is written alike (`zh-Hans-SG`
/// is served `zh-CN`), else the same language in another script, which is nearer than English. A weight of 0 refuses;
/// entries that are not well-formed count for nothing.
#[must_use]
pub fn negotiate(accept_language: &str) -> SiteLocale {
    let entries: Vec<(&str, u16)> = accept_language.split(',').take(MAX_ENTRIES).filter_map(parse_entry).collect();
    let refused = |locale: SiteLocale| {
        entries.iter().any(|(range, weight)| *weight == 0 && covers(range, locale))
            && !entries.iter().any(|(range, weight)| *weight > 0 && range.eq_ignore_ascii_case(locale.tag()))
    };
    let offered: Vec<SiteLocale> = SiteLocale::all().filter(|locale| !refused(*locale)).collect();

    let mut wishes: Vec<(&str, u16)> = entries.iter().filter(|(_, weight)| *weight > 0).copied().collect();
    wishes.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    wishes.into_iter().find_map(|(range, _)| best(range, &offered)).unwrap_or(SiteLocale::DEFAULT)
}

/// `zh-CN;q=0.9` as the range and its weight in thousandths.
fn parse_entry(entry: &str) -> Option<(&str, u16)> {
    let mut parts = entry.split(';').map(str::trim);
    let range = parts.next().filter(|range| !range.is_empty())?;
    let weight = match parts.next() {
        None => 1000,
        Some(parameter) => parse_weight(parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="))?)?,
    };
    parts.next().is_none().then_some((range, weight))
}

/// `0`, `0.8`, `1.000`: at most three decimals, never above one.
fn parse_weight(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if !matches!(whole, "0" | "1") || decimals.len() > 3 || !decimals.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let thousandths: u16 = format!("{decimals:0<3}").parse().ok()?;
    let weight = if whole == "1" { 1000 + thousandths } else { thousandths };
    (weight <= 1000).then_some(weight)
}

/// Whether a range names the language, as a whole or by a prefix of its subtags.
fn covers(range: &str, locale: SiteLocale) -> bool {
    let tag = locale.tag();
    range == "*"
        || range.eq_ignore_ascii_case(tag)
        || (tag.get(..range.len()).is_some_and(|prefix| prefix.eq_ignore_ascii_case(range))
            && tag.as_bytes().get(range.len()) == Some(&b'-'))
}

fn best(range: &str, offered: &[SiteLocale]) -> Option<SiteLocale> {
    if range == "*" {
        return offered.first().copied();
    }
    let wanted = LocaleTag::recognize(range).ok()?;
    let full = maximized(&wanted);
    let find = |fits: &dyn Fn(&LocaleTag) -> bool| offered.iter().copied().find(|locale| fits(&locale.to_locale_tag()));
    find(&|tag| *tag == wanted)
        .or_else(|| find(&|tag| same_language_and_script(&maximized(tag), &full)))
        .or_else(|| find(&|tag| tag.language() == wanted.language()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_heaviest_language_that_is_offered_wins() {
        for (header, expected) in [
            ("en;q=0.1, zh-CN;q=0.9", SiteLocale::ZhCn),
            ("fr;q=0, en;q=0.5", SiteLocale::En),
            ("zh", SiteLocale::ZhCn),
            ("zh-Hans-SG", SiteLocale::ZhCn),
            ("EN-us", SiteLocale::En),
            ("ZH-cn", SiteLocale::ZhCn),
            ("zh-CN, en", SiteLocale::ZhCn),
            ("xx, zh;q=0.2", SiteLocale::ZhCn),
            ("xx, zh;q=0.2, en;q=0.3", SiteLocale::En),
        ] {
            assert_eq!(negotiate(header), expected, "{header}");
        }
    }

    #[test]
    fn a_reader_of_traditional_chinese_gets_the_nearest_there_is() {
        for header in ["zh-HK", "zh-Hant", "zh-TW,en;q=0.5"] {
            assert_eq!(negotiate(header), SiteLocale::ZhCn, "{header}");
        }
    }

    #[test]
    fn a_weight_of_zero_refuses() {
        assert_eq!(negotiate("zh;q=0, zh-HK"), SiteLocale::DEFAULT);
        assert_eq!(negotiate("en;q=0, *"), SiteLocale::ZhCn);
        assert_eq!(negotiate("*;q=0, zh-CN;q=0.1"), SiteLocale::ZhCn);
        assert_eq!(negotiate("*;q=0"), SiteLocale::DEFAULT);
    }

    #[test]
    fn anything_else_is_the_default() {
        let long = "en,".repeat(8000);
        for header in ["", "*", "tlh", ";;q=abc,,", "zh;q=1.5", "zh;q=", "zh;q=0.12345", "zh;q=nan", "中文", &long] {
            assert_eq!(negotiate(header), SiteLocale::DEFAULT, "{}", header.get(..20).unwrap_or(header));
        }
    }

    proptest! {
        #[test]
        fn any_header_is_answered(header in "(\\PC{0,12}[,;=q*. ]{0,3}){0,40}") {
            let _ = negotiate(&header);
        }
    }
}
