//! Languages whose texts were copied and not translated (rule W10).

use super::fields::{Fields, warning};
use super::shortened;
use crate::domain::{Code, Rule};
use crate::package::issues::Issues;

/// A single language that repeats the canonical texts names their language; beside others, it is an oversight.
pub(super) fn check(root: &Fields<'_>, issues: &mut Issues) {
    const MAX: usize = 8;
    let languages = root.section("i18n");
    let tags = languages.in_order();
    if tags.len() < 2 {
        return;
    }
    let text =
        |fields: &Fields<'_>, key: &str| fields.get(key).and_then(|field| field.value.as_str().map(str::to_owned));
    let canonical = ["title", "summary"].map(|key| text(root, key));
    for (tag, field) in tags.into_iter().take(MAX) {
        let section = languages.section(tag);
        let translated = ["title", "summary"].map(|key| text(&section, key));
        if section.is_there() && translated == canonical && canonical.iter().all(Option::is_some) {
            let message = format!("the texts for {:?} are those of the top level, not translated", shortened(tag));
            let issue = warning(Rule::W10, Code::RoleWarnUntranslated, message);
            issues.push(languages.at(issue, &field).hint("translate title and summary, or leave the language out"));
        }
    }
}
