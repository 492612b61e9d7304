//! The behaviour text `role.md` (rules R01 to R04).
//!
//! A front matter block opens with `---` on the first line and closes with `---` on a line of its own. It is read as
//! YAML; where strict YAML refuses it, entry by entry, so that one careless value does not hide the others.

mod yaml;

use self::yaml::{Entry, Yaml, YamlFault};
use super::archive::{Archive, limit_issue};
use super::issues::Issues;
use super::validated::RoleMd;
use crate::domain::{Code, Issue, Limits, Rule};

const ROLE_MD: &str = "role.md";

/// Reads `role.md` and reports every fault. `is_role` decides the code of a missing file; `role_id` is the title's
/// fallback.
pub(super) fn read(
    archive: &Archive,
    is_role: bool,
    role_id: &str,
    limits: &Limits,
    issues: &mut Issues,
) -> Option<RoleMd> {
    let missing = |message: &str| {
        let code = if is_role { Code::RoleBehaviorFileMissing } else { Code::RoleImportRoleMdMissing };
        let issue = Issue::error(Rule::R01, code, message).guide(code).in_file(ROLE_MD);
        issue.hint("---\ntitle: \"…\"\ndescription: \"…\"\n---\n\nHow the role behaves.")
    };
    let Some(file) = archive.file(ROLE_MD) else {
        let message = match archive.node(ROLE_MD) {
            Some(_) => "role.md must be a regular file",
            None => "role.md is missing at the package root",
        };
        issues.push(missing(message));
        return None;
    };
    if file.size > limits.role_md_bytes {
        let issue = limit_issue(format!("role.md has more than {} bytes", limits.role_md_bytes));
        issues.push(issue.in_file(ROLE_MD));
        return None;
    }
    // Content that cannot be unpacked is reported already.
    let bytes = archive.content(file)?;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text.trim_start_matches('\u{FEFF}'),
        Err(fault) => {
            let sound = bytes.get(..fault.valid_up_to()).and_then(|sound| std::str::from_utf8(sound).ok());
            let sound = sound.unwrap_or_default();
            let issue = invalid("role.md is not UTF-8").at_offset(sound, sound.len());
            issues.push(issue.hint("save the file as UTF-8"));
            return None;
        }
    };
    if text.trim().is_empty() {
        issues.push(missing("role.md is empty"));
        return None;
    }
    let entries = match split(text) {
        Ok(Some(block)) => match entries(text, block.start, text.get(block.start..block.end).unwrap_or_default()) {
            Ok(entries) => Some((entries, block.narrative)),
            Err(issue) => {
                issues.push(*issue);
                return None;
            }
        },
        Ok(None) => None,
        Err(issue) => {
            issues.push(*issue);
            return None;
        }
    };
    let Some((entries, narrative)) = entries else {
        return Some(RoleMd { title: role_id.to_owned(), description: String::new(), narrative: text.to_owned() });
    };
    if let Some(avatar) = entries.iter().find(|entry| entry.name == "avatar") {
        let message = "the front matter's avatar field is retired";
        let code = Code::RolePackageLegacyAvatarField;
        let issue = Issue::error(Rule::R02, code, message).guide(code).in_file(ROLE_MD).about("avatar");
        issues
            .push(issue.at_offset(text, avatar.offset).hint("remove the line; the picture is avatar.png at the root"));
        return None;
    }
    let value = |key: &str| {
        let entry = entries.iter().find(|entry| entry.name == key);
        entry.and_then(|entry| entry.value.as_deref()).map(str::trim).filter(|value| !value.is_empty())
    };
    Some(RoleMd {
        title: value("title").unwrap_or(role_id).to_owned(),
        description: value("description").unwrap_or_default().to_owned(),
        narrative: text.get(narrative..).unwrap_or_default().to_owned(),
    })
}

fn invalid(message: &str) -> Issue {
    Issue::error(Rule::R03, Code::RolePackageRoleMdInvalid, message).in_file(ROLE_MD)
}

/// Where the block's lines and the narrative are, in bytes.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    start: usize,
    end: usize,
    narrative: usize,
}

