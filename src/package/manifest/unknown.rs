//! Keys that were meant to be another one (rule W08). Unknown keys are ignored by contract, so a key that is misspelt or
//! in the wrong table does nothing and says nothing: here it is said.

use super::fields::{Fields, warning};
use super::shortened;
use crate::domain::{Code, Rule};
use crate::package::issues::Issues;

/// The known keys by table; `""` is the root.
const KNOWN: [(&str, &[&str]); 5] = [
    (
        "",
        &[
            "schema_version",
            "id",
            "version",
            "title",
            "summary",
            "kind",
            "license",
            "min_app_version",
            "entry",
            "preview",
            "state",
            "environment",
            "i18n",
        ],
    ),
    ("entry", &["kind", "target", "address_bar"]),
    ("preview", &["intro_html", "cover_image", "screenshots"]),
    ("state", &["remembers_progress"]),
    ("environment", &["manager", "dependency_mode"]),
];
const LANGUAGE: &[&str] = &["title", "summary"];
/// Keys that authors write for another one, though they do not look like it.
const ALIASES: [(&str, &str); 3] = [("role_id", "id"), ("role_version", "version"), ("role_title", "title")];

pub(super) fn check(root: &Fields<'_>, issues: &mut Issues) {
    const MAX: usize = 50;
    const MAX_KEYS: usize = 1000;
    let mut left = MAX;
    let mut look = |table: &str, fields: &Fields<'_>, known: &[&str]| {
        for (key, offset) in fields.keys().into_iter().take(MAX_KEYS) {
            if left == 0 {
                return;
            }
            if known.contains(&key) {
                continue;
            }
            if let Some((message, hint)) = advice(table, key, known) {
                left -= 1;
                let issue = warning(Rule::W08, Code::RoleWarnUnknownField, message).about(fields.full_name(key));
                issues.push(fields.at_offset(issue, offset).hint(hint));
            }
        }
    };
    for (table, known) in KNOWN {
        if table.is_empty() {
            look(table, root, known);
        } else {
            look(table, &root.section(table), known);
        }
    }
    let languages = root.section("i18n");
    for (tag, _) in languages.keys().into_iter().take(MAX) {
        look("i18n", &languages.section(tag), LANGUAGE);
    }
}

/// What is probably meant by an unknown key of a table, and how to write it; nothing when it resembles no known key.
fn advice(table: &str, key: &str, known: &[&str]) -> Option<(String, String)> {
    let shown = shortened(key);
    let is_unset = |home: &str| (home == "i18n") == (table == "i18n");
    if let Some(meant) = known.iter().find(|known| is_near(key, known)) {
        return Some((format!("{shown:?} is no key of this table and is ignored"), format!("did you mean {meant:?}?")));
    }
    let home = KNOWN.iter().filter(|(home, _)| *home != table && is_unset(home)).find_map(|(home, keys)| {
        // A near miss of a short name that belongs elsewhere is more likely a key of the author's own.
        keys.iter()
            .find(|known| key == **known || (known.len() > 8 && is_near(key, known)))
            .map(|meant| (*home, *meant))
    });
    let (home, meant) = home?;
    Some(if home.is_empty() {
        let message = format!("{shown:?} is ignored in [{table}]; it belongs to the top level");
        (message, format!("write {meant} = … above the first [table]"))
    } else {
        let place = if table.is_empty() { "at the top level".to_owned() } else { format!("in [{table}]") };
        (format!("{shown:?} is ignored {place}; it belongs to [{home}]"), format!("[{home}]\n{meant} = …"))
    })
}

/// Whether one was probably meant by the other: another spelling of the words, or a slip of one or two letters.
fn is_near(key: &str, known: &str) -> bool {
    const MAX_BYTES: usize = 40;
    if key.len() > MAX_BYTES {
        return false;
    }
    if ALIASES.contains(&(key, known)) || plain(key) == plain(known) {
        return true;
    }
    let slips = match known.len() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    key.len().abs_diff(known.len()) <= slips && strsim::damerau_levenshtein(&key.to_lowercase(), known) <= slips
}

/// The letters and digits of a name.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml::de::DeTable;

    fn advised(toml: &str) -> Vec<(String, String)> {
        let mut issues = Issues::default();
        let document = DeTable::parse(toml).unwrap();
        check(&Fields::root(toml, document.get_ref()), &mut issues);
        let report = issues.into_report(None, None, &crate::domain::Limits::default());
        report.issues.into_iter().map(|issue| (issue.field.unwrap(), issue.hint.unwrap())).collect()
    }

    #[test]
    fn w08_a_misspelt_or_misplaced_key_is_told_what_was_meant() {
        for (toml, field, hint) in [
            ("role_id = \"x\"", "role_id", "did you mean \"id\"?"),
            ("licence = \"free\"", "licence", "did you mean \"license\"?"),
            ("minAppVersion = \"1.0.0\"", "minAppVersion", "did you mean \"min_app_version\"?"),
            ("Title = \"x\"", "Title", "did you mean \"title\"?"),
            ("[enviroment]", "enviroment", "did you mean \"environment\"?"),
            ("manager = \"agotalk\"", "manager", "[environment]\nmanager = …"),
            ("remembers_progress = true", "remembers_progress", "[state]\nremembers_progress = …"),
            ("cover-image = \"x\"", "cover-image", "[preview]\ncover_image = …"),
            (
                "[state]\nmin_app_version = \"1.0.0\"",
                "state.min_app_version",
                "write min_app_version = … above the first [table]",
            ),
            ("[entry]\naddressbar = \"hidden\"", "entry.addressbar", "did you mean \"address_bar\"?"),
            ("[state]\nremember_progress = true", "state.remember_progress", "did you mean \"remembers_progress\"?"),
            ("[preview]\nscreenshot = []", "preview.screenshot", "did you mean \"screenshots\"?"),
            ("[i18n.en]\ntitel = \"x\"", "i18n.en.titel", "did you mean \"title\"?"),
        ] {
            assert_eq!(advised(toml), [(field.to_owned(), hint.to_owned())], "{toml}");
        }
    }

    #[test]
    fn keys_of_the_authors_own_are_ignored() {
        let toml = "category = \"x\"\ntags = []\nauthor = \"x\"\nname = \"x\"\ndescription = \"x\"\n[metadata]\ntitle = \
                    \"x\"\nmanager = \"x\"\n[state]\nbackend = \"x\"\n[environment]\npython = \"3.11\"\n[i18n.en]\nextra = 1\n";
        assert_eq!(advised(toml), []);
    }
}
