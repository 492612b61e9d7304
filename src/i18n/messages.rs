//! The site's messages: Fluent files, embedded.

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use super::SiteLocale;

/// The name of a message, `role-download`, or of one of its attributes, `NOT_FOUND.fix`.
pub type MessageId = str;

/// A value for a message's variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A number that chooses the plural form. Show it by passing [`SiteLocale::number`]'s text beside it.
    Count(u64),
    /// A text that is inserted as it is.
    Text(String),
}

impl From<u64> for Argument {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: LazyLock<Vec<Bundle>> = LazyLock::new(|| SiteLocale::all().map(bundle).collect());

/// The files of a language; the docs stand in their own.
const fn sources(locale: SiteLocale) -> [&'static str; 2] {
    match locale {
        SiteLocale::En => [include_str!("../../locales/en.ftl"), include_str!("../../locales/docs/en.ftl")],
        SiteLocale::ZhCn => [include_str!("../../locales/zh-CN.ftl"), include_str!("../../locales/docs/zh-CN.ftl")],
    }
}

fn bundle(locale: SiteLocale) -> Bundle {
    let language: LanguageIdentifier = locale.tag().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![language]);
    // Isolation marks are bidi controls, which these pages never hold; templates use <bdi> instead.
    bundle.set_use_isolating(false);
    for source in sources(locale) {
        // A faulty entry is left out and read in English; a test allows none.
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

impl SiteLocale {
    /// The message in this language, in English when it is missing; never an error.
    #[must_use]
    pub fn text(self, id: &MessageId) -> Cow<'static, str> {
        self.format(id, None)
    }

    /// The message with its variables filled in.
    #[must_use]
    pub fn text_with<const N: usize>(self, id: &MessageId, arguments: [(&'static str, Argument); N]) -> String {
        let mut args = FluentArgs::with_capacity(N);
        for (name, value) in arguments {
            match value {
                Argument::Count(count) => args.set(name, FluentValue::from(count)),
                Argument::Text(text) => args.set(name, FluentValue::from(text)),
            }
        }
        self.format(id, Some(&args)).into_owned()
    }

    /// A count in words: the message gets `$count` for its plural form and `$n` to show.
    #[must_use]
    pub fn count(self, id: &MessageId, count: u64) -> String {
        self.text_with(id, [("count", count.into()), ("n", self.number(count).into())])
    }

    fn format(self, id: &MessageId, args: Option<&FluentArgs<'_>>) -> Cow<'static, str> {
        let own = BUNDLES.get(self.index()).and_then(|bundle| format_in(bundle, id, args));
        let english = || BUNDLES.get(Self::DEFAULT.index()).and_then(|bundle| format_in(bundle, id, args));
        let text = own.or_else(english);
        assert!(text.is_some() || !cfg!(test), "no message is called {id}");
        text.unwrap_or_default()
    }

    /// Whether this language itself has the message.
    #[cfg(test)]
    fn has(self, id: &MessageId) -> bool {
        format_in(&BUNDLES[self.index()], id, None).is_some()
    }
}

fn format_in(bundle: &'static Bundle, id: &MessageId, args: Option<&FluentArgs<'_>>) -> Option<Cow<'static, str>> {
    let (id, attribute) = match id.split_once('.') {
        Some((id, attribute)) => (id, Some(attribute)),
        None => (id, None),
    };
    let message = bundle.get_message(id)?;
    let pattern = match attribute {
        Some(attribute) => message.get_attribute(attribute)?.value(),
        None => message.value()?,
    };
    // Faults of formatting leave a readable text behind and are of no use to a visitor.
    let text = bundle.format_pattern(pattern, args, &mut Vec::new()).into_owned();
    Some(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::Path;

    use crate::domain::Code;
    use strum::IntoEnumIterator as _;

    /// Message and attribute names of a Fluent source with the variables that each uses.
    fn outline(source: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut outline: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut message = String::new();
        let mut current = String::new();
        for line in source.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =") {
                if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    name.clone_into(&mut message);
                    current.clone_from(&message);
                } else if let Some(attribute) = name.trim().strip_prefix('.') {
                    current = format!("{message}.{attribute}");
                }
            }
            let variables = outline.entry(current.clone()).or_default();
            for part in line.split('$').skip(1) {
                variables.insert(part.chars().take_while(char::is_ascii_alphanumeric).collect());
            }
        }
        outline.remove("");
        outline
    }

    fn whole_outline(locale: SiteLocale) -> BTreeMap<String, BTreeSet<String>> {
        sources(locale).iter().flat_map(|source| outline(source)).collect()
    }

    #[test]
    fn every_file_is_without_syntax_errors() {
        for locale in SiteLocale::all() {
            for source in sources(locale) {
                if let Err((_, errors)) = FluentResource::try_new(source.to_owned()) {
                    panic!("{locale}: {errors:?}");
                }
            }
        }
    }

    #[test]
    fn every_language_has_every_message_with_the_same_variables() {
        let english = whole_outline(SiteLocale::En);
        assert!(english.len() > 100, "the outline reads the files");
        for locale in SiteLocale::all() {
            assert_eq!(whole_outline(locale), english, "{locale}");
            for id in english.keys() {
                assert!(locale.has(id), "{locale} lacks {id}");
            }
        }
    }

    #[test]
    fn every_code_has_a_title_a_reason_and_a_way_to_mend_it() {
        for code in Code::iter() {
            for id in [code.to_string(), format!("{code}.why"), format!("{code}.fix")] {
                assert!(SiteLocale::En.has(&id), "{id}");
            }
        }
    }

    /// Every quoted text that looks like a message's name, in templates and in the modules that fill them.
    fn used_ids() -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut ids = BTreeSet::new();
        for folder in ["templates", "src/web/pages", "src/i18n"] {
            for entry in fs::read_dir(root.join(folder)).unwrap() {
                let text = fs::read_to_string(entry.unwrap().path()).unwrap();
                ids.extend(text.split('"').filter(|part| is_id(part)).map(str::to_owned));
            }
        }
        ids
    }