/// Finds the front matter block; nothing when the text does not open one.
fn split(text: &str) -> Result<Option<Block>, Box<Issue>> {
    let mut lines = lines(text);
    let Some((_, first, start)) = lines.next() else { return Ok(None) };
    let Some(rest) = first.strip_prefix("---").filter(|rest| !rest.starts_with('-')) else { return Ok(None) };
    let rest = rest.trim();
    if !rest.is_empty() && !rest.starts_with('#') {
        let issue = invalid("the line that opens the front matter must be --- alone").at_offset(text, 0);
        return Err(Box::new(issue.hint("write --- on a line of its own, or begin the text with an empty line")));
    }
    for (line_start, line, narrative) in lines {
        if line.trim_end() == "---" {
            return Ok(Some(Block { start, end: line_start, narrative }));
        }
    }
    let issue = invalid("the front matter is opened and never closed").at_offset(text, 0);
    Err(Box::new(issue.hint("close it with --- on a line of its own")))
}

/// The lines of a text with their start and the start of what follows. YAML ends a line at LF, CRLF or CR.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str, usize)> {
    let mut position = 0;
    std::iter::from_fn(move || {
        let rest = text.get(position..).filter(|rest| !rest.is_empty())?;
        let start = position;
        let len = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = rest.get(..len)?;
        let ending = rest.get(len..)?;
        position += len + if ending.starts_with("\r\n") { 2 } else { usize::from(!ending.is_empty()) };
        Some((start, line, position))
    })
}

/// A key of the front matter's top level.
#[derive(Debug, PartialEq, Eq)]
struct Key {
    name: String,
    value: Option<String>,
    /// Where it stands in role.md, in bytes.
    offset: usize,
}

impl Key {
    fn from_yaml(entry: Entry, text: &str, start: usize) -> Self {
        let offset = text.char_indices().nth(entry.char_index).map_or(text.len(), |(offset, _)| offset);
        Self { name: entry.key, value: entry.value, offset: start + offset }
    }
}

/// The block's top-level keys.
fn entries(text: &str, start: usize, block: &str) -> Result<Vec<Key>, Box<Issue>> {
    const MAX_BYTES: usize = 64 * 1024;
    let too_much = |offset| Box::new(invalid("the front matter is beyond the limits").at_offset(text, offset));
    if block.len() > MAX_BYTES {
        return Err(too_much(start));
    }
    match Yaml::parse(block) {
        Ok(yaml) => Ok(yaml.entries().into_iter().map(|entry| Key::from_yaml(entry, block, start)).collect()),
        Err(YamlFault::TooMuch) => Err(too_much(start)),
        Err(YamlFault::Refused) => {
            let mut keys = Vec::new();
            for (offset, chunk) in chunks(block) {
                keys.extend(read_alone(chunk, start + offset).map_err(|fault| match fault {
                    YamlFault::TooMuch => too_much(start + offset),
                    YamlFault::Refused => {
                        let issue = invalid("this line of the front matter is no \"key: value\"");
                        Box::new(issue.at_offset(text, start + offset).hint("put the value in double quotes"))
                    }
                })?);
            }
            Ok(keys)
        }
    }
}

/// The block cut before each line that begins a top-level entry.
fn chunks(block: &str) -> Vec<(usize, &str)> {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let has_content = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let base = lines(block).find(|(_, line, _)| has_content(line)).map_or(0, |(_, line, _)| indent(line));
    let starts: Vec<usize> = lines(block)
        .filter(|(_, line, _)| has_content(line) && indent(line) <= base && !is_list_item(line))
        .map(|(start, _, _)| start)
        .collect();
    let ends = starts.iter().skip(1).copied().chain([block.len()]);
    starts.iter().copied().zip(ends).filter_map(|(start, end)| Some((start, block.get(start..end)?))).collect()
}

fn is_list_item(line: &str) -> bool {
    line.trim_start().strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Reads one entry of a block that is not YAML as a whole: as YAML if it can be, else as a plain key whose value goes
/// to the end of its line (rule R04).
fn read_alone(chunk: &str, offset: usize) -> Result<Vec<Key>, YamlFault> {
    match Yaml::parse(chunk) {
        Ok(yaml) => {
            let entries = yaml.entries();
            if entries.is_empty() {
                return Err(YamlFault::Refused);
            }
            Ok(entries.into_iter().map(|entry| Key::from_yaml(entry, chunk, offset)).collect())
        }
        Err(YamlFault::TooMuch) => Err(YamlFault::TooMuch),
        Err(YamlFault::Refused) => {
            let (_, line, _) = lines(chunk).next().ok_or(YamlFault::Refused)?;
            let (key, value) = line.split_once(':').ok_or(YamlFault::Refused)?;
            let key = key.trim();
            let is_plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
            if !is_plain || !(value.is_empty() || value.starts_with([' ', '\t'])) {
                return Err(YamlFault::Refused);
            }
            Ok(vec![Key { name: key.to_owned(), value: Some(value.trim().to_owned()), offset }])
        }
    }
}
