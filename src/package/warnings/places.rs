//! Paths that exist on one machine only, and writing to the system's directories (rule W02).

use std::sync::LazyLock;

use regex::Regex;

use super::{Finding, Findings, TextFile, TextKind, surroundings};

pub(super) const HINT: &str = "find the package's own files by the environment variable AGOTALK_ROLE_ROOT, and write nothing outside the work folder";

static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = [
        r"~/",
        r"\$HOME",
        r"\$\{HOME\}",
        r"%USERPROFILE%",
        r"/Users/",
        r"/home/",
        r"\\Users\\",
        r"expanduser",
        r"Path\.home\(",
        r"homedir\(",
        r"env\.HOME",
        r#"environ\[["']HOME"#,
        r#"environ\.get\(["']HOME"#,
        r#"getenv\(["']HOME"#,
        r"sudo",
        r"/etc\b",
        r"/usr/local\b",
        r"/usr/bin\b",
        r"/usr/lib\b",
        r"/usr/share\b",
        r"/opt\b",
        r"/var/lib\b",
        r"/Library/",
        r"/System/",
    ];
    Regex::new(&format!("(?-u:{})", words.join("|"))).ok()
});

pub(super) fn find(file: TextFile<'_>) -> Vec<Finding> {
    let mut findings = Findings::default();
    // A page has no file system to speak of; its paths are addresses.
    if file.kind == TextKind::Page {
        return findings.found;
    }
    let Some(words) = WORDS.as_ref() else { return findings.found };
    for word in words.find_iter(file.text) {
        if findings.is_full() {
            break;
        }
        if !findings.is_worth_a_look(file.text, word.start()) {
            continue;
        }
        let (before, after) = surroundings(file.text, word.start());
        let after = after.get(word.len()..).unwrap_or_default();
        if let Some(message) = message(file.kind, before, word.as_str(), after) {
            findings.push(word.start(), message);
            findings.skip_line();
        }
    }
    findings.found
}

fn message(kind: TextKind, before: &str, word: &str, after: &str) -> Option<&'static str> {
    const HOME: &str = "this path is in somebody's home directory, which no other machine has";
    const SYSTEM: &str = "this writes to a directory of the system, outside the package";
    let names_something =
        |after: &str| after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '<' | '$' | '{'));
    let holds = match word {
        // In a program, "~/x" is as often an alias of a bundler.
        "~/" if kind == TextKind::JavaScript => begins_path(before) && after.starts_with('.'),
        "$HOME" => !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'),
        // In a page's program, "/home/x" is as often a route.
        "/home/" if kind == TextKind::JavaScript => false,
        "~/" | "/home/" | "/Users/" => begins_path(before) && names_something(after),
        "sudo" => is_command(before) && after.starts_with([' ', '"', '\'']),
        "/etc" | "/usr/local" | "/usr/bin" | "/usr/lib" | "/usr/share" | "/opt" | "/var/lib" | "/Library/"
        | "/System/" => begins_path(before) && is_written(before, after),
        _ => true,
    };
    let is_system = word.starts_with("/etc")
        || word.starts_with("/usr")
        || matches!(word, "sudo" | "/opt" | "/var/lib" | "/Library/" | "/System/");
    holds.then_some(if is_system { SYSTEM } else { HOME })
}

/// Whether an absolute path can begin here: not inside another path, a word or a URL.
fn begins_path(before: &str) -> bool {
    let is_inside =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '}' | ')' | '~' | '%' | '&' | '?');
    if before.ends_with("file://") {
        return true;
    }
    let token = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '(')).next();
    !before.ends_with(is_inside) && !token.is_some_and(|token| token.contains("://"))
}

/// Whether a command begins here, rather than a word of a sentence.
fn is_command(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty()
        || before.ends_with(['`', '$', '#', '&', ';', '|', '"', '\'', '(', '[', '>', ':'])
        || ["run", "then", "do", "RUN"].into_iter().any(|word| before.ends_with(word))
}

/// Whether the line writes to the path between both parts.
fn is_written(before: &str, after: &str) -> bool {
    const COMMANDS: [&str; 14] =
        ["cp", "mv", "ln", "tee", "touch", "mkdir", "install", "rm", "chmod", "chown", "rsync", "dd", "unzip", "put"];
    const VERBS: [&str; 12] =
        ["writ", "sav", "copy", "copies", "mov", "creat", "plac", "stor", "append", "symlink", "makedirs", "puts"];
    const AFTER: [&str; 8] = ["\"w\"", "'w'", "\"a\"", "'a'", "\"wb\"", "'wb'", "write", "mkdir"];
    if before.trim_end().trim_end_matches(['"', '\'']).ends_with('>') {
        return true;
    }
    let lower = before.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    words.any(|word| COMMANDS.contains(&word) || VERBS.iter().any(|verb| word.starts_with(verb)))
        || AFTER.iter().any(|word| after.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::tests::lines;
    use super::*;

    #[test]
    fn w02_home_directories_and_writes_to_the_system_are_found() {
        for line in [
            "Templates are kept in `~/.claude/templates/`.",
            "cp \"$HOME/.claude/shelf.json\" .",
            "cd ${HOME}/books",
            "Put the script in ~/.local/bin and run it.",
            "Read /home/tobias/books/shelf.json first.",
            "open('/Users/mirela/x')",
            "Read C:\\Users\\Mirela\\Books\\shelf.json first.",
            "path = os.path.expanduser('~')",
            "Path.home() / 'x'",
            "root = os.environ[\"HOME\"]",
            "file:///home/tobias/x",
            "sudo cp tool /usr/local/bin/",
            "echo x > /etc/tool.conf",
            "Save it to /usr/local/share/fonts.",
            "mkdir -p /opt/tool",
            "open(\"/etc/tool.conf\", \"w\")",
        ] {
            let text = format!("# Job\n{line}\n");
            for path in ["role.md", "contents/bin/a.sh", "contents/a.py", "contents/settings.json"] {
                assert_eq!(lines(find, path, &text), [2], "{path}: {line}");
            }
        }
    }

    #[test]
    fn addresses_and_harmless_paths_are_left_alone() {
        for line in [
            "See https://books.example.org/Users/guide and https://example.org/home/x and http://example.org/~/x.",
            "contents/home/x.txt and ./home/x and $AGOTALK_ROLE_ROOT/home/x",
            "#!/usr/bin/env bash",
            "grep ID /etc/os-release",
            "The sudoku app never needs sudo.",
            "HOME is empty; $HOMEPAGE is not.",
            "about ~5 km, 3/4",
            "the /options page, and/or /etcetera",
        ] {
            assert_eq!(lines(find, "role.md", line), [0; 0], "{line}");
        }
        assert_eq!(lines(find, "agapps/a/index.html", "<a href=\"/home/x\">"), [0; 0]);
        assert_eq!(lines(find, "agapps/a/app.js", "go('/home/x'); import y from '~/y'"), [0; 0]);
    }
}
