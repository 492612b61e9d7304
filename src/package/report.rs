//! What the validator has to say about a package.

use serde::Serialize;

use crate::domain::{Code, Issue, Severity};

/// Every problem of a package, errors first, in rule order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The manifest's id as far as it could be read.
    pub role_id: Option<String>,
    /// The manifest's version as far as it could be read.
    pub version: Option<String>,
    /// At most [`crate::domain::Limits::issues`] of them.
    pub issues: Vec<Issue>,
    /// How many more there were.
    pub omitted: usize,
}

impl Report {
    /// Whether nothing forbids publishing.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.code().is_none()
    }

    /// The first error's code.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        self.errors().next().map(|issue| issue.code)
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Issue> {
        self.issues.iter().filter(|issue| issue.severity == Severity::Error)
    }

    /// The warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Issue> {
        self.issues.iter().filter(|issue| issue.severity == Severity::Warning)
    }
}
