//! The verdict on a package: a report for people, a document for programs.

use std::path::Path;

use serde::Serialize;

use super::diagnostic::{Diagnostic, printable};
use super::error::{CliError, Exit};
use super::output::{self, Output};
use crate::client::{Problem, RemoteIssue};
use crate::domain::Issue;
use crate::package::{Report, ValidatedPackage};

/// What `check` answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Verdict<'a> {
    valid: bool,
    role_id: Option<&'a str>,
    version: Option<String>,
    /// Of the first error.
    code: Option<&'a str>,
    issues: Issues<'a>,
    /// How many more issues there are than are told.
    omitted: usize,
}

/// The issues, as found here or as the catalog told them.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
pub(super) enum Issues<'a> {
    /// Found here.
    Local(&'a [Issue]),
    /// Told by the catalog.
    Remote(&'a [RemoteIssue]),
}

impl<'a> Verdict<'a> {
    /// Nothing stands in the way.
    pub(super) fn valid(package: &'a ValidatedPackage) -> Self {
        let manifest = package.manifest();
        Self {
            valid: true,
            role_id: Some(manifest.id.as_str()),
            version: Some(manifest.version.to_string()),
            code: None,
            issues: Issues::Local(&package.report().issues),
            omitted: package.report().omitted,
        }
    }

    /// What a report says.
    pub(super) fn of(report: &'a Report) -> Self {
        Self {
            valid: report.is_valid(),
            role_id: report.role_id.as_deref(),
            version: report.version.clone(),
            code: report.code().map(crate::domain::Code::as_str),
            issues: Issues::Local(&report.issues),
            omitted: report.omitted,
        }
    }

    /// The catalog refused what was good here.
    pub(super) fn refused(package: &'a ValidatedPackage, problem: &'a Problem) -> Self {
        Self {
            valid: false,
            code: Some(&problem.code),
            issues: Issues::Remote(&problem.issues),
            omitted: 0,
            ..Self::valid(package)
        }
    }

    /// Writes the verdict to stdout; paths are shown below `base`.
    pub(super) fn tell(&self, base: Option<&Path>, output: &Output) -> Result<Exit, CliError> {
        if output.is_json() {
            output::json(self)?;
        } else {
            self.issues.tell(base, output)?;
            output::data(&self.summary())?;
        }
        Ok(if self.valid { Exit::Done } else { Exit::Refused })
    }

    fn summary(&self) -> String {
        let (errors, warnings): (Vec<_>, Vec<_>) = self.issues.diagnostics().partition(|issue| issue.is_error);
        let counts = [(errors.len(), "error"), (warnings.len(), "warning"), (self.omitted, "more problem")];
        let counts: Vec<_> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| format!("{count} {noun}{}", if count == 1 { "" } else { "s" }))
            .collect();
        let name = match (self.role_id, &self.version) {
            (Some(id), Some(version)) => format!("{id} {version}"),
            (Some(id), None) => id.to_owned(),
            (None, _) => "the package".to_owned(),
        };
        // The name may come from a manifest that nothing has vouched for.
        let name = printable(&name);
        match (self.valid, counts.join(", ")) {
            (true, counts) if counts.is_empty() => format!("{name} is valid"),
            (true, counts) => format!("{name} is valid, with {counts}"),
            (false, counts) => format!("{name} is refused: {counts}"),
        }
    }
}

impl<'a> Issues<'a> {
    /// Writes the issues to stdout, each followed by an empty line; paths are shown below `base`.
    pub(super) fn tell(self, base: Option<&Path>, output: &Output) -> Result<(), CliError> {
        let renderer = output.renderer();
        for diagnostic in self.diagnostics() {
            output::data(&format!("{}\n", diagnostic.render(&renderer, base)))?;
        }
        Ok(())
    }

    fn diagnostics(self) -> Box<dyn Iterator<Item = Diagnostic<'a>> + 'a> {
        match self {
            Self::Local(issues) => Box::new(issues.iter().map(Diagnostic::from)),
            Self::Remote(issues) => Box::new(issues.iter().map(Diagnostic::from)),
        }
    }
}
