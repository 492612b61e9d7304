//! What git knows about a package directory.

use std::path::Path;
use std::process::{Command, Output};

use super::error::CliError;

/// Whether a directory is what its last commit says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Subtree {
    /// Everything is committed.
    Clean,
    /// These lines of `git status --porcelain` are not; untracked files count.
    Dirty(Vec<String>),
    /// No git work tree, or no git.
    Unversioned,
}

/// Asks git about `dir`.
///
/// # Errors
/// [`CliError`] when git is there but does not answer: a source tree is never taken for clean on a guess.
pub(super) fn subtree(dir: &Path) -> Result<Subtree, CliError> {
    let Some(inside) = git(dir, &["rev-parse", "--is-inside-work-tree"])? else { return Ok(Subtree::Unversioned) };
    if !inside.status.success() {
        let message = String::from_utf8_lossy(&inside.stderr);
        return if message.contains("not a git repository") { Ok(Subtree::Unversioned) } else { Err(silent(&inside)) };
    }
    if inside.stdout.trim_ascii() != b"true" {
        return Ok(Subtree::Unversioned);
    }
    let status = git(dir, &["status", "--porcelain", "--untracked-files=all", "--", "."])?;
    match status {
        Some(status) if status.status.success() => {
            let lines: Vec<_> = String::from_utf8_lossy(&status.stdout).lines().map(str::to_owned).collect();
            Ok(if lines.is_empty() { Subtree::Clean } else { Subtree::Dirty(lines) })
        }
        Some(status) => Err(silent(&status)),
        None => Ok(Subtree::Unversioned),
    }
}

/// Runs git in `dir`; `None` when there is no git.
fn git(dir: &Path, arguments: &[&str]) -> Result<Option<Output>, CliError> {
    let result = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(arguments)
        // The message below is read in English, and asking must not write an index.
        .envs([("LC_ALL", "C"), ("GIT_OPTIONAL_LOCKS", "0")])
        // A hook that runs us speaks of its own repository and index.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output();
    match result {
        Ok(output) => Ok(Some(output)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CliError::fault(format!("git cannot be run: {error}"))),
    }
}

fn silent(output: &Output) -> CliError {
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().next().unwrap_or("nothing").to_owned();
    CliError::fault(format!("git does not say whether the package is committed: {first}"))
}
