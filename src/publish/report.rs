//! The validation report that is frozen with a version.

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

use crate::domain::{Code, DependencyMode, Issue, Rule};
use crate::package::ValidatedPackage;

/// What was checked when a version was published, and what was said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedReport {
    /// The program that checked.
    pub validator: String,
    /// The rules that it knows.
    pub rules: Vec<String>,
    /// Its advice.
    pub warnings: Vec<Issue>,
    /// What the publisher's tool says of `setup-check`.
    pub setup_check: Option<SetupCheck>,
}

/// The publisher's own report of running `contents/bin/setup-check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetupCheck {
    /// 0 when the package works.
    pub exit_status: i32,
    /// When it ran.
    pub at: String,
    /// The version of uv that made the environment.
    pub uv: String,
    /// The version of Python in it.
    pub python: String,
}

impl PublishedReport {
    pub(super) fn new(warnings: Vec<Issue>, setup_check: Option<SetupCheck>) -> Self {
        let validator = concat!("role-catalog ", env!("CARGO_PKG_VERSION")).to_owned();
        let rules = Rule::iter().filter(|rule| *rule != Rule::Request).map(|rule| rule.to_string()).collect();
        Self { validator, rules, warnings, setup_check }
    }

    /// As JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From JSON text that an earlier program may have written; what it cannot say stays empty.
    #[must_use]
    pub fn from_json(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }
}

/// The package's warnings, and W13 for a locked one whose `setup-check` nobody says has passed.
pub(super) fn warnings(package: &ValidatedPackage, setup_check: Option<&SetupCheck>) -> Vec<Issue> {
    let mut warnings: Vec<_> = package.report().warnings().cloned().collect();
    let passed = setup_check.is_some_and(|check| check.exit_status == 0);
    if package.manifest().dependency_mode == DependencyMode::Locked && !passed {
        warnings.push(
            Issue::warning(
                Rule::W13,
                Code::RoleWarnSetupCheckUnreported,
                "the upload does not say that contents/bin/setup-check passed",
            )
            .in_file("contents/bin/setup-check")
            .hint("publish with role-catalog publish, which runs it and reports the result"),
        );
    }
    warnings
}
