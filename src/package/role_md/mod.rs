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

/// Reads `role.md` and reports its fault. `is_role` decides the code of a missing file; `role_id` is the title's
/// fallback.
pub(super) fn read(
    archive: &Archive,
    is_role: bool,
    role_id: &str,
    limits: &Limits,
    issues: &mut Issues,
) -> Option<RoleMd> {
    let Some(file) = archive.file(ROLE_MD) else {
        let message = match archive.node(ROLE_MD) {
            Some(_) => "role.md must be a regular file",
            None => "role.md is missing at the package root",
        };
        issues.push(missing(is_role, message));
        return None;
    };
    if file.size > limits.role_md_bytes {
        let issue = limit_issue(format!("role.md has more than {} bytes", limits.role_md_bytes));
        issues.push(issue.in_file(ROLE_MD));
        return None;
    }
    // Content that cannot be unpacked is reported already.
    let bytes = archive.content(file)?;
    parse(&bytes, is_role, role_id).map_err(|issue| issues.push(*issue)).ok()
}

fn parse(bytes: &[u8], is_role: bool, role_id: &str) -> Result<RoleMd, Box<Issue>> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{FEFF}'),
        Err(fault) => {
            let sound = bytes.get(..fault.valid_up_to()).and_then(|sound| std::str::from_utf8(sound).ok());
            let sound = sound.unwrap_or_default();
            let issue = invalid("role.md is not UTF-8").at_offset(sound, sound.len());
            return Err(Box::new(issue.hint("save the file as UTF-8")));
        }
    };
    if text.trim().is_empty() {
        return Err(Box::new(missing(is_role, "role.md is empty")));
    }
    let Some(block) = split(text)? else {
        return Ok(RoleMd { title: role_id.to_owned(), description: String::new(), narrative: text.to_owned() });
    };
    let keys = keys(text, block.start, text.get(block.start..block.end).unwrap_or_default())?;
    if let Some(avatar) = keys.iter().find(|key| key.name == "avatar") {
        let code = Code::RolePackageLegacyAvatarField;
        let issue = Issue::error(Rule::R02, code, "the front matter's avatar field is retired")
            .guide(code)
            .in_file(ROLE_MD)
            .about("avatar")
            .at_offset(text, avatar.offset(text));
        return Err(Box::new(issue.hint("remove the line; the picture is avatar.png at the root")));
    }
    let value = |name: &str| {
        let key = keys.iter().find(|key| key.name == name);
        key.and_then(|key| key.value.as_deref()).map(str::trim).filter(|value| !value.is_empty())
    };
    Ok(RoleMd {
        title: value("title").unwrap_or(role_id).to_owned(),
        description: value("description").unwrap_or_default().to_owned(),
        narrative: text.get(block.narrative..).unwrap_or_default().to_owned(),
    })
}

fn missing(is_role: bool, message: &str) -> Issue {
    let code = if is_role { Code::RoleBehaviorFileMissing } else { Code::RoleImportRoleMdMissing };
    let issue = Issue::error(Rule::R01, code, message).guide(code).in_file(ROLE_MD);
    issue.hint("---\ntitle: \"…\"\ndescription: \"…\"\n---\n\nHow the role behaves.")
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
    /// The text it was read from begins here in role.md, in bytes …
    start: usize,
    /// … and the key so many characters further on.
    char_index: usize,
}

impl Key {
    fn from_yaml(entry: Entry, start: usize) -> Self {
        Self { name: entry.key, value: entry.value, start, char_index: entry.char_index }
    }

    /// Where it stands in `text`, in bytes.
    fn offset(&self, text: &str) -> usize {
        let from_start = text.get(self.start..).unwrap_or_default();
        from_start.char_indices().nth(self.char_index).map_or(text.len(), |(offset, _)| self.start + offset)
    }
}

