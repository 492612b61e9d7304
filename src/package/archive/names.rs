//! What entries are called and what they are (rules A03, A04, A06 to A09).

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

use super::layout::RawEntry;
use crate::domain::{Code, InvalidPath, Issue, PackagePath, Rule};
use crate::package::issues::Issues;

/// An entry with a sound name.
#[derive(Debug)]
pub(super) struct NamedEntry<'r, 'a> {
    pub(super) raw: &'r RawEntry<'a>,
    /// The whole name, top-level directory included.
    pub(super) path: PackagePath,
    /// The path inside the package; nothing for the top-level directory itself.
    pub(super) inner_path: Option<PackagePath>,
    pub(super) kind: EntryKind,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    File {
        executable: bool,
    },
    Directory,
    /// A link, a pipe, a device …: always an error, yet it occupies its name.
    Other,
}

impl NamedEntry<'_, '_> {
    /// The top-level directory; nothing for a file beside it.
    pub(super) fn top(&self) -> Option<&str> {
        match self.path.as_str().split_once('/') {
            Some((top, _)) => Some(top),
            None => (self.kind == EntryKind::Directory).then_some(self.path.as_str()),
        }
    }

    /// What an issue about this entry calls it.
    pub(super) fn shown(&self) -> String {
        self.inner_path.as_ref().unwrap_or(&self.path).to_string()
    }

    fn issue(&self, rule: Rule, message: impl Into<String>) -> Issue {
        entry_issue(rule, message).in_file(self.shown())
    }
}

/// An issue with the code that most entry rules share.
pub(super) fn entry_issue(rule: Rule, message: impl Into<String>) -> Issue {
    Issue::error(rule, Code::RoleImportZipEntryInvalid, message).guide(Code::RoleImportZipEntryInvalid)
}

/// A name of any bytes as text that a report can hold.
pub(super) fn shown_name(name: &[u8]) -> String {
    const MAX_BYTES: usize = 300;
    let text = String::from_utf8_lossy(name.get(..MAX_BYTES).unwrap_or(name)).into_owned();
    if name.len() > MAX_BYTES { text + "…" } else { text }
}

/// Reads names and kinds; entries without a sound name are reported (A06) and left out.
pub(super) fn read<'r, 'a>(entries: &'r [RawEntry<'a>], issues: &mut Issues) -> Vec<NamedEntry<'r, 'a>> {
    let mut named = Vec::new();
    for raw in entries {
        match parse_name(raw.name) {
            Ok((path, is_directory)) => {
                let (kind, fault) = kind(raw.external_attributes, is_directory);
                let inner = path.as_str().split_once('/');
                let inner_path = inner.and_then(|(_, inner)| PackagePath::parse(inner).ok());
                let entry = NamedEntry { raw, path, inner_path, kind };
                if let Some(fault) = fault {
                    issues.push(entry.issue(Rule::A04, fault));
                }
                named.push(entry);
            }
            Err(issue) => issues.push(*issue),
        }
        if let Some(other) = raw.other_name {
            let message = format!("its Unicode Path extra field gives another name: {:?}", shown_name(other));
            issues.push(entry_issue(Rule::A06, message).in_file(shown_name(raw.name)));
        }
    }
    named
}

fn parse_name(name: &[u8]) -> Result<(PackagePath, bool), Box<Issue>> {
    let Ok(text) = std::str::from_utf8(name) else {
        let hint = "pack again with a tool that writes UTF-8 names";
        let issue = entry_issue(Rule::A06, "the name is not UTF-8").in_file(shown_name(name));
        return Err(Box::new(issue.hint(hint)));
    };
    let directory = text.strip_suffix('/');
    match PackagePath::parse(directory.unwrap_or(text)) {
        Ok(path) => Ok((path, directory.is_some())),
        Err(fault) => {
            let code =
                if fault.leaves_package() { Code::RolePackagePathOutsideRoot } else { Code::RoleImportZipEntryInvalid };
            let issue = Issue::error(Rule::A06, code, fault.to_string())
                .guide(Code::RoleImportZipEntryInvalid)
                .in_file(shown_name(name));
            Err(Box::new(match fault {
                InvalidPath::NotNfc => {
                    issue.hint(format!("rename it to {:?}", shown_name(text.nfc().collect::<String>().as_bytes())))
                }
                InvalidPath::ForbiddenCharacter('\\') => issue.hint("separate folders by \"/\""),
                _ => issue,
            }))
        }
    }
}

