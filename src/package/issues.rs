//! Where the rules put what they find.

use super::Report;
use crate::domain::{Issue, Limits, Severity};

/// The problems found so far, in the order of finding.
#[derive(Debug, Default)]
pub(super) struct Issues(Vec<Issue>);

impl Issues {
    pub(super) fn push(&mut self, issue: Issue) {
        self.0.push(issue);
    }

    pub(super) fn has_errors(&self) -> bool {
        self.0.iter().any(|issue| issue.severity == Severity::Error)
    }

    /// The report: errors first, in rule order, one issue for one fault, no more of them than the limit.
    pub(super) fn into_report(mut self, role_id: Option<String>, version: Option<String>, limits: &Limits) -> Report {
        self.0.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        self.0.dedup();
        let omitted = self.0.len().saturating_sub(limits.issues);
        self.0.truncate(limits.issues);
        Report { role_id, version, issues: self.0, omitted }
    }
}