/// The block's top-level keys.
fn keys(text: &str, start: usize, block: &str) -> Result<Vec<Key>, Box<Issue>> {
    const MAX_BYTES: usize = 64 * 1024;
    let too_much = |offset| Box::new(invalid("the front matter is beyond the limits").at_offset(text, offset));
    if block.len() > MAX_BYTES {
        return Err(too_much(start));
    }
    match Yaml::parse(block) {
        Ok(yaml) => Ok(yaml.entries().into_iter().map(|entry| Key::from_yaml(entry, start)).collect()),
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
            Ok(entries.into_iter().map(|entry| Key::from_yaml(entry, offset)).collect())
        }
        Err(YamlFault::TooMuch) => Err(YamlFault::TooMuch),
        Err(YamlFault::Refused) => {
            let mut lines = lines(chunk);
            let (_, first, _) = lines.next().ok_or(YamlFault::Refused)?;
            let mut keys = vec![plain_key(first, offset).ok_or(YamlFault::Refused)?];
            // What follows belongs to the value for one reader and is a key of its own for another.
            let following = lines.filter_map(|(start, line, _)| plain_key(line.trim_start(), offset + start));
            keys.extend(following.filter(|key| key.name == "avatar"));
            Ok(keys)
        }
    }
}

/// `key: value`, with the value to the end of the line.
fn plain_key(line: &str, start: usize) -> Option<Key> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim().trim_matches(['"', '\'']);
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let is_key = !name.is_empty() && name.chars().all(is_plain);
    let is_value = value.is_empty() || value.starts_with([' ', '\t']);
    (is_key && is_value).then(|| Key {
        name: name.to_owned(),
        value: Some(value.trim().to_owned()),
        start,
        char_index: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn role_md(text: &str) -> Result<RoleMd, Code> {
        parse(text.as_bytes(), true, "the-id").map_err(|issue| issue.code)
    }

    fn title_and_description(block: &str) -> (String, String) {
        let RoleMd { title, description, narrative } = role_md(&format!("---\n{block}\n---\nBody\n")).unwrap();
        assert_eq!(narrative, "Body\n");
        (title, description)
    }

    #[test]
    fn title_and_description_are_read_however_they_are_written() {
        for (block, title, description) in [
            ("title: A\ndescription: B", "A", "B"),
            ("title: \"A: B\"\ndescription: 'it''s'", "A: B", "it's"),
            ("description: >\n  one\n  two\ntitle: A", "A", "one two"),
            ("description: |\n  one\n  avatar: two", "the-id", "one\navatar: two"),
            ("title:\tA\t", "A", ""),
            ("{title: A, description: B}", "A", "B"),
            ("? title\n: A", "A", ""),
            ("base: &t A\ntitle: *t", "A", ""),
            ("title: ~\ndescription:", "the-id", ""),
            ("title: [A]", "the-id", ""),
            ("", "the-id", ""),
            ("# title: A", "the-id", ""),
            ("title: A --- B", "A --- B", ""),
            // Strict YAML refuses these.
            ("title: A: B\ndescription: C", "A: B", "C"),
            ("title: A\ndescription: see http://x: y\ntags:\n- a", "A", "see http://x: y"),
        ] {
            assert_eq!(title_and_description(block), (title.to_owned(), description.to_owned()), "{block:?}");
        }
    }

    #[test]
    fn no_spelling_hides_the_avatar_key() {
        for block in [
            "avatar: x",
            "avatar:",
            "avatar : x",
            "\"avatar\": x",
            "'avatar': x",
            "\"\\u0061vatar\": x",
            "{title: A, avatar: x}",
            "{title: A,\n \"avatar\":x}",
            "? avatar\n: x",
            "!!str avatar: x",
            "&a avatar: x",
            "k: &a avatar\n*a : x",
            "base: &b {avatar: x}\n<<: *b",
            "base: &b {avatar: x}\n<<: [*b]",
            "  title: A\n  avatar: x",
            "title: A\n...\navatar: x",
            "title: A\ravatar: x",
            "title: A: B\navatar: x",
            "title: A: B\n\"avatar\": x",
            "title: A: B\n{avatar: x}",
            "title: A: B\n? avatar\n: x",
            "title: A: B\n  avatar: x",
            "title: A\n 'avatar': x",
            "title: A: B\n'avatar': [",
            "title: \"A\navatar: x\ndescription: B\"",
        ] {
            for text in [
                format!("---\n{block}\n---\nBody\n"),
                format!("\u{FEFF}---\n{block}\n---"),
                format!("---\n{block}\n---\n").replace('\n', "\r\n"),
                format!("---  \n{block}\n--- \n"),
            ] {
                assert_eq!(role_md(&text), Err(Code::RolePackageLegacyAvatarField), "{text:?}");
            }
        }
    }

    #[test]
    fn an_avatar_elsewhere_is_no_business_of_the_rule() {
        for text in [
            "avatar: x\n",
            "\n---\navatar: x\n---\n",
            "---\ntitle: A\n---\n\n---\navatar: x\n---\n",
            "---\ntitle: A\nAvatar: x\nmy-avatar: y\nnested:\n  avatar: z\n# avatar: w\n---\n",
            "----\navatar: x\n----\n",
        ] {
            assert!(role_md(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn a_block_that_cannot_be_read_safely_is_refused() {
        let bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n\
                    d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n";
        for block in ["title: A", "--- {avatar: x}", "yaml\navatar: x\n---", bomb, "[[[[", "\u{0}: x", "a: &a [*a]"] {
            let text =
                if block.starts_with("title") { format!("---\n{block}\n") } else { format!("---\n{block}\n---\n") };
            let text = text.replacen("---\n--- {", "--- {", 1).replacen("---\nyaml", "---yaml", 1);
            assert_eq!(role_md(&text), Err(Code::RolePackageRoleMdInvalid), "{text:?}");
        }
        assert_eq!(role_md(&format!("---\n{}\n---\n", "x".repeat(70_000))), Err(Code::RolePackageRoleMdInvalid));
        assert_eq!(parse(b"caf\xe9", true, "the-id").unwrap_err().code, Code::RolePackageRoleMdInvalid);
    }

    #[test]
    fn an_empty_text_is_a_missing_one() {
        for text in ["", " \r\n\t", "\u{FEFF}\n"] {
            assert_eq!(role_md(text), Err(Code::RoleBehaviorFileMissing), "{text:?}");
        }
        assert_eq!(parse(b"", false, "the-id").unwrap_err().code, Code::RoleImportRoleMdMissing);
    }

    #[test]
    fn the_fault_is_placed_where_it_stands() {
        let issue = parse("\u{FEFF}---\ntitle: é\navatar: x\n---\n".as_bytes(), true, "the-id").unwrap_err();
        assert_eq!((issue.line, issue.column, issue.excerpt.as_deref()), (Some(3), Some(1), Some("avatar: x")));
        let issue = parse(b"---\ntitle: A: B\n{ avatar: x}\n---\n", true, "the-id").unwrap_err();
        assert_eq!((issue.line, issue.column), (Some(3), Some(3)));
    }

    proptest! {
        #[test]
        fn any_block_is_answered(block in "[-\\[\\]{}:,&*#?|>'\"!%@` \n\r\ta-c\\\\.~<0é\u{85}\u{FEFF}]{0,80}") {
            let _ = role_md(&format!("---\n{block}\n---\n"));
        }

        #[test]
        fn an_avatar_line_among_any_lines_is_never_accepted(
            before in proptest::collection::vec("[a-z]{1,6}: [a-z:\"'\\[{&*#,>|-]{0,6}", 0..4),
            after in proptest::collection::vec("[a-z]{1,6}: [a-z:\"'\\[{&*#,>|-]{0,6}", 0..4),
        ) {
            let text = format!("---\n{}\navatar: x\n{}\n---\n", before.join("\n"), after.join("\n"));
            prop_assert!(role_md(&text).is_err(), "{text:?}");
        }
    }
}
