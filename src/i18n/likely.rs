//! Likely subtags: which script and region a short tag means (`zh-HK` is written in `Hant`).

use icu_locale::LocaleExpander;
use icu_locale_core::LanguageIdentifier;

use crate::domain::LocaleTag;

/// The tag with its likely script and region filled in, as CLDR has them; as it is, when CLDR knows nothing.
pub(super) fn maximized(tag: &LocaleTag) -> LanguageIdentifier {
    let mut id: LanguageIdentifier = tag.as_str().parse().unwrap_or(LanguageIdentifier::UNKNOWN);
    LocaleExpander::new_extended().maximize(&mut id);
    id
}

/// Whether a reader of one can read the other: same language, same script.
pub(super) fn same_language_and_script(a: &LanguageIdentifier, b: &LanguageIdentifier) -> bool {
    a.language == b.language && a.script == b.script
}
