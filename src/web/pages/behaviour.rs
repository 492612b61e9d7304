//! "What it does": statements that were computed from the package, each with what proves it.

use crate::domain::{DependencyMode, Kind, PackagePath};
use crate::i18n::SiteLocale;
use crate::package::PackageFile;

/// One thing that a role does or does without.
pub(super) struct Trait {
    /// In two or three words.
    pub(super) text: String,
    /// In a sentence.
    pub(super) detail: String,
    /// Whether the role does it, rather than does without it.
    pub(super) is_present: bool,
    /// Files of the package that prove it.
    pub(super) files: Vec<PackagePath>,
    /// How many more files there are.
    pub(super) more: Option<String>,
}

/// Proof enough for a reader; the package has the rest.
const SHOWN_FILES: usize = 3;

/// What is known of a version without opening its files.
pub(super) fn traits(
    locale: SiteLocale,
    kind: &Kind,
    dependency_mode: DependencyMode,
    remembers_progress: bool,
    files: &[PackageFile],
) -> Vec<Trait> {
    let scripts: Vec<&PackageFile> = files.iter().filter(|file| is_script(file, kind)).collect();
    let plain = |is_present: bool, yes: &str, no: &str| {
        let id = if is_present { yes } else { no };
        Trait {
            text: locale.text(id).into_owned(),
            detail: locale.text(&format!("{id}.detail")).into_owned(),
            is_present,
            files: Vec::new(),
            more: None,
        }
    };

    let talks = if scripts.is_empty() { "does-talk-only" } else { "does-open-no-page" };
    let mut opens_page = plain(matches!(kind, Kind::Application(_)), "does-open-page", talks);
    if let Kind::Application(entry) = kind {
        opens_page.files.push(entry.target.clone());
    }

    let mut ships_scripts = plain(!scripts.is_empty(), "does-ship-scripts", "does-ship-no-scripts");
    if ships_scripts.is_present {
        let more = scripts.len().saturating_sub(SHOWN_FILES);
        ships_scripts.text = locale.count("does-ship-scripts", count(scripts.len()));
        ships_scripts.files = scripts.iter().take(SHOWN_FILES).map(|file| file.path.clone()).collect();
        ships_scripts.more = (more > 0).then(|| locale.count("more-files", count(more)));
    }

    let mut needs_python = plain(dependency_mode == DependencyMode::Locked, "does-need-python", "does-need-nothing");
    if needs_python.is_present {
        needs_python.files =
            files.iter().map(|file| &file.path).filter(|path| path.as_str() == "uv.lock").cloned().collect();
    }

    vec![opens_page, ships_scripts, needs_python, plain(remembers_progress, "does-remember", "does-forget")]
}

/// A file that a computer runs outside the page that an application opens.
fn is_script(file: &PackageFile, kind: &Kind) -> bool {
    const EXTENSIONS: [&str; 16] =
        ["bash", "bat", "cjs", "cmd", "exe", "fish", "js", "mjs", "pl", "ps1", "py", "rb", "sh", "ts", "vbs", "zsh"];
    let path = file.path.as_str();
    let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
    let is_program =
        extension.is_some_and(|extension| EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension)));
    let belongs_to_page = match kind {
        Kind::Application(entry) => entry
            .target
            .as_str()
            .rsplit_once('/')
            .is_some_and(|(folder, _)| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))),
        Kind::Role => false,
    };
    file.executable || (is_program && !belongs_to_page)
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{AddressBar, Entry, Sha256Digest};

    fn file(path: &str, executable: bool) -> PackageFile {
        PackageFile {
            path: PackagePath::parse(path).unwrap(),
            size_bytes: 1,
            sha256: Sha256Digest::of(b"x"),
            executable,
        }
    }

    fn scripts(kind: &Kind, files: &[PackageFile]) -> Vec<String> {
        traits(SiteLocale::En, kind, DependencyMode::None, false, files)
            .into_iter()
            .nth(1)
            .map(|line| line.files.iter().map(ToString::to_string).collect())
            .unwrap()
    }

    #[test]
    fn a_role_that_only_talks_says_so() {
        let lines = traits(SiteLocale::En, &Kind::Role, DependencyMode::None, false, &[file("role.md", false)]);
        assert!(lines.iter().all(|line| !line.is_present && line.files.is_empty()));
        assert_eq!(lines[0].text, "Talks only");
        let lines = traits(SiteLocale::En, &Kind::Role, DependencyMode::None, false, &[file("contents/x.py", false)]);
        assert_eq!((lines[0].text.as_str(), lines[1].text.as_str()), ("Opens no page", "Ships 1 script"));
    }

    #[test]
    fn scripts_are_what_runs_outside_an_applications_page() {
        let entry =
            Entry { target: PackagePath::parse("agapps/game/index.html").unwrap(), address_bar: AddressBar::Hidden };
        let files = [
            file("agapps/game/app.js", false),
            file("agapps/game-tools/build.js", false),
            file("contents/bin/setup-check", true),
            file("contents/fetch.PY", false),
            file("role.md", false),
        ];
        let application = Kind::Application(entry);
        assert_eq!(
            scripts(&application, &files),
            ["agapps/game-tools/build.js", "contents/bin/setup-check", "contents/fetch.PY"]
        );
        assert_eq!(scripts(&Kind::Role, &files).len(), 3);
        let line = &traits(SiteLocale::En, &Kind::Role, DependencyMode::None, false, &files)[1];
        assert_eq!(line.more.as_deref(), Some("and 1 more file"));
    }

    #[test]
    fn python_packages_are_proved_by_the_lock() {
        let lines = traits(SiteLocale::En, &Kind::Role, DependencyMode::Locked, true, &[file("uv.lock", false)]);
        assert_eq!(lines[2].files, [PackagePath::parse("uv.lock").unwrap()]);
        assert!(lines[2].is_present && lines[3].is_present);
    }
}