    fn is_id(text: &str) -> bool {
        text.split('-').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase()))
    }

    #[test]
    fn templates_ask_only_for_messages_that_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        let english = whole_outline(SiteLocale::En);
        let mut asked = 0;
        for entry in fs::read_dir(root).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            for call in text.split(".t(\"").skip(1) {
                let id = call.split('"').next().unwrap();
                assert!(english.contains_key(id), "{}: {id}", path.display());
                asked += 1;
            }
        }
        assert!(asked > 20, "the templates are read");
    }

    #[test]
    fn every_message_is_used() {
        let used = used_ids();
        let codes: BTreeSet<String> = Code::iter().map(|code| code.to_string()).collect();
        for id in whole_outline(SiteLocale::En).keys() {
            let message = id.split('.').next().unwrap();
            assert!(used.contains(message) || codes.contains(message), "{id} is never shown");
        }
    }

    #[test]
    fn no_message_holds_an_invisible_mark() {
        for locale in SiteLocale::all() {
            for source in sources(locale) {
                let odd = source
                    .chars()
                    .find(|c| matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'));
                assert_eq!(odd, None, "{locale}");
            }
        }
    }

    #[test]
    fn counts_follow_the_language() {
        assert_eq!(SiteLocale::En.count("catalog-count", 1), "1 role");
        assert_eq!(SiteLocale::En.count("catalog-count", 1204), "1,204 roles");
        assert_eq!(SiteLocale::ZhCn.count("catalog-count", 1204), "1,204 个角色");
    }

    #[test]
    #[should_panic(expected = "no message is called no-such-message")]
    fn tests_notice_a_message_that_does_not_exist() {
        let _ = SiteLocale::ZhCn.text("no-such-message");
    }
}