/// What an entry is by its Unix mode, else by its name, and what is wrong with it (rule A04).
fn kind(external_attributes: u32, named_as_directory: bool) -> (EntryKind, Option<&'static str>) {
    const DOS_DIRECTORY: u32 = 1 << 4;
    let mode = external_attributes >> 16;
    let file = EntryKind::File { executable: mode & 0o100 != 0 };
    match mode & 0o170_000 {
        0 | 0o040_000 if named_as_directory => (EntryKind::Directory, None),
        0 if external_attributes & DOS_DIRECTORY != 0 => {
            (EntryKind::Other, Some("it is a directory by its attributes and a file by its name"))
        }
        0 => (file, None),
        0o100_000 if !named_as_directory => (file, None),
        0o100_000 => (EntryKind::Other, Some("it is a file by its mode and a directory by its name")),
        0o040_000 => (EntryKind::Other, Some("it is a directory by its mode and a file by its name")),
        0o120_000 => (EntryKind::Other, Some("it is a symbolic link; a package holds regular files only")),
        0o010_000 => (EntryKind::Other, Some("it is a named pipe; a package holds regular files only")),
        0o140_000 => (EntryKind::Other, Some("it is a socket; a package holds regular files only")),
        _ => (EntryKind::Other, Some("it is a device; a package holds regular files only")),
    }
}

