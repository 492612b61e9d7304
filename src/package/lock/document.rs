//! A TOML file of a locked package, read within limits and spoken of by line and column.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::domain::{Issue, Limits};
use crate::package::archive::{Archive, limit_issue};
use crate::package::issues::Issues;
use crate::package::toml_cost;

/// A TOML file that is there and is text.
#[derive(Debug)]
pub(super) struct Document {
    path: String,
    text: String,
}

impl Document {
    /// A real lockfile of the largest size is just within this.
    const MAX_COST: usize = 2_000_000;

    /// Reads a file; reports one that is too large, or that is no text, as a `fault`.
    pub(super) fn read(
        archive: &Archive,
        path: &str,
        max_bytes: u64,
        fault: fn(String) -> Issue,
        issues: &mut Issues,
    ) -> Option<Self> {
        let file = archive.file(path)?;
        if file.size > max_bytes {
            issues.push(limit_issue(format!("{path} has more than {max_bytes} bytes")).in_file(path));
            return None;
        }
        // Content that cannot be unpacked is reported already.
        let bytes = archive.content(file)?;
        let Ok(text) = std::str::from_utf8(&bytes) else {
            issues.push(fault(format!("{path} is not UTF-8")).in_file(path));
            return None;
        };
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text).to_owned();
        Some(Self { path: path.to_owned(), text })
    }

    /// Parses it; reports text that is no TOML as a `fault`.
    pub(super) fn parse(&self, fault: fn(String) -> Issue, issues: &mut Issues) -> Option<Spanned<DeTable<'_>>> {
        let path = &self.path;
        if !toml_cost::is_within(&self.text, Self::MAX_COST) {
            issues.push(limit_issue(format!("{path} holds too many values")).in_file(path));
            return None;
        }
        DeTable::parse(&self.text)
            .map_err(|error| {
                let issue = fault(format!("{path} is not TOML: {}", error.message()));
                issues.push(self.place(issue, error.span().map_or(0, |span| span.start)));
            })
            .ok()
    }

    /// The issue, placed in this file.
    pub(super) fn place(&self, issue: Issue, offset: usize) -> Issue {
        issue.in_file(&self.path).at_offset(&self.text, offset)
    }
}

/// Reports about one document. Finding a line means reading up to it, so no more issues are placed than a report holds.
#[derive(Debug)]
pub(super) struct Reporter<'a> {
    document: &'a Document,
    issues: &'a mut Issues,
    left: usize,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(document: &'a Document, issues: &'a mut Issues) -> Self {
        Self { document, issues, left: Limits::default().issues }
    }

    pub(super) fn report(&mut self, issue: Issue, offset: usize) {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                self.issues.push(self.document.place(issue, offset));
            }
            None => self.issues.leave_out(),
        }
    }
}

/// The value of a key with its place.
pub(super) fn get<'d>(table: &'d DeTable<'d>, key: &str) -> Option<(&'d DeValue<'d>, usize)> {
    table.get(key).map(|value| (value.get_ref(), value.span().start))
}

/// The text of a key that holds one.
pub(super) fn text<'d>(table: &'d DeTable<'d>, key: &str) -> Option<&'d str> {
    table.get(key)?.get_ref().as_str()
}

/// The table of a key that holds one.
pub(super) fn table<'d>(parent: &'d DeTable<'d>, key: &str) -> Option<&'d DeTable<'d>> {
    parent.get(key)?.get_ref().as_table()
}

/// The items of a key that holds a list; none when it holds something else.
pub(super) fn items<'d>(parent: &'d DeTable<'d>, key: &str) -> impl Iterator<Item = (&'d DeValue<'d>, usize)> {
    let array = parent.get(key).and_then(|value| value.get_ref().as_array());
    array.into_iter().flat_map(|array| array.iter()).map(|item| (item.get_ref(), item.span().start))
}

/// A project, extra or group name as PEP 503 compares it; nothing when it is no name (PEP 508).
pub(super) fn normalized_name(name: &str) -> Option<String> {
    const MAX_BYTES: usize = 200;
    let is_separator = |c: char| matches!(c, '-' | '_' | '.');
    let is_sound = !name.is_empty()
        && name.len() <= MAX_BYTES
        && name.chars().all(|c| c.is_ascii_alphanumeric() || is_separator(c))
        && !name.starts_with(is_separator)
        && !name.ends_with(is_separator);
    is_sound.then(|| {
        let words = name.split(is_separator).filter(|word| !word.is_empty());
        words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
    })
}

/// Values by normalized name.
pub(super) type ByName<T> = BTreeMap<String, T>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_separators() {
        for (name, normalized) in [("Domain.Name_Clerk", "domain-name-clerk"), ("a--b", "a-b"), ("x", "x")] {
            assert_eq!(normalized_name(name).as_deref(), Some(normalized));
        }
        for name in ["", "-a", "a.", "ä", "a b"] {
            assert_eq!(normalized_name(name), None, "{name:?}");
        }
    }
}
