//! Which Python versions a project admits (rule L07).

use std::str::FromStr as _;

use pep440_rs::{Version, VersionSpecifiers};

use super::document::Document;
use super::project::Project;
use super::uv_lock::Lock;
use crate::domain::{Code, Issue, Rule};
use crate::package::issues::Issues;

/// A `requires-python`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequiresPython(VersionSpecifiers);

/// Python 3.11 is what Agotalk provides (contract v0.4 § The Python you get).
const PROVIDED_MINOR: u64 = 11;
/// More patch releases than a minor version of Python ever had.
const PATCHES: u64 = 40;

impl RequiresPython {
    pub(super) fn parse(text: &str) -> Option<Self> {
        const MAX_BYTES: usize = 400;
        if text.len() > MAX_BYTES {
            return None;
        }
        VersionSpecifiers::from_str(text).ok().map(Self)
    }

    pub(super) fn admits(&self, version: &Version) -> bool {
        self.0.contains(version)
    }

    /// Whether some release of Python 3.11 satisfies it.
    fn admits_the_provided_one(&self) -> bool {
        (0..PATCHES).any(|patch| self.admits(&Version::new([3, PROVIDED_MINOR, patch])))
    }

    /// Whether both begin and end with the same release, however they are written: uv compares no more than that.
    pub(super) fn is_equivalent(&self, other: &Self) -> bool {
        self == other || self.bounds() == other.bounds()
    }

    /// The first and the last release that it admits.
    fn bounds(&self) -> Option<(Version, Version)> {
        let threes = (0..PATCHES).flat_map(|minor| (0..PATCHES).map(move |patch| [3, minor, patch]));
        let releases = [[2, 7, 0], [2, 7, 18]].into_iter().chain(threes).chain([[4, 0, 0], [4, 1, 0], [5, 0, 0]]);
        let mut admitted = releases.map(Version::new).filter(|version| self.admits(version));
        let first = admitted.next()?;
        Some((first.clone(), admitted.next_back().unwrap_or(first)))
    }
}

/// Says once that Python 3.11 is excluded: in what the author wrote, else in the lock.
pub(super) fn check(
    project: Option<(&Document, &Project<'_>)>,
    lock: Option<(&Document, &Lock<'_>)>,
    issues: &mut Issues,
) {
    let written = project.and_then(|(file, project)| Some((file, project.requires_python.as_ref()?)));
    let locked = lock.and_then(|(file, lock)| Some((file, lock.requires_python.as_ref()?)));
    let excludes = |(_, (python, _)): &(&Document, &(RequiresPython, usize))| !python.admits_the_provided_one();
    if let Some((file, (_, offset))) = written.filter(excludes).or_else(|| locked.filter(excludes)) {
        let message = "requires-python excludes Python 3.11, the one that Agotalk provides";
        let issue = Issue::error(Rule::L07, Code::RolePackagePythonIncompatible, message);
        issues.push(file.place(issue.about("requires-python").hint("requires-python = \">=3.11\""), *offset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(text: &str) -> RequiresPython {
        RequiresPython::parse(text).unwrap()
    }

    #[test]
    fn l07_python_3_11_is_admitted_by_what_some_release_of_it_satisfies() {
        for text in
            [">=3.11", ">=3.10, <3.12", "==3.11.*", "~=3.10", "~=3.11.4", ">3.11", "==3.11", "", ">=3.8,!=3.10.*", "<4"]
        {
            assert!(python(text).admits_the_provided_one(), "{text}");
        }
        for text in ["<3.11", ">=3.12", "!=3.11.*,>=3.10", "~=3.10.2", "==3.12.*", "<3", ">=3.9,<3.11"] {
            assert!(!python(text).admits_the_provided_one(), "{text}");
        }
        for text in ["3.11", ">=x", "^3.11", ">=3.11 <4"] {
            assert_eq!(RequiresPython::parse(text), None, "{text}");
        }
    }

    #[test]
    fn two_spellings_are_compared_by_what_they_admit() {
        assert!(python("~=3.11").is_equivalent(&python(">=3.11, <4")));
        assert!(python(">=3.10,<3.12").is_equivalent(&python("<3.12, >=3.10.0")));
        assert!(!python(">=3.11").is_equivalent(&python(">=3.11, <4")));
        assert!(!python(">=3.11").is_equivalent(&python(">=3.11.2")));
        assert!(python(">=3.11").is_equivalent(&python(">=3.11, !=3.12.*")));
    }
}
