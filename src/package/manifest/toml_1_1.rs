//! Forms that TOML 1.1 added, which a reader of TOML 1.0 refuses (rule W09).
//!
//! They are: line breaks and a trailing comma in an inline table, the escapes `\e` and `\xHH`, and times without
//! seconds.

use toml::de::{DeTable, DeValue};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use super::fields::warning;
use crate::domain::{Code, Rule};
use crate::package::issues::Issues;

/// Warns about each form; `document` is what `text` was parsed to.
pub(super) fn check(text: &str, document: &DeTable<'_>, issues: &mut Issues) {
    const MAX: usize = 20;
    let mut found = signs(text);
    times(document, &mut found);
    found.sort_unstable();
    for (offset, what) in found.into_iter().take(MAX) {
        let message = format!("{what}: TOML 1.1 allows it, a reader of TOML 1.0 refuses the whole manifest");
        let issue = warning(Rule::W09, Code::RoleWarnToml11, message);
        issues.push(issue.at_offset(text, offset).hint("write it as TOML 1.0 does"));
    }
}

/// The forms that can be seen in the signs alone.
fn signs(text: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    // What is open, with the place of an inline table; and whether a comma was last.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut comma = None;
    for token in Source::new(text).lex() {
        let (start, end) = (token.span().start(), token.span().end());
        match token.kind() {
            TokenKind::LeftCurlyBracket => open.push(Some(start)),
            TokenKind::LeftSquareBracket => open.push(None),
            TokenKind::RightSquareBracket => drop(open.pop()),
            TokenKind::RightCurlyBracket => {
                open.pop();
                found.extend(comma.map(|comma| (comma, "an inline table ends with a comma")));
            }
            TokenKind::Newline => {
                // Once for each table.
                if let Some(table) = open.last_mut().and_then(Option::take) {
                    found.push((table, "an inline table goes on over the end of the line"));
                }
            }
            TokenKind::BasicString | TokenKind::MlBasicString => {
                let escape = text.get(start..end).and_then(new_escape);
                found.extend(escape.map(|escape| (start + escape, "this escape is not of TOML 1.0")));
            }
            _ => {}
        }
        match token.kind() {
            TokenKind::Comma => comma = Some(start),
            TokenKind::Whitespace | TokenKind::Newline | TokenKind::Comment => {}
            _ => comma = None,
        }
    }
    found
}

/// Where a string first has an escape of TOML 1.1.
fn new_escape(string: &str) -> Option<usize> {
    let mut bytes = string.bytes().enumerate();
    while let Some((offset, byte)) = bytes.next() {
        if byte == b'\\' && matches!(bytes.next(), Some((_, b'e' | b'x'))) {
            return Some(offset);
        }
    }
    None
}

/// Times without seconds. The depth of the document is bounded by its parser.
fn times(table: &DeTable<'_>, found: &mut Vec<(usize, &'static str)>) {
    for value in table.values() {
        time(value.get_ref(), value.span().start, found);
    }
}

fn time(value: &DeValue<'_>, offset: usize, found: &mut Vec<(usize, &'static str)>) {
    match value {
        DeValue::Datetime(datetime) if datetime.time.is_some_and(|time| time.second.is_none()) => {
            found.push((offset, "this time has no seconds"));
        }
        DeValue::Array(items) => items.iter().for_each(|item| time(item.get_ref(), item.span().start, found)),
        DeValue::Table(table) => times(table, found),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Limits;

    fn columns(toml: &str) -> Vec<(u32, u32)> {
        let mut issues = Issues::default();
        check(toml, DeTable::parse(toml).unwrap().get_ref(), &mut issues);
        let report = issues.into_report(None, None, &Limits::default());
        report.issues.iter().map(|issue| (issue.line.unwrap(), issue.column.unwrap())).collect()
    }

    #[test]
    fn w09_each_form_of_toml_1_1_is_found() {
        for (toml, place) in [
            ("a = {\n b = 1 }", (1, 5)),
            ("a = [{ b = 1, # x\n c = 2 }]", (1, 6)),
            ("a = { b = 1, }", (1, 12)),
            ("a = \"\\e[0m\"", (1, 6)),
            ("a = \"\"\"\nx\\x41\"\"\"", (2, 2)),
            ("\"\\x41\" = 1", (1, 2)),
            ("a = 07:32", (1, 5)),
            ("a = [1979-05-27 07:32Z]", (1, 6)),
        ] {
            assert_eq!(columns(toml), [place], "{toml}");
        }
    }

    #[test]
    fn what_toml_1_0_allows_is_left_alone() {
        for toml in [
            "a = { b = [1,\n2,\n] }",
            "a = [\n{ b = 1 },\n]",
            "a = '\\e'",
            "a = \"\\\\e \\u0041\"",
            "a = 07:32:00\nb = 1979-05-27\nc = 1979-05-27T07:32:00Z # {,}",
            "a = \"{,\\n}\"",
            "[a]\n[[b]]\nc = {}",
        ] {
            assert_eq!(columns(toml), [], "{toml}");
        }
    }
}
