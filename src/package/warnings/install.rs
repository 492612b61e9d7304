//! Commands that install what the lock should hold (rule W01): `pip install` in any form, global npm installs.

use std::sync::LazyLock;

use regex::Regex;

use super::{Finding, Findings, TextFile, TextKind, surroundings};

pub(super) const HINT: &str = "declare it in pyproject.toml and uv.lock with dependency_mode = \"locked\"; Agotalk installs it before your code runs";

static TOOLS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?-u:pip|pnpm|npm|yarn|bun|easy_install)").ok());

pub(super) fn find(file: TextFile<'_>) -> Vec<Finding> {
    let mut findings = Findings::default();
    if !matches!(file.kind, TextKind::Markdown | TextKind::Script | TextKind::JavaScript) {
        return findings.found;
    }
    let Some(tools) = TOOLS.as_ref() else { return findings.found };
    // Where the last command ends that a text tells not to run.
    let mut forbidden_until = None;
    for tool in tools.find_iter(file.text) {
        if findings.is_full() {
            break;
        }
        if !findings.is_worth_a_look(file.text, tool.start()) {
            continue;
        }
        let (before, after) = surroundings(file.text, tool.start());
        if before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) {
            continue;
        }
        let Some(command) = command(after) else { continue };
        let goes_on = |until: usize| {
            file.text.get(until..tool.start()).is_some_and(|between| !between.contains(['.', ';', ':', '!', '?', '\n']))
        };
        if is_forbidden(before) || forbidden_until.is_some_and(goes_on) {
            forbidden_until = Some(tool.end());
            continue;
        }
        findings.push(tool.start(), format!("this installs something on the user's machine: {command}"));
        findings.skip_line();
    }
    findings.found
}

/// The command that installs, when the text begins with one.
fn command(text: &str) -> Option<String> {
    let is_end = |c: char| matches!(c, ';' | '|' | '&' | '`' | ')' | '\n');
    let text = text.split(is_end).next().unwrap_or_default();
    let is_gap = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '[' | ']');
    let mut words = text.split(is_gap).filter(|word| !word.is_empty());
    let tool = words.next()?;
    let is_option = |word: &&str| word.starts_with('-');
    let is_verb = |word: &str| matches!(word, "install" | "i" | "add" | "in");
    match tool {
        "easy_install" => words.next().map(|_| tool.to_owned()),
        "pipx" => (words.find(|word| !is_option(word))? == "install").then(|| "pipx install".to_owned()),
        "npm" | "pnpm" | "bun" => {
            let words: Vec<&str> = words.take(12).collect();
            let is_global = words.iter().any(|word| matches!(*word, "-g" | "--global" | "--location=global"));
            let first = words.iter().copied().find(|word| !is_option(word))?;
            (is_global && is_verb(first)).then(|| format!("{tool} {first} -g"))
        }
        "yarn" => (words.next()? == "global" && words.next()? == "add").then(|| "yarn global add".to_owned()),
        _ if is_pip(tool) => (words.find(|word| !is_option(word))? == "install").then(|| format!("{tool} install")),
        _ => None,
    }
}

/// `pip`, `pip3`, `pip3.11`, `pip.exe`.
fn is_pip(tool: &str) -> bool {
    tool.strip_prefix("pip").is_some_and(|rest| {
        rest == ".exe" || rest.chars().all(|c| c.is_ascii_digit() || c == '.') && !rest.ends_with('.')
    })
}

/// Whether what stands before a command tells not to run it: "never run", "do not use", "no".
fn is_forbidden(before: &str) -> bool {
    const FILLERS: [&str; 20] = [
        "run", "running", "use", "using", "call", "type", "execute", "try", "to", "a", "an", "any", "the", "sudo",
        "python", "python3", "-m", "uv", "ever", "with",
    ];
    const NEGATIONS: [&str; 11] =
        ["never", "not", "don't", "don’t", "no", "without", "avoid", "nor", "mustn't", "cannot", "neither"];
    let lower = before.to_lowercase();
    let words = lower.split_whitespace().rev().map(|word| word.trim_matches(['`', '"', '\'', '*', '(', '_']));
    let mut words = words.filter(|word| !word.is_empty()).skip_while(|word| FILLERS.contains(word));
    match words.next() {
        Some("of") => words.next() == Some("instead"),
        Some("than") => words.next() == Some("rather"),
        Some(word) => NEGATIONS.contains(&word),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lines;
    use super::*;

    #[test]
    fn w01_every_form_of_pip_install_and_global_npm_install_is_found() {
        for line in [
            "Run `pip install ebooklib`.",
            "    pip3 install x",
            "pip3.11 -q install x",
            "python3 -m pip install --user x",
            "uv pip install x",
            "!pip install x",
            "If it is not installed, run `pip install x`.",
            "subprocess.run([sys.executable, \"-m\", \"pip\", \"install\", \"x\"])",
            ".venv/bin/pip install -r requirements.txt",
            "pipx install x",
            "npm install -g x",
            "npm i --global x",
            "npm -g install x",
            "npm install x --location=global",
            "execSync('npm install -g x')",
            "pnpm add -g x",
            "yarn global add x",
            "bun add -g x",
        ] {
            let text = format!("# Job\n\n{line}\n");
            for path in ["role.md", "skills/a.md", "contents/bin/a.sh", "contents/tool/a.py", "contents/a.js"] {
                assert_eq!(lines(find, path, &text), [3], "{path}: {line}");
            }
            assert_eq!(lines(find, "contents/data.csv", &text), [0; 0], "data teaches nothing");
        }
    }

    #[test]
    fn what_only_sounds_like_an_installation_is_left_alone() {
        for line in [
            "The apple pip installed itself. The plumber will install a pipe. See the pip-install-free guide.",
            "npm install",
            "npm ci && npm run build",
            "npm run install -- x",
            "pipeline install, pipenv, shpip install",
            "Never run `pip install`.",
            "Do not use pip install, `pip3 install` or `npm install -g`.",
            "No `pip install`, no `npm install -g x`.",
            "The lock is used instead of pip install.",
            "Don't ever run python3 -m pip install",
        ] {
            assert_eq!(lines(find, "role.md", line), [0; 0], "{line}");
        }
    }
}