/// Finds the package's top-level directory (rule A03); nothing when there is none to go on with.
pub(super) fn top_level(
    raw_entries: &[RawEntry<'_>],
    entries: &[NamedEntry<'_, '_>],
    issues: &mut Issues,
) -> Option<String> {
    const HINT: &str = "pack the folder <role-id>/ itself, and nothing beside it";
    let issue = |message: String| {
        Issue::error(Rule::A03, Code::RoleImportZipTopLevelInvalid, message)
            .guide(Code::RoleImportZipTopLevelInvalid)
            .hint(HINT)
    };
    let tops: BTreeSet<&str> = entries.iter().filter_map(NamedEntry::top).collect();
    // Beside several directories, the package is the one that looks like it.
    let looks_like_package = |top: &&str| {
        entries.iter().any(|entry| {
            let inner = entry.path.as_str().strip_prefix(*top).and_then(|rest| rest.strip_prefix('/'));
            matches!(inner, Some("role.md" | "agotalk.role.toml"))
        })
    };
    let candidates: Vec<&str> = tops.iter().copied().filter(looks_like_package).collect();
    let root = match (tops.first(), candidates.as_slice()) {
        (None, _) => {
            // A directory whose name is refused is there all the same.
            if !raw_entries.iter().any(|entry| has_top_level(entry.name)) {
                issues.push(issue("the zip has no top-level directory".to_owned()));
            }
            return None;
        }
        (Some(only), _) if tops.len() == 1 => Some((*only).to_owned()),
        (_, [only]) => Some((*only).to_owned()),
        _ => None,
    };
    let mut beside: BTreeSet<&str> = tops.into_iter().filter(|top| Some(*top) != root.as_deref()).collect();
    beside.extend(entries.iter().filter(|entry| entry.top().is_none()).map(|entry| entry.path.as_str()));
    match &root {
        Some(root) => {
            for name in beside {
                let message = format!("{name:?} lies beside the top-level directory {root:?}");
                issues.push(issue(message).in_file(shown_name(name.as_bytes())));
            }
            if is_wrapped_twice(entries, root) {
                issues.push(issue("the package lies one directory too deep".to_owned()));
                return None;
            }
        }
        None => issues.push(issue("the zip has more than one top-level directory".to_owned())),
    }
    root
}

/// Whether a name begins with a directory, not with `/`, `./` or a file.
fn has_top_level(name: &[u8]) -> bool {
    let mut segments = name.split(|byte| *byte == b'/');
    !matches!(segments.next(), None | Some(b"" | b"." | b"..")) && segments.next().is_some()
}

/// Whether everything lies in one directory inside the top-level one, which itself has no role.md or manifest.
fn is_wrapped_twice(entries: &[NamedEntry<'_, '_>], root: &str) -> bool {
    let mut wrapper = None;
    let mut holds_package = false;
    for entry in entries.iter().filter(|entry| entry.top() == Some(root)) {
        let mut segments = entry.path.segments().skip(1);
        let Some(first) = segments.next() else { continue };
        let second = segments.next();
        if (second.is_none() && entry.kind != EntryKind::Directory) || wrapper.is_some_and(|name| name != first) {
            return false;
        }
        wrapper = Some(first);
        holds_package |= segments.next().is_none() && matches!(second, Some("role.md" | "agotalk.role.toml"));
    }
    holds_package
}

/// Refuses entries that would become one file or directory on some disk (rule A07).
pub(super) fn check_collisions(entries: &[NamedEntry<'_, '_>], issues: &mut Issues) {
    // In this order, entries that share a folded prefix are neighbours, a parent right before its children: NUL,
    // which no name holds, sorts before everything else.
    let mut keyed: Vec<(String, &NamedEntry<'_, '_>)> =
        entries.iter().map(|entry| (collision_key(entry.path.as_str()).replace('/', "\0"), entry)).collect();
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    for ((first_key, first), (second_key, second)) in keyed.iter().zip(keyed.iter().skip(1)) {
        if let Some(fault) = collision((first_key, first), (second_key, second)) {
            issues.push(second.issue(Rule::A07, fault));
        }
    }
}

/// Why two neighbours cannot both be there.
fn collision(
    (first_key, first): (&str, &NamedEntry<'_, '_>),
    (second_key, second): (&str, &NamedEntry<'_, '_>),
) -> Option<String> {
    let mut folded = first_key.split('\0').zip(second_key.split('\0'));
    for (a, b) in first.path.segments().zip(second.path.segments()) {
        if folded.next().is_none_or(|(a, b)| a != b) {
            return None;
        }
        if a != b {
            return Some(format!("{a:?} and {b:?} are one name where case does not count"));
        }
    }
    let name = first.path.file_name();
    let is_directory = |entry: &NamedEntry<'_, '_>| entry.kind == EntryKind::Directory;
    if first_key == second_key && is_directory(first) == is_directory(second) {
        Some(format!("{name:?} has two entries"))
    } else if first_key == second_key || !is_directory(first) {
        Some(format!("{name:?} is a file in one entry and a directory in another"))
    } else {
        None
    }
}

/// Equal for names that are equal after normalisation and case folding (Unicode § 3.13, D145).
pub(super) fn collision_key(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let decomposed: String = name.nfd().collect();
    caseless::default_case_fold_str(&decomposed).nfc().collect()
}

/// Refuses names that tools leave behind (rule A08) and anything but Markdown in `skills/` (rule A09).
pub(super) fn check_forbidden(entries: &[NamedEntry<'_, '_>], issues: &mut Issues) {
    for entry in entries {
        if let Some(junk) = entry.path.segments().find(|segment| is_junk(segment)) {
            let is_itself = entry.path.file_name() == junk;
            // `node_modules` is refused as a directory; `.git`, which also comes as a file, in both forms.
            if !(is_itself && junk.eq_ignore_ascii_case("node_modules") && entry.kind != EntryKind::Directory) {
                let message = format!("{junk:?} does not belong into a package");
                issues.push(entry.issue(Rule::A08, message).hint("leave it out when packing"));
            }
        }
        let is_skill = entry.path.segments().nth(1).is_some_and(|first| first.eq_ignore_ascii_case("skills"));
        let is_inside = entry.path.segments().count() > 2;
        if is_skill && is_inside && entry.kind != EntryKind::Directory && !is_markdown(entry.path.file_name()) {
            let message = "skills/ holds Markdown files only";
            issues.push(
                Issue::error(Rule::A09, Code::RolePackageSkillsNotMarkdown, message)
                    .in_file(entry.shown())
                    .hint("move software to contents/ and pictures to assets/"),
            );
        }
    }
}

/// Whether tools leave this name behind (rule A08); `node_modules` counts as a directory only.
pub(crate) fn is_junk(segment: &str) -> bool {
    let names = [".DS_Store", ".git", ".env", "node_modules"];
    segment.starts_with("._") || names.iter().any(|name| name.eq_ignore_ascii_case(segment))
}

fn is_markdown(file_name: &str) -> bool {
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("md" | "markdown"))
}
