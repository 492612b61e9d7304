//! Advice about what a package's texts say (rules W01 to W03, W11, W12). None of it ever blocks.
//!
//! Every text file is read once: [`install`] looks for taught installations, [`places`] for paths outside the package,
//! [`secrets`] for keys, [`remote`] for what an application loads from the network, [`intro`] for what a static page
//! must not hold. All of them look for a few fixed words and then at their surroundings, so that time is linear in the
//! text; how much text that is, is bounded here.

mod html;
mod install;
mod intro;
mod key_shapes;
mod places;
mod remote;
pub(super) mod secrets;

use rayon::prelude::*;

use crate::domain::{Code, Issue, Kind, Manifest, PackagePath, Preview, Rule};
use crate::package::archive::Archive;
use crate::package::issues::Issues;
use crate::package::texts::extension;

/// A text file of the package.
#[derive(Debug, Clone, Copy)]
struct TextFile<'t> {
    path: &'t PackagePath,
    text: &'t str,
    kind: TextKind,
}

/// What a text is for, as far as the rules care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextKind {
    /// Instructions that an agent reads.
    Markdown,
    /// Something that is run by the agent.
    Script,
    /// Something that runs in a page or is run by the agent.
    JavaScript,
    /// HTML, SVG or CSS.
    Page,
    /// Settings, data, notes.
    Other,
}

/// What was found, where.
#[derive(Debug)]
struct Finding {
    offset: usize,
    message: String,
}

/// Looks at every text of the package.
pub(super) fn check(archive: &Archive, manifest: Option<&Manifest>, preview: Option<&Preview>, issues: &mut Issues) {
    const MAX_BYTES: u64 = 12 * 1024 * 1024;
    let entry = manifest.and_then(|manifest| match &manifest.kind {
        Kind::Application(entry) => Some(&entry.target),
        Kind::Role => None,
    });
    let intro = preview.and_then(|preview| preview.intro_html.as_ref());
    let texts: Vec<_> = archive.texts(MAX_BYTES).collect();
    let advice = texts.par_iter().map(|(path, bytes)| advice(path, &String::from_utf8_lossy(bytes), entry, intro));
    for issue in advice.collect::<Vec<_>>().into_iter().flatten() {
        issues.push(issue);
    }
}

/// What there is to say about one text of a package whose manifest names this page to open and this page to present it.
fn advice(path: &PackagePath, text: &str, entry: Option<&PackagePath>, intro: Option<&PackagePath>) -> Vec<Issue> {
    let file = TextFile { path, text, kind: TextKind::of(path, text) };
    let mut issues = Vec::new();
    let mut report = |rule, code, hint: &str, findings: Vec<Finding>| {
        issues.extend(findings.into_iter().map(|Finding { offset, message }| {
            Issue::warning(rule, code, message).in_file(path.as_str()).at_offset(text, offset).hint(hint)
        }));
    };
    report(Rule::W01, Code::RoleWarnInstallCommand, install::HINT, install::find(file));
    report(Rule::W02, Code::RoleWarnHomePath, places::HINT, places::find(file));
    report(Rule::W03, Code::RoleWarnSecret, secrets::HINT, secrets::find(file));
    if entry.is_some_and(|target| remote::belongs_to_application(path, target)) {
        report(Rule::W11, Code::RoleWarnRemoteResource, remote::HINT, remote::find(file));
    }
    if intro == Some(path) || path.as_str() == "intro.html" {
        report(Rule::W12, Code::RoleWarnIntroScript, intro::HINT, intro::find(file));
    }
    issues
}

impl TextKind {
    fn of(path: &PackagePath, text: &str) -> Self {
        match extension(path).as_str() {
            "md" | "markdown" => Self::Markdown,
            "sh" | "bash" | "zsh" | "fish" | "py" | "rb" | "pl" | "ps1" | "bat" | "cmd" | "lua" | "php" => Self::Script,
            "js" | "mjs" | "cjs" | "ts" | "mts" | "jsx" | "tsx" => Self::JavaScript,
            "html" | "htm" | "xhtml" | "svg" | "css" => Self::Page,
            _ if text.starts_with("#!") => Self::Script,
            _ if matches!(path.file_name(), "Makefile" | "makefile" | "Dockerfile" | "justfile" | "package.json") => {
                Self::Script
            }
            _ => Self::Other,
        }
    }
}

/// Findings of one rule in one file, and how far a line was looked at.
#[derive(Debug, Default)]
struct Findings {
    found: Vec<Finding>,
    /// Where the line that is being looked at ends.
    line_end: usize,
    left_in_line: usize,
}

impl Findings {
    /// More of the same in one file helps nobody.
    const MAX: usize = 10;
    /// A line that names the words that are looked for over and over is data.
    const MAX_IN_LINE: usize = 16;

    fn is_full(&self) -> bool {
        self.found.len() >= Self::MAX
    }

    /// Whether the place is still worth a look: one line is looked at only so often.
    fn is_worth_a_look(&mut self, text: &str, offset: usize) -> bool {
        if offset >= self.line_end {
            let rest = text.get(offset..).unwrap_or_default();
            self.line_end = offset + rest.find('\n').map_or(rest.len(), |newline| newline + 1);
            self.left_in_line = Self::MAX_IN_LINE;
        }
        let left = self.left_in_line.checked_sub(1);
        self.left_in_line = left.unwrap_or(0);
        left.is_some()
    }

    fn push(&mut self, offset: usize, message: impl Into<String>) {
        self.found.push(Finding { offset, message: message.into() });
    }

    /// Says that a line is done with.
    fn skip_line(&mut self) {
        self.left_in_line = 0;
    }
}

/// What stands before an offset in its line, and after it; not further than this from it.
fn surroundings(text: &str, offset: usize) -> (&str, &str) {
    const REACH: usize = 300;
    let start = text.ceil_char_boundary(offset.saturating_sub(REACH));
    let end = text.floor_char_boundary(offset.saturating_add(REACH).min(text.len()));
    let before = text.get(start..offset).unwrap_or_default();
    let after = text.get(offset..end).unwrap_or_default();
    (before.rsplit('\n').next().unwrap_or_default(), after.split('\n').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines in which a rule finds something.
    pub(super) fn lines(find: fn(TextFile<'_>) -> Vec<Finding>, path: &str, text: &str) -> Vec<usize> {
        let path = PackagePath::parse(path).unwrap();
        let kind = TextKind::of(&path, text);
        let findings = find(TextFile { path: &path, text, kind });
        findings.iter().map(|finding| text[..finding.offset].matches('\n').count() + 1).collect()
    }

    #[test]
    fn a_file_is_what_its_name_or_first_line_says() {
        let kind = |path: &str, text: &str| TextKind::of(&PackagePath::parse(path).unwrap(), text);
        assert_eq!(kind("role.md", ""), TextKind::Markdown);
        assert_eq!(kind("contents/bin/setup-check", "#!/bin/sh\n"), TextKind::Script);
        assert_eq!(kind("contents/notes", "a\n"), TextKind::Other);
        assert_eq!(kind("agapps/x/INDEX.HTML", ""), TextKind::Page);
    }
}
