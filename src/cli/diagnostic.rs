//! One problem, told as a compiler does: what, where, the line itself, and how to mend it.

use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use crate::client::RemoteIssue;
use crate::domain::{Issue, Severity};

/// Where the pages about codes are.
const DOCS: &str = "https://roles.agotalk.com/docs/errors/";

/// A problem, wherever it was found. None of its text is trusted to be safe for a terminal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Diagnostic<'a> {
    pub(super) is_error: bool,
    pub(super) code: Option<&'a str>,
    pub(super) message: &'a str,
    pub(super) path: Option<&'a str>,
    /// 1-based line, and column in characters.
    pub(super) place: Option<(u32, u32)>,
    pub(super) excerpt: Option<&'a str>,
    pub(super) hint: Option<&'a str>,
}

impl<'a> Diagnostic<'a> {
    /// An error that is nowhere in particular.
    pub(super) fn error(message: &'a str) -> Self {
        Self { is_error: true, code: None, message, path: None, place: None, excerpt: None, hint: None }
    }

    /// The text, without a line end. `base` is the directory that paths are shown in.
    pub(super) fn render(&self, renderer: &Renderer, base: Option<&Path>) -> String {
        let level = if self.is_error { Level::ERROR } else { Level::WARNING };
        let code = self.code.map(printable);
        let title = level.primary_title(printable_lines(self.message));
        let title = match &code {
            Some(code) => title.id(code),
            None => title,
        };
        let hint = self.hint.map(|hint| Level::HELP.message(printable_lines(hint)));
        let docs = code.as_ref().map(|code| Level::NOTE.message(format!("{DOCS}{code}")));
        let advice = hint.into_iter().chain(docs);

        let path = self.path.map(|path| match base {
            Some(base) => printable(&base.join(path).display().to_string()),
            None => printable(path),
        });
        // One character stays one character, so the column still points at the right one.
        let excerpt = self.excerpt.map(printable);
        let shown = self.place.zip(excerpt).and_then(|((line, column), excerpt)| {
            let caret = caret(&excerpt, column)?;
            Some((line, excerpt, caret))
        });
        let group = match (path, self.place, shown) {
            (Some(path), _, Some((line, excerpt, caret))) => {
                let annotation = AnnotationKind::Primary.span(caret);
                let snippet = Snippet::source(excerpt).path(path).line_start(line as usize).annotation(annotation);
                title.element(snippet).elements(advice)
            }
            (Some(path), Some((line, column)), None) => {
                let origin = Origin::path(path).line(line as usize).char_column(column as usize);
                title.element(origin).elements(advice)
            }
            (Some(path), None, None) => title.element(Origin::path(path)).elements(advice),
            (None, ..) => title.elements(advice),
        };
        renderer.render(&[group])
    }
}

/// The bytes of the excerpt that the column points at; none when the excerpt was cut before it.
fn caret(excerpt: &str, column: u32) -> Option<Range<usize>> {
    let characters_before = usize::try_from(column.checked_sub(1)?).ok()?;
    match excerpt.char_indices().nth(characters_before) {
        Some((start, character)) => Some(start..start + character.len_utf8()),
        // Just past the end: something is missing there.
        None if excerpt.chars().count() == characters_before => Some(excerpt.len()..excerpt.len()),
        None => None,
    }
}

/// Text that cannot drive a terminal or turn a line around: each such character is replaced by one that only shows.
pub(super) fn printable(text: &str) -> String {
    const CONTROL_PICTURES: u32 = 0x2400;
    let is_direction =
        |c| matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let shown = |c: char| match c {
        '\t' => c,
        _ if c.is_ascii_control() => {
            char::from_u32(CONTROL_PICTURES + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ if c.is_control() || is_direction(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    };
    text.chars().map(shown).collect()
}

/// The same for a text of several lines.
fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

impl<'a> From<&'a Issue> for Diagnostic<'a> {
    fn from(issue: &'a Issue) -> Self {
        Self {
            is_error: issue.severity == Severity::Error,
            code: Some(issue.code.as_str()),
            message: &issue.message,
            path: issue.path.as_deref(),
            place: issue.line.map(|line| (line, issue.column.unwrap_or(1))),
            excerpt: issue.excerpt.as_deref(),
            hint: issue.hint.as_deref(),
        }
    }
}

impl<'a> From<&'a RemoteIssue> for Diagnostic<'a> {
    fn from(issue: &'a RemoteIssue) -> Self {
        Self {
            is_error: issue.severity != "warning",
            code: Some(&issue.code),
            message: &issue.message,
            path: issue.path.as_deref(),
            place: issue.line.map(|line| (line, issue.column.unwrap_or(1))),
            excerpt: issue.excerpt.as_deref(),
            hint: issue.hint.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Code, Rule};

    fn render(issue: &Issue) -> String {
        Diagnostic::from(issue).render(&Renderer::plain(), Some(Path::new("roles/words-john")))
    }

    #[test]
    fn a_problem_shows_its_line_with_a_caret_and_how_to_mend_it() {
        let manifest = "schema_version = 1\nlicense = \"MIT\"\n";
        let issue = Issue::error(Rule::M09, Code::RoleContractFieldInvalid, "license must equal \"free\"")
            .in_file("agotalk.role.toml")
            .at_offset(manifest, manifest.find("\"MIT\"").unwrap())
            .hint("write license = \"free\"");
        insta::assert_snapshot!(render(&issue), @r#"
        error[ROLE_CONTRACT_FIELD_INVALID]: license must equal "free"
         --> roles/words-john/agotalk.role.toml:2:11
          |
        2 | license = "MIT"
          |           ^
          |
          = help: write license = "free"
          = note: https://roles.agotalk.com/docs/errors/ROLE_CONTRACT_FIELD_INVALID
        "#);
    }

    #[test]
    fn a_problem_without_a_line_names_the_file_alone() {
        let issue = Issue::warning(Rule::W04, Code::RoleWarnImageSize, "avatar.png is 10×10").in_file("avatar.png");
        insta::assert_snapshot!(render(&issue), @"
        warning[ROLE_WARN_IMAGE_SIZE]: avatar.png is 10×10
        --> roles/words-john/avatar.png
         = note: https://roles.agotalk.com/docs/errors/ROLE_WARN_IMAGE_SIZE
        ");
    }

    #[test]
    fn wide_characters_and_tabs_keep_the_caret_in_its_place() {
        let manifest = "title = \"英语\"\t# \u{1F600} x\n";
        let issue = Issue::error(Rule::M07, Code::RoleContractFieldInvalid, "no")
            .in_file("agotalk.role.toml")
            .at_offset(manifest, manifest.find('#').unwrap());
        insta::assert_snapshot!(render(&issue), @r#"
        error[ROLE_CONTRACT_FIELD_INVALID]: no
         --> roles/words-john/agotalk.role.toml:1:14
          |
        1 | title = "英语"    # 😀 x
          |                   ^
          |
          = note: https://roles.agotalk.com/docs/errors/ROLE_CONTRACT_FIELD_INVALID
        "#);
    }

    #[test]
    fn a_column_beyond_the_excerpt_is_told_without_the_line() {
        let line = "x".repeat(500);
        let issue = Issue::error(Rule::M02, Code::RoleContractInvalid, "no").in_file("m.toml").at_offset(&line, 400);
        insta::assert_snapshot!(render(&issue), @"
        error[ROLE_CONTRACT_INVALID]: no
        --> roles/words-john/m.toml:1:401
         = note: https://roles.agotalk.com/docs/errors/ROLE_CONTRACT_INVALID
        ");
    }

    #[test]
    fn hostile_text_cannot_drive_the_terminal() {
        let issue = Issue::error(Rule::A06, Code::RoleImportZipEntryInvalid, "a\u{1b}[2Jb\u{202e}c")
            .in_file("\u{1b}]0;owned\u{7}.md")
            .at_offset("\u{1b}[31mred\u{202e}", 0)
            .hint("\u{9b}2J\u{1b}[0m");
        let text = render(&issue);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        assert!(!text.contains('\u{202e}'), "{text:?}");
    }
}
